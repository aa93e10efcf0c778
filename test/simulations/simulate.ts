import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { clusteredMean } from '../../src/stats/clustered-mean.ts';
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

export interface Table {
  /** The name of its file. */
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Prints a table and keeps it in `tables`: what the documentation quotes must stand there. */
export function keepTable({ name, head, rows }: Table): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const text = `${lines.join('\n')}\n`;
  console.log(`\n${name}\n${text}`);
  if (process.env.KEEP_TABLES !== 'yes') return;
  writeFileSync(fileURLToPath(new URL(`tables/${name}.md`, import.meta.url)), text);
}

export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** A table of settings by numbers of rows: how many percent hold, the width in points, refusals. */
export function keepCoverage(name: string, found: readonly Coverage[]): void {
  const counts = [...new Set(found.map(({ n }) => n))].sort((left, right) => left - right);
  const rows = [...new Set(found.map(({ setting }) => setting))].map((setting) => [
    setting,
    ...counts.map((count) => {
      const one = found.find((other) => other.setting === setting && other.n === count);
      return one ? coverageText(one) : '';
    }),
  ]);
  keepTable({ name, head: ['', ...counts.map((count) => `${count} rows`)], rows });
}

function coverageText({ coverage, width, refusals }: Coverage): string {
  const refused = refusals > 0 ? `, ${percent(refusals)} refused` : '';
  return `${percent(coverage)} (${percent(width)})${refused}`;
}

/** How often something happened in so many simulations. */
export interface Finding {
  readonly what: string;
  readonly share: number;
  readonly runs: number;
}

/** A table of how often things happened, and of the standard errors of these percentages. */
export function keepFindings(name: string, findings: readonly Finding[]): void {
  const rows = findings.map(({ what, share, runs }) => [
    what,
    percent(share),
    percent(Math.sqrt((share * (1 - share)) / runs)),
  ]);
  keepTable({ name, head: ['', '%', 'standard error'], rows });
}

/** The mean with Student's interval, to compare others with. */
export function studentMean(values: ArrayLike<number>): Measurement | undefined {
  return clusteredMean(values, { clusters: Array.from(values, (_, row) => row) });
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
