import { ConfigError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { pyEquals } from '../../../python/operators.ts';
import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import type { FewshotSettings } from '../tasks/task-config.ts';

export interface SamplerSettings extends Pick<FewshotSettings, 'sampler'> {
  readonly pool: readonly Row[];
  readonly count: number;
  readonly seed: number;
  /** The row that is asked about is none of its examples. */
  readonly excludesRow: boolean;
  /** The task, for messages. */
  readonly name: string;
}

/** The examples of a row, by their places in the pool. */
export type Sampler = (row: Row, position: number) => readonly number[];

/** Draws examples as the original does: one generator for all rows, in their order. */
export function createSampler(settings: SamplerSettings): Sampler {
  const { pool, count, sampler, excludesRow } = settings;
  if (count === 0) return () => [];
  const isOther = (row: Row) => {
    const own = toPython(row);
    return (index: number) => !pyEquals(toPython(pool[index] ?? {}), own);
  };
  if (sampler === 'first_n') {
    requireRows(settings, count);
    const all = pool.map((_, index) => index);
    return (row) => {
      if (!excludesRow) return all.slice(0, count);
      const rows = firstOf(all, isOther(row), count);
      if (rows.length < count) throw tooFew(settings, rows.length);
      return rows;
    };
  }
  const drawn = excludesRow ? count + 1 : count;
  requireRows(settings, drawn);
  const drawAt = drawsInOrder(settings, drawn);
  return (row, position) => {
    const draw = drawAt(position);
    if (!excludesRow) return draw;
    const rows = firstOf(draw, isOther(row), count);
    if (rows.length < count) throw tooFew(settings, rows.length);
    return rows;
  };
}

function firstOf(
  indexes: readonly number[],
  isMeant: (index: number) => boolean,
  count: number,
): readonly number[] {
  const found: number[] = [];
  for (const index of indexes) {
    if (found.length === count) break;
    if (isMeant(index)) found.push(index);
  }
  return found;
}

/** The draw of each position; those before it are drawn first. */
function drawsInOrder({ pool, seed }: SamplerSettings, count: number) {
  const random = new CPythonRandom(seed);
  const draws: (readonly number[])[] = [];
  return (position: number): readonly number[] => {
    while (draws.length <= position) draws.push(random.sample(pool.length, count));
    return draws[position] ?? [];
  };
}

function requireRows(settings: SamplerSettings, needed: number): void {
  if (settings.pool.length < needed) throw tooFew(settings, settings.pool.length);
}

function tooFew({ name, count }: SamplerSettings, there: number): ConfigError {
  return new ConfigError(
    'lm_eval.too_few_examples',
    `${name}: ${count} examples are needed, but only ${there} can be shown`,
    { hint: 'Use a smaller num_fewshot, or add rows to the split of the examples.' },
  );
}
