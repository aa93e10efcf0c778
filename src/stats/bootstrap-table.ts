import { keyedRandom, type Random } from '../base/keyed-random.ts';
import { type BootstrapOptions, quantile } from './bootstrap.ts';
import { studentQuantile } from './distributions.ts';
import { drawBinomial } from './draw-binomial.ts';
import { defaultLevel, type Measurement } from './estimate.ts';
import { normalShareAbove } from './normal.ts';

const maxResamples = 2000;
const fewestResamples = 200;
const maxDraws = 4_000_000;

/**
 * A measure of a table of counts with a percentile bootstrap interval: every resample draws as many
 * rows as there are, with replacement. Nothing if the table is empty, or has no value (NaN).
 */
export function bootstrapTable(
  counts: ArrayLike<number>,
  measure: (counts: Float64Array) => number,
  { seed, resamples = resamplesFor(counts.length), level = defaultLevel }: BootstrapOptions,
): Measurement | undefined {
  const table = Float64Array.from(counts);
  const size = table.reduce((sum, count) => sum + count, 0);
  if (size === 0) return undefined;
  const random = keyedRandom(seed, 'table');
  const drawn = new Float64Array(table.length);
  const values = Float64Array.from({ length: resamples }, () => {
    drawTable(random, { table, size, drawn });
    return measure(drawn);
  });
  return percentiles(measure(table), values, { units: size, level });
}

export function resamplesFor(cells: number): number {
  return Math.max(fewestResamples, Math.min(maxResamples, Math.floor(maxDraws / cells)));
}

interface TableDraw {
  readonly table: Float64Array;
  readonly size: number;
  readonly drawn: Float64Array;
}

function drawTable(random: Random, { table, size, drawn }: TableDraw): void {
  let left = size;
  let rest = size;
  for (let cell = 0; cell < table.length; cell += 1) {
    const count = table[cell] ?? 0;
    const taken = drawBinomial(random, left, count / rest);
    drawn[cell] = taken;
    left -= taken;
    rest -= count;
  }
}

/** With two rows beside the commonest, an eighth of the resamples has neither; with three a twentieth. */
const mostAtAnEnd = 0.1;

/**
 * A value whose interval holds the middle of the resampled ones that are numbers. Where many of them
 * are the same at an end, what is rare was hardly seen, and resamples do not say how far off the value is.
 */
export function percentiles(
  value: number,
  values: Float64Array,
  { units, level }: { readonly units: number; readonly level: number },
): Measurement | undefined {
  if (Number.isNaN(value)) return undefined;
  const sorted = values.filter((resampled) => !Number.isNaN(resampled)).sort();
  const within = Math.floor(sorted.length * mostAtAnEnd);
  if (sorted[0] === sorted[within] || sorted.at(-1) === sorted.at(-1 - within))
    return { value, interval: 'too few' };
  const tail = tailFor(units, level);
  return {
    value,
    low: Math.min(value, quantile(sorted, tail)),
    high: Math.max(value, quantile(sorted, 1 - tail)),
    level,
    method: 'bootstrap',
  };
}

/**
 * The share of resampled values to leave out at an end: fewer than the level says where there are
 * few rows, which differ less among themselves than rows do. As far out as Student's quantile is.
 */
function tailFor(units: number, level: number): number {
  const tail = (1 - level) / 2;
  const reach = Math.sqrt(units / (units - 1)) * studentQuantile(1 - tail, units - 1);
  return Math.min(tail, normalShareAbove(reach));
}
