import type { ConfigPath } from '../errors.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { languageNames, prepareLanguage } from './code/languages.ts';
import {
  buildComponent,
  type Component,
  type Components,
  type LocatedComponent,
  locateAll,
} from './component.ts';
import { evaluatorTypes } from './evaluators/evaluator-types.ts';
import type { ScoringParts } from './evaluators/scoring-parts.ts';
import { languageOf } from './evaluators/text-evaluators.ts';
import { runChain } from './extractor.ts';
import { buildExtractors } from './postprocessors.ts';
import { createScorer, type Evaluator, isMissing, type Scorer, unscored } from './scorer.ts';
import { hasDictionary, loadSegmenter } from './segment/segmenter.ts';

/** The `eval_cfg` of a dataset. */
export interface ScorerConfig {
  readonly evaluator: Component;
  /** One, or several that are tried in order. */
  readonly predPostprocessor?: Components | undefined;
  readonly datasetPostprocessor?: Components | undefined;
}

export interface CompileOptions {
  /** Path of the dataset in the config, for messages. */
  readonly source?: ConfigPath | undefined;
  /** Finds the model that an evaluator names as its judge. */
  readonly judgeNamed?: ScoringParts['judgeNamed'];
}

/**
 * Makes the scorer that a dataset's `eval_cfg` describes. Without one no row is scored.
 *
 * @example
 * const scorer = compileScorer({ evaluator: { type: 'number' } });
 * scorer.score({ answer: splitAnswer('It is $80,000.'), gold: '80000', row: {} });
 * // { type: 'scored', value: 1, extracted: '80000', … }
 */
export function compileScorer(
  config: ScorerConfig | undefined,
  { source = [], judgeNamed }: CompileOptions = {},
): Scorer {
  if (!config) return noScorer;
  const path = [...source, 'eval_cfg'];
  const located = (key: string, components: Components | undefined) =>
    components && locateAll(components, [...path, key]);
  const evaluator = { component: config.evaluator, path: [...path, 'evaluator'] };
  const predPostprocessor = located('pred_postprocessor', config.predPostprocessor);
  const datasetPostprocessor = located('dataset_postprocessor', config.datasetPostprocessor);
  const extractorsOf = predPostprocessor && buildExtractors(predPostprocessor);
  const cleanGold = datasetPostprocessor && goldCleaner(datasetPostprocessor);
  const parts: ScoringParts = { extractorsOf, cleanGold, judgeNamed };
  const built = buildComponent<Evaluator | Scorer, ScoringParts>(evaluatorTypes, evaluator, parts);
  if ('score' in built) return built;
  const { methodOf, ...metrics } = built;
  return createScorer({
    ...metrics,
    methodOf: extractorsOf
      ? (row) => ({ ...methodOf(row), extractors: extractorsOf(row) })
      : methodOf,
    cleanGold,
  });
}

/**
 * Makes ready what a scorer needs: dictionaries, interpreters. To be waited for before it scores.
 * Gives what the record of a run should say of it.
 *
 * @example
 * await prepareScorer({ evaluator: { type: 'exact' } }); // []
 */
export async function prepareScorer(config: ScorerConfig | undefined): Promise<readonly string[]> {
  if (!config) return [];
  const { evaluator } = config;
  const language = languageOf(evaluator);
  if (language !== undefined && hasDictionary(language)) await loadSegmenter(language);
  const programs = languageNames.find((name) => name === evaluator.language);
  if (evaluator.type !== 'code' || !programs) return [];
  const { notes } = await prepareLanguage(programs);
  return [notes];
}

const noScorer: Scorer = {
  metric: 'none',
  direction: 'higher',
  range: [0, 1],
  score: () => unscored('no evaluator'),
};

function goldCleaner(located: readonly LocatedComponent[]): (gold: unknown, row: Row) => unknown {
  const extractorsOf = buildExtractors(located);
  const clean = (gold: unknown, row: Row): unknown => {
    if (Array.isArray(gold)) return gold.flatMap((item) => clean(item, row) ?? []);
    return isMissing(gold)
      ? undefined
      : runChain(extractorsOf(row), formatValue(gold)).found?.value;
  };
  return clean;
}
