import type { Estimate, RowCounts, RunSummary } from '../run/summary.ts';

const counts = new Intl.NumberFormat('en');

/** A whole number with separators: `12,345`. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `1 row`, `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How scores are written throughout a report, so that they can be compared by eye. */
export interface ScoreStyle {
  readonly decimals: number;
  /** Whether all intervals reach as far up as down, and `±` says it all. */
  readonly isEven: boolean;
}

/** The style that fits all scores of a run: no interval may look like a point. */
export function scoreStyleOf({ results, groups }: RunSummary): ScoreStyle {
  const scores = [...results, ...groups].flatMap(({ score }) => score ?? []);
  const decimals = scores.some(({ low, high }) => high > low && high - low < 0.001) ? 2 : 1;
  const round = (share: number) => (share * 100).toFixed(decimals);
  const isEven = scores.every(({ value, low, high }) => round(value - low) === round(high - value));
  return { decimals, isEven };
}

/** A score of 0 to 1 in hundredths: `83.2`. */
export function formatScore(value: number, { decimals }: ScoreStyle): string {
  return (value * 100).toFixed(decimals);
}

/** `±2.1` or `[81.0, 85.3]`. */
export function formatInterval({ value, low, high }: Estimate, style: ScoreStyle): string {
  if (style.isEven) return `±${formatScore(high - value, style)}`;
  return `[${formatScore(low, style)}, ${formatScore(high, style)}]`;
}

/** What the intervals of a run are, for a footnote; nothing if there are none. */
export function describeIntervals({ results, groups }: RunSummary): string | undefined {
  const level = [...results, ...groups].find(({ score }) => score)?.score?.level;
  return level === undefined
    ? undefined
    : `Scores from 0 to 100 with their ${Number((level * 100).toFixed(2))} % intervals.`;
}

/** How many rows a score covers: `980/1,000`, or `1,000` if it covers all of them. */
export function formatCoverage({ total, scored }: RowCounts): string {
  return scored === total ? formatCount(total) : `${formatCount(scored)}/${formatCount(total)}`;
}

/** `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time stamp to the minute: `2025-03-01 10:00 UTC`. What is none stays as it is. */
export function formatTime(timestamp: string): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The text on one line, without characters that a terminal or a page would obey. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}
