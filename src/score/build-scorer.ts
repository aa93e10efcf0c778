import type { ConfigPath } from '../errors.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import {
  buildComponent,
  type Component,
  type Components,
  checkKeys,
  type LocatedComponent,
  locateAll,
  optionColumns,
} from './component/component.ts';
import { createScorer } from './create-scorer.ts';
import type { EvaluatorTypes, ScoringParts } from './evaluators/scoring-parts.ts';
import { runChain } from './extract/extractor.ts';
import { buildExtractors, type ExtractorBuilders } from './extract/postprocessors.ts';
import { isMissing, noEvaluator, unscored } from './row-score.ts';
import type { ReadColumn, Scorer } from './scorer.ts';

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
  readonly onlyJudge?: ScoringParts['onlyJudge'];
  readonly embedWith?: ScoringParts['embedWith'];
  /** Metrics are exactly those of the packages that other systems use. */
  readonly asOriginal?: ScoringParts['asOriginal'];
  /** The texts that questions begin with in the prompts. */
  readonly openings?: readonly string[] | undefined;
  /** Post-processors in place of ours. */
  readonly postprocessors?: ExtractorBuilders | undefined;
}

/** The scorer of an `eval_cfg` whose evaluator is among those given. */
export function buildScorer(
  config: ScorerConfig,
  evaluators: EvaluatorTypes,
  options: CompileOptions = {},
): Scorer {
  const { source = [], judgeNamed, onlyJudge, embedWith } = options;
  const { openings, asOriginal, postprocessors } = options;
  const path = [...source, 'eval_cfg'];
  const locate = (key: string, components: Components | undefined) =>
    components && locateAll(components, [...path, key]);
  const predPostprocessor = locate('pred_postprocessor', config.predPostprocessor);
  const datasetPostprocessor = locate('dataset_postprocessor', config.datasetPostprocessor);
  const extractorsOf = predPostprocessor && buildExtractors(predPostprocessor, postprocessors);
  const cleanGold = datasetPostprocessor && goldCleaner(datasetPostprocessor, postprocessors);
  const parts: ScoringParts = {
    extractorsOf,
    cleanGold,
    judgeNamed,
    onlyJudge,
    embedWith,
    asOriginal,
  };
  const build = (evaluator: LocatedComponent, buildInner?: ScoringParts['buildInner']): Scorer => {
    const built = buildComponent(evaluators, asCheck(evaluator), { ...parts, buildInner });
    const located = [evaluator, ...(predPostprocessor ?? []), ...(datasetPostprocessor ?? [])];
    const columns = located.flatMap(optionColumns);
    if ('score' in built) return { ...built, columns: withColumns(built, columns) };
    const { methodOf, ...metrics } = built;
    const scorer = createScorer({
      ...metrics,
      methodOf: extractorsOf
        ? (row) => ({ ...methodOf(row), extractors: extractorsOf(row), readsBegun: false })
        : methodOf,
      cleanGold,
      openings,
    });
    return { ...scorer, columns };
  };
  return build({ component: config.evaluator, path: [...path, 'evaluator'] }, build);
}

/** An evaluator may be written as a check, but for a list of them. */
function asCheck(located: LocatedComponent): LocatedComponent {
  return located.component.type === 'checks' ? located : { ...located, otherKeys: checkKeys };
}

function withColumns(
  { columns = [] }: Pick<Scorer, 'columns'>,
  ofOptions: readonly ReadColumn[],
): Scorer['columns'] {
  if (columns === 'any') return columns;
  const all = [...ofOptions, ...columns];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

function goldCleaner(
  located: readonly LocatedComponent[],
  types: ExtractorBuilders | undefined,
): (gold: unknown, row: Row) => unknown {
  const extractorsOf = buildExtractors(located, types);
  const clean = (gold: unknown, row: Row): unknown => {
    if (Array.isArray(gold)) return gold.flatMap((item) => clean(item, row) ?? []);
    return isMissing(gold)
      ? undefined
      : runChain(extractorsOf(row), formatValue(gold)).found?.value;
  };
  return clean;
}

/** Leaves all rows unscored. */
export const noScorer: Scorer = {
  metric: 'none',
  direction: 'higher',
  range: [0, 1],
  score: () => unscored(noEvaluator),
};
