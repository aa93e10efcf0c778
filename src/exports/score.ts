export type { CompileOptions, ScorerConfig } from '../score/build-scorer.ts';
export { type CircularSettings, circular, type RowExpansion } from '../score/circular/circular.ts';
export { type RotationSettings, rotateRow } from '../score/circular/rotate-row.ts';
export { type CodeSettings, createCodeScorer } from '../score/code/code-scorer.ts';
export {
  type Compared,
  type Comparison,
  contains,
  exact,
  type NumberOptions,
  numberEqual,
  oneOf,
  type TextOptions,
} from '../score/compare/compare.ts';
export { compileScorer } from '../score/compile-scorer.ts';
export type { Component } from '../score/component/component.ts';
export { createScorer } from '../score/create-scorer.ts';
export type {
  DetailedScore,
  FunctionInput,
  FunctionScore,
  ScoreFunction,
} from '../score/evaluators/function-evaluator.ts';
export { type CodeBlockSettings, codeBlock } from '../score/extract/code-block.ts';
export {
  type ChainResult,
  type Extraction,
  type Extractor,
  runChain,
  within,
} from '../score/extract/extractor.ts';
export { type JsonPath, jsonValue, parseJsonPath } from '../score/extract/json-extractor.ts';
export { afterMarker, boxed } from '../score/extract/marked-answer.ts';
export { firstNumber, lastNumber } from '../score/extract/number-extractors.ts';
export { choiceText, firstOption, lastOption } from '../score/extract/option-extractors.ts';
export type { Option } from '../score/extract/option-texts.ts';
export { firstLine, lastLine, regex, trimmed } from '../score/extract/text-extractors.ts';
export {
  type Ask,
  createJudgeScorer,
  type JudgeModel,
  type JudgeSettings,
  type SingleJudgeSettings,
} from '../score/judge/judge-scorer.ts';
export { createPairwiseScorer, type PairwiseSettings } from '../score/judge/pairwise-scorer.ts';
export type { Verdict } from '../score/judge/read-verdict.ts';
export { mathEqual } from '../score/math/math-equal.ts';
export { type BleuOptions, bleu, type Smoothing } from '../score/metrics/bleu.ts';
export type { BleuTokenizer } from '../score/metrics/bleu-tokenizers.ts';
export { type ChrfOptions, chrf } from '../score/metrics/chrf.ts';
export {
  characterErrorRate,
  countEdits,
  editDistance,
  editSimilarity,
} from '../score/metrics/edit-distance.ts';
export {
  countLabels,
  type LabelCounts,
  type LabelOptions,
  type LabelPair,
} from '../score/metrics/label-counts.ts';
export {
  accuracy,
  balancedAccuracy,
  f1,
  type LabelMetric,
  macroF1,
  macroPrecision,
  macroRecall,
  matthewsCorrelation,
  microF1,
  precision,
  recall,
  weightedF1,
} from '../score/metrics/label-metrics.ts';
export {
  type AnswerPair,
  type CorpusMetric,
  corpusScore,
  type MetricTraits,
  type TextMetric,
} from '../score/metrics/metric.ts';
export { rocAuc, type ScoredCase } from '../score/metrics/roc-auc.ts';
export {
  type OverlapScore,
  type RougeInput,
  type RougeOptions,
  type RougeVariant,
  rouge,
  rougeScore,
} from '../score/metrics/rouge.ts';
export { type TerOptions, ter } from '../score/metrics/ter.ts';
export { type TokenOptions, tokenF1, tokenMatch } from '../score/metrics/token-f1.ts';
export { prepareScorer } from '../score/open-scorer.ts';
export { perplexityScorer } from '../score/perplexity-scorer.ts';
export { combineSamples, type RepeatSettings } from '../score/repeats/combine-samples.ts';
export { type ConsensusSettings, consensusAtK, type TieRule } from '../score/repeats/consensus.ts';
export { type Attempts, passAtK, passHatK } from '../score/repeats/pass-at-k.ts';
export { meanOfRounds } from '../score/repeats/rounds.ts';
export { type Vote, voteAnswers } from '../score/repeats/vote.ts';
export { isRight, rowTraits } from '../score/row-score.ts';
export type {
  DatasetMetric,
  RowScore,
  Scored,
  ScoreInput,
  Scorer,
  ScorerMetrics,
  ScorerSettings,
  ScoringMethod,
} from '../score/scorer.ts';
export { loadSegmenter, type Segmenter } from '../score/segment/segmenter.ts';
export {
  type AnswerParts,
  splitAnswer,
  type Thinking,
  type ThoughtContext,
} from '../score/split-thought.ts';
