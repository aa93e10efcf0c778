import type { Extraction, Extractor } from './extractor.ts';

export interface CodeBlockSettings {
  /** Blocks of these languages only, and blocks of none where there is no such block. */
  readonly languages?: readonly string[] | undefined;
  /** Which of several blocks; the last by default. */
  readonly which?: 'first' | 'last' | undefined;
}

/**
 * What stands in a fenced code block. One that is never closed runs to the end of the text.
 *
 * @example
 * codeBlock().extract('Here:\n```python\nprint(1)\n```')?.value; // 'print(1)'
 */
export function codeBlock({ languages, which = 'last' }: CodeBlockSettings = {}): Extractor {
  const wanted = languages?.map((language) => language.toLowerCase());
  return {
    name: 'code',
    extract(text) {
      const blocks = fencedBlocks(text);
      const tagged = wanted ? blocks.filter(({ tag }) => wanted.includes(tag)) : blocks;
      const usable = tagged.length > 0 ? tagged : blocks.filter(({ tag }) => tag === '');
      const found = which === 'first' ? usable[0] : usable.at(-1);
      return found && { value: found.value, start: found.start, end: found.end };
    },
  };
}

/** A fenced block with the first word after its opening fence, in lower case. */
export interface FencedBlock extends Extraction {
  readonly tag: string;
}

/** The fenced blocks of a Markdown text that are not blank. */
export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: (Pick<FenceLine, 'fence' | 'indent' | 'start'> & { readonly tag: string }) | undefined;
  const close = (end: number) => {
    const code = open && withoutBlankLines(text, open.start, end);
    if (open && code) {
      blocks.push({ ...code, value: withoutIndent(code.value, open.indent), tag: open.tag });
    }
    open = undefined;
  };
  for (const { fence, indent, rest, start, end } of fenceLines(text)) {
    if (!open) {
      const [tag = ''] = rest.split(/[\s,{}]/, 1);
      // A fence that ends on its own line is code within a sentence.
      if (!rest.includes('`')) open = { fence, indent, tag: tag.toLowerCase(), start: end };
    } else if (rest === '' && fence.startsWith(open.fence)) close(start);
  }
  if (open) close(text.length);
  return blocks;
}

/** The stretch of a text without blank lines around it; the first line keeps its indentation. */
export function withoutBlankLines(
  text: string,
  start: number,
  end: number,
): Extraction | undefined {
  const slice = text.slice(start, end);
  const content = slice.search(/\S/);
  if (content < 0) return undefined;
  const from = slice.lastIndexOf('\n', content) + 1;
  const value = slice.slice(from).trimEnd();
  return { value, start: start + from, end: start + from + value.length };
}

/** Lines without as much of the white space at their start as their fence has, as in a list. */
function withoutIndent(code: string, indent: string): string {
  if (indent === '') return code;
  const lines = code.split('\n').map((line) => {
    const own = line.search(/[^ \t]|$/);
    return line.slice(Math.min(own, indent.length));
  });
  return lines.join('\n');
}

interface FenceLine {
  readonly fence: string;
  /** What stands before it. */
  readonly indent: string;
  readonly rest: string;
  readonly start: number;
  readonly end: number;
}

function* fenceLines(text: string): Generator<FenceLine> {
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop + 1;
    const whole = text.slice(start, end);
    const line = whole.trim();
    const [fence] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
    const indent = whole.slice(0, whole.indexOf(line));
    if (fence) yield { fence, indent, rest: line.slice(fence.length).trim(), start, end };
    start = end;
  }
}
