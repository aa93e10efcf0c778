import { buildScorer, type CompileOptions, noScorer, type ScorerConfig } from './build-scorer.ts';
import { asChecks } from './component/component.ts';
import { evaluatorTypes } from './evaluators/evaluator-types.ts';
import type { Scorer } from './scorer.ts';

/**
 * Creates the scorer of a dataset's `eval_cfg`. Without one no row is scored.
 *
 * @example
 * const scorer = compileScorer({ evaluator: { type: 'number' } });
 * scorer.score({ answer: splitAnswer('It is $80,000.'), gold: '80000', row: {} });
 * // { type: 'scored', value: 1, extracted: '80000', … }
 */
export function compileScorer(config: ScorerConfig | undefined, options?: CompileOptions): Scorer {
  if (!config) return noScorer;
  const evaluator = asChecks(config.evaluator);
  return buildScorer({ ...config, evaluator }, evaluatorTypes, options);
}
