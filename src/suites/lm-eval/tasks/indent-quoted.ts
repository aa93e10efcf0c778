const opening = /^( *(?:- +)*)(?:[\w.-]+: +)?(?:"|')/;
const block = /^( *(?:- +)*)[\w.-]+: +[|>][-+\d]*\s*$/;

/**
 * YAML in which texts in quotes go on further to the left than they may: PyYAML reads it, as white space at the
 * beginning of such a line does not count. Gives the same text with those lines moved to the right.
 */
export function indentQuoted(text: string): string {
  let quote: string | undefined;
  let indent = 0;
  let blockIndent: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      if (quote !== undefined) {
        const moved = line.trim() === '' ? line : ' '.repeat(indent + 2) + line.trimStart();
        if (closes(line, 0, quote)) quote = undefined;
        return moved;
      }
      const depth = line.search(/\S/);
      if (blockIndent !== undefined && (depth < 0 || depth > blockIndent)) return line;
      blockIndent = block.exec(line)?.[1]?.length;
      const found = blockIndent === undefined ? opening.exec(line) : null;
      const mark = found?.[0].at(-1);
      if (found && mark !== undefined && !closes(line, found[0].length, mark)) {
        quote = mark;
        indent = found[1]?.length ?? 0;
      }
      return line;
    })
    .join('\n');
}

/** Whether a quote ends in a line, from a place in it on. */
function closes(line: string, from: number, quote: string): boolean {
  const inner = quote === '"' ? /\\.|"/g : /''|'/g;
  inner.lastIndex = from;
  for (let found = inner.exec(line); found; found = inner.exec(line)) {
    if (found[0] === quote) return true;
  }
  return false;
}
