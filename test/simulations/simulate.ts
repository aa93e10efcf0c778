import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { hasInterval, type Measurement } from '../../src/stats/estimate.ts';

/** The share of so many simulations in which something holds. */
export function shareOf(count: number, holds: (random: Random, run: number) => boolean): number {
  let held = 0;
  for (let run = 0; run < count; run += 1) {
    if (holds(keyedRandom(run, 'simulation'), run)) held += 1;
  }
  return held / count;
}

/** The mean of something over so many simulations. */
export function meanOf(count: number, measure: (random: Random, run: number) => number): number {
  let sum = 0;
  for (let run = 0; run < count; run += 1) sum += measure(keyedRandom(run, 'simulation'), run);
  return sum / count;
}

/** What intervals did in so many simulations. */
export interface Coverage {
  readonly setting: string;
  readonly n: number;
  /** Of the intervals that there were. */
  readonly coverage: number;
  readonly width: number;
  /** The share of simulations in which there were too few rows for an interval. */
  readonly refusals: number;
}

export interface CoverageSettings {
  readonly setting: string;
  readonly n: number;
  readonly runs: number;
  readonly truth: number | ((run: number) => number);
  readonly interval: (random: Random, run: number) => Measurement | undefined;
}

/** How often intervals hold the truth, wherever there is one. */
export function coverageOf(settings: CoverageSettings): Coverage {
  const { setting, n, runs, truth, interval } = settings;
  let given = 0;
  let held = 0;
  let width = 0;
  for (let run = 0; run < runs; run += 1) {
    const found = interval(keyedRandom(run, `${setting} ${n}`), run);
    if (!hasInterval(found)) continue;
    given += 1;
    width += found.high - found.low;
    if (holds(found, typeof truth === 'number' ? truth : truth(run))) held += 1;
  }
  return { setting, n, coverage: held / given, width: width / given, refusals: 1 - given / runs };
}

/** Prints what docs/statistics.md quotes. */
export function printCoverage(title: string, rows: readonly Coverage[]): void {
  const percent = (share: number) => (share * 100).toFixed(1);
  const lines = rows.map(
    ({ setting, n, coverage, width, refusals }) =>
      `| ${setting} | ${n} | ${percent(coverage)} | ${percent(width)} | ${percent(refusals)} |`,
  );
  const head = [
    '| setting | rows | holds, % | width, points | refused, % |',
    '|---|---|---|---|---|',
  ];
  console.log([`\n${title}`, ...head, ...lines].join('\n'));
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Whether an interval holds the truth; one that is not there does not. */
export function holds(
  interval: { readonly low?: number; readonly high?: number } | undefined,
  truth: number,
): boolean {
  const { low = Number.NaN, high = Number.NaN } = interval ?? {};
  return low <= truth && truth <= high;
}

/**
 * Scores of two sides on the same rows. A row has a difficulty that both sides share, so that their
 * scores are correlated as those of real runs are.
 */
export function pairedRates(
  random: Random,
  { rows, shift }: { readonly rows: number; readonly shift: number },
): { readonly a: Float64Array; readonly b: Float64Array } {
  const a = new Float64Array(rows);
  const b = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const ease = random.next();
    a[row] = random.next() < 0.15 + 0.6 * ease ? 1 : 0;
    b[row] = random.next() < 0.15 + 0.6 * ease + shift ? 1 : 0;
  }
  return { a, b };
}

/** Rows that are right on one side only. */
export function countDiscordant({ a, b }: { readonly a: Float64Array; readonly b: Float64Array }) {
  let onlyA = 0;
  let onlyB = 0;
  for (const [row, score] of a.entries()) {
    if (score > (b[row] ?? 0)) onlyA += 1;
    if (score < (b[row] ?? 0)) onlyB += 1;
  }
  return { onlyA, onlyB };
}
