import type { ConfigPath } from '../errors.ts';
import { formatValue } from '../prompt/values.ts';
import { compileCompatScorer } from './compat-scorer.ts';
import type { Component, PlacedComponent } from './component-options.ts';
import { buildEvaluator } from './evaluators.ts';
import { runChain } from './extractor.ts';
import { buildExtractors } from './postprocessors.ts';
import { createScorer, isMissing, type Scorer, unscored } from './scorer.ts';

/** The `eval_cfg` of a data set. */
export interface ScorerConfig {
  readonly evaluator: Component;
  readonly predPostprocessor?: Component | undefined;
  readonly datasetPostprocessor?: Component | undefined;
}

export interface CompileOptions {
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  /** Path of the data set in the config, for messages. */
  readonly source?: ConfigPath | undefined;
}

/**
 * Makes the scorer that a data set's `eval_cfg` describes. Without one no row is scored.
 *
 * @example
 * const scorer = compileScorer({ evaluator: { type: 'number' } });
 * scorer.score({ answer: splitAnswer('It is $80,000.'), gold: '80000', row: {} }).value // 1
 */
export function compileScorer(
  config: ScorerConfig | undefined,
  { compat, source = [] }: CompileOptions = {},
): Scorer {
  if (!config) return noScorer;
  const place = (key: string, component: Component): PlacedComponent => ({
    component,
    path: [...source, 'eval_cfg', key],
  });
  const evaluator = place('evaluator', config.evaluator);
  const predPostprocessor =
    config.predPostprocessor && place('pred_postprocessor', config.predPostprocessor);
  const datasetPostprocessor =
    config.datasetPostprocessor && place('dataset_postprocessor', config.datasetPostprocessor);
  const compatScorer =
    compat && compileCompatScorer({ compat, evaluator, predPostprocessor, datasetPostprocessor });
  if (compatScorer) return compatScorer;
  const { metric, methodOf } = buildEvaluator(evaluator);
  const extractors = predPostprocessor && buildExtractors(predPostprocessor);
  return createScorer({
    metric,
    methodOf: extractors ? (row) => ({ ...methodOf(row), extractors }) : methodOf,
    cleanGold: datasetPostprocessor && goldCleaner(datasetPostprocessor),
  });
}

const noScorer: Scorer = {
  metric: 'none',
  direction: 'higher',
  range: [0, 1],
  score: () => unscored('no evaluator'),
};

function goldCleaner(placed: PlacedComponent): (gold: unknown) => unknown {
  const extractors = buildExtractors(placed);
  const clean = (gold: unknown): unknown => {
    if (Array.isArray(gold)) return gold.flatMap((item) => clean(item) ?? []);
    return isMissing(gold) ? undefined : runChain(extractors, formatValue(gold)).found?.value;
  };
  return clean;
}
