import { escapePattern } from '../escape-pattern.ts';

/** The texts of options that stand on lines of a text, each with its place. */
export interface OptionLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds options on lines such as `A. …`, `(B) …` or `C: …`, from the first label on. What follows
 * the line of the last option is no part of it.
 */
export function findOptionLines(text: string, labels: readonly string[]): readonly OptionLine[] {
  const anyLabel = labels.map(escapePattern).join('|');
  const lead = new RegExp(
    String.raw`^[ \t]*\(?(${anyLabel})(?:[).:、．：][ \t]*|[ \t]+-[ \t]+)`,
    'gmu',
  );
  let run: { readonly line: number; readonly start: number }[] = [];
  for (const match of text.matchAll(lead)) {
    const index = labels.indexOf(match[1] ?? '');
    // A label that repeats or leaves one out starts another list, or none.
    if (index === 0) run = [];
    if (index !== run.length) continue;
    run.push({ line: match.index, start: match.index + match[0].length });
  }
  return run.map(({ start }, index) => {
    const next = run[index + 1]?.line ?? endOfLine(text, start);
    const content = text.slice(start, next).trimEnd();
    return { text: content, start, end: start + content.length };
  });
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
