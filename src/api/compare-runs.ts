import { compareSides } from '../study/compare/compare-sides.ts';
import type { Comparison } from '../study/compare/comparison.ts';
import { openSide } from '../study/compare/run-side.ts';
import { checkOptions } from './check-options.ts';
import { compareNames } from './option-names.ts';

export interface CompareOptions {
  /** The models to compare, where the runs have several: that of the first run, that of the second. */
  readonly models?: readonly [a: string, b: string] | undefined;
  /** Level of confidence; 0.95 by default. */
  readonly level?: number | undefined;
  /** How many changed rows of each task are loaded; 100 by default. */
  readonly flips?: number | undefined;
}

/**
 * Says whether one run is better than another, row by row: what `typecase compare` does. A run is
 * named by its folder, perhaps with `:` and a model, a dataset or both.
 *
 * @example
 * const { tasks } = await compareRuns('runs/a', 'runs/b');
 * tasks[0]?.verdict.text; // 'B is better by 3.1 points, 95 % interval 1.0 to 5.2.'
 */
export async function compareRuns(
  a: string,
  b: string,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkOptions<CompareOptions>(options, compareNames);
  const { models, level = 0.95, flips = 100 } = options;
  const left = await openSide({ argument: a, model: models?.[0] });
  const right = await openSide({ argument: b, model: models?.[1] });
  return compareSides({ a: left, b: right }, { level, flips });
}
