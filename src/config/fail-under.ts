/** A score as it is written: a number, or a percentage of a share. */
export type WrittenScore = number | `${number}%`;

/** The score to reach: a share of the first metric, or a score for each of some metrics, by name. */
export type FailUnder = number | Readonly<Record<string, WrittenScore>>;

/** What it has to look like. */
export const failUnderForm =
  'a score from 0 to 1 or from 0% to 100%, or a mapping of metric to score';

/** Reads the score to reach; nothing if it is none. */
export function readFailUnder(value: unknown): FailUnder | undefined {
  if (typeof value !== 'object' || value === null) return readShare(value);
  const marks: Record<string, WrittenScore> = {};
  for (const [metric, mark] of Object.entries(value)) {
    const read = readMark(mark);
    if (read === undefined) return undefined;
    marks[metric] = read;
  }
  return Object.keys(marks).length > 0 ? marks : undefined;
}

/** Metrics such as perplexity go beyond 1; percentages are kept, for not every metric has them. */
export function readMark(value: unknown): WrittenScore | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  if (!text.endsWith('%')) return readMark(Number(text));
  return readShare(text) === undefined ? undefined : (text as `${number}%`);
}

/** The number that a score stands for. */
export function scoreOf(written: WrittenScore): number {
  return typeof written === 'number' ? written : (readShare(written) ?? Number.NaN);
}

/** Reads a share that is written as a number from 0 to 1 or as a percentage; nothing if it is none. */
export function readShare(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const [, digits = '', percent] =
    (typeof text === 'string' && /^\s*([\d.]+(?:e-?\d+)?)(%?)\s*$/.exec(text)) || [];
  const share = digits === '' ? Number.NaN : Number(digits) / (percent ? 100 : 1);
  return share >= 0 && share <= 1 ? share : undefined;
}
