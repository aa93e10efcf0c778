import { DataError } from '../../errors.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { alphabet, escapePattern, plainLabel } from '../text-matching.ts';

/** Where a row has its options and its right answer. */
export interface RotationSettings {
  /**
   * The column of each option's text, or the one column that has them all: as a list, or on lines
   * such as `A. …` of a text.
   */
  readonly textColumns: readonly string[];
  /** The column of the right answer: a label, the text of an option, or a list of them. */
  readonly goldColumn: string;
  /** A, B, C … by default. */
  readonly labels?: readonly string[] | undefined;
}

/** How many options a row offers. */
export function countOptions(row: Row, settings: RotationSettings): number {
  const count = optionsOfRow(row, settings).texts.length;
  if (count >= 2) return count;
  const columns = settings.textColumns.map((column) => `\`${column}\``).join(', ');
  throw new DataError('data.options_not_found', `no options to reorder were found in ${columns}`, {
    hint: 'Give one column per option, a column with a list, or one with lines such as `A. …`.',
  });
}

/**
 * The row with its options moved up by some positions, the first ones to the end.
 *
 * @example
 * const settings = { textColumns: ['A', 'B', 'C'], goldColumn: 'answer' };
 * rotateRow({ A: 'cat', B: 'dog', C: 'cow', answer: 'A' }, 1, settings);
 * // { A: 'dog', B: 'cow', C: 'cat', answer: 'C' }
 */
export function rotateRow(row: Row, rotation: number, settings: RotationSettings): Row {
  const count = countOptions(row, settings);
  const order = Array.from({ length: count }, (_, index) => (index + rotation) % count);
  return reorderRow(row, order, settings);
}

/** The row with its options in another order: at each position the one that was at `order[index]`. */
export function reorderRow(row: Row, order: readonly number[], settings: RotationSettings): Row {
  const { texts, write } = optionsOfRow(row, settings);
  const labels = settings.labels ?? alphabet;
  const gold = moveGold(row[settings.goldColumn], { texts, labels, order });
  return { ...row, ...write(order.map((index) => texts[index])), [settings.goldColumn]: gold };
}

interface RowOptions {
  readonly texts: readonly unknown[];
  /** The columns with other texts in them. */
  readonly write: (texts: readonly unknown[]) => Row;
}

function optionsOfRow(row: Row, { textColumns, labels = alphabet }: RotationSettings): RowOptions {
  const [only = ''] = textColumns;
  const value = textColumns.length === 1 ? row[only] : undefined;
  if (Array.isArray(value)) return { texts: value, write: (texts) => ({ [only]: texts }) };
  if (typeof value === 'string') {
    const lines = findOptionLines(value, labels);
    return {
      texts: lines.map(({ text }) => text),
      write: (texts) => ({ [only]: replaceLines(value, lines, texts) }),
    };
  }
  // Rows may leave the last columns empty.
  const missing = textColumns.findIndex(
    (column) => row[column] === undefined || row[column] === null,
  );
  const columns = missing < 0 ? textColumns : textColumns.slice(0, missing);
  return {
    texts: columns.map((column) => row[column]),
    write: (texts) => Object.fromEntries(columns.map((column, index) => [column, texts[index]])),
  };
}

function replaceLines(
  text: string,
  lines: ReturnType<typeof findOptionLines>,
  texts: readonly unknown[],
): string {
  let written = '';
  let from = 0;
  for (const [index, { start, end }] of lines.entries()) {
    written += text.slice(from, start) + formatValue(texts[index]);
    from = end;
  }
  return written + text.slice(from);
}

interface Move {
  readonly texts: readonly unknown[];
  readonly labels: readonly string[];
  readonly order: readonly number[];
}

function moveGold(gold: unknown, move: Move): unknown {
  if (Array.isArray(gold)) return gold.map((item) => moveGold(item, move));
  const { texts, labels, order } = move;
  const written = plainLabel(formatValue(gold));
  const index = labels.slice(0, texts.length).findIndex((label) => plainLabel(label) === written);
  if (index < 0) return gold;
  const label = labels[order.indexOf(index)] ?? '';
  return typeof gold === 'number' ? Number(label) : label;
}

/** The texts of options that stand on lines of a text, each with its position. */
interface OptionLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds options on lines such as `A. …`, `(B) …` or `C: …`, from the first label on. What follows
 * the line of the last option is no part of it.
 */
function findOptionLines(text: string, labels: readonly string[]): readonly OptionLine[] {
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
