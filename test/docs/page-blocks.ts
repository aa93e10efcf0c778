/** A block of code in a page. */
export interface Block {
  readonly language: string;
  /** What stands behind the language: a file name, or `skip: reason`. */
  readonly info: string;
  readonly code: string;
  /** Where the code starts and ends in the page. */
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** The text between the block before it and this one. */
  readonly lead: string;
}

/** The blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  let end = 0;
  return [...page.matchAll(/^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, language = '', info = '', code = ''] = match;
    const from = match.index + whole.indexOf('\n') + 1;
    const lead = page.slice(end, match.index);
    end = match.index + whole.length;
    const line = page.slice(0, match.index).split('\n').length;
    return { language, info: info.trim(), code, from, to: from + code.length, line, lead };
  });
}

/** The commands of a block: lines, with those that a backslash or a quote continues. Comments are left out. */
export function commandsOf({ code }: Block): string[] {
  const joined = code.replaceAll(/\\\n\s*/g, '');
  const lines = joined.match(/(?:[^\n"']|"[^"]*"|'[^']*')+/g) ?? [];
  return lines
    .map((line) => line.replace(/(?:^|\s+)#\s.*$/, '').trim())
    .filter((line) => line !== '');
}

/** The words of a command, as a shell divides them. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}
