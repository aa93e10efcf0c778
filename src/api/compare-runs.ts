import { compareSides } from '../study/compare/compare-sides.ts';
import type { Comparison } from '../study/compare/comparison.ts';
import { openSide, type SideSelection } from '../study/compare/run-side.ts';
import { checkOptions } from './check-options.ts';
import { compareNames } from './option-names.ts';

export interface CompareOptions {
  /** The models to compare, where the runs have several: that of the first run, that of the second. */
  readonly models?: readonly [a: string, b: string] | undefined;
  /** Level of confidence; 0.95 by default. */
  readonly level?: number | undefined;
  /** How many changed rows of each task are loaded; 100 by default. */
  readonly flips?: number | undefined;
  /** Says why scores differ, step by step; results of other harnesses are always explained. */
  readonly why?: boolean | undefined;
}

/**
 * Says whether one run is better than another, row by row: what `typecase compare` does. A run is
 * named by its folder, perhaps with `:` and a model, a dataset or both.
 *
 * @example
 * const { tasks } = await compareRuns('runs/a', 'runs/b');
 * tasks[0]?.verdict.text; // 'B is better by 3.1 points, 95% interval [1.0, 5.2].'
 */
export async function compareRuns(
  a: string,
  b: string,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkOptions<CompareOptions>(options, compareNames);
  return compareNamed({ argument: a }, { argument: b }, options);
}

/** The same, of runs that may be shown under other names than those of their folders. */
export async function compareNamed(
  a: Omit<SideSelection, 'model'>,
  b: Omit<SideSelection, 'model'>,
  { models, level = 0.95, flips = 100, why }: CompareOptions,
): Promise<Comparison> {
  const left = await openSide({ ...a, model: models?.[0] });
  const right = await openSide({ ...b, model: models?.[1] });
  return compareSides({ a: left, b: right }, { level, flips, why });
}
