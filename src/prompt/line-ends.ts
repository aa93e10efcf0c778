import type { ModelFormat } from './format.ts';

/** What stands between two lines, and between two paragraphs. */
export interface LineEnds {
  readonly line: string;
  readonly paragraph: string;
}

const usual: LineEnds = { line: '\n', paragraph: '\n\n' };

/**
 * How a format ends the lines of what the system says. One that ends a system text inside the user's
 * turn with a mark, such as `<NL>`, knows no other line ends.
 */
export function lineEndsOf(format: ModelFormat): LineEnds {
  const system = format.type === 'text' ? format.meta.roles.get('SYSTEM') : undefined;
  if (system?.into === undefined) return usual;
  const [end, ...others] = system.end;
  if (end?.type !== 'text' || end.span.tokenIds || others.length > 0) return usual;
  const mark = end.span.text;
  return /\s/.test(mark) || mark === '' ? usual : { line: mark, paragraph: mark };
}
