export { type CircularSettings, circular, type RowExpansion } from './circular/circular.ts';
export { type RotationSettings, rotateRow } from './circular/rotate-row.ts';
export { type CodeSettings, createCodeScorer } from './code/code-scorer.ts';
export {
  type Compared,
  type Comparison,
  contains,
  exact,
  type NumberOptions,
  numberEqual,
  oneOf,
  type TextOptions,
} from './compare.ts';
export {
  type CompileOptions,
  compileScorer,
  prepareScorer,
  type ScorerConfig,
} from './compile-scorer.ts';
export type { Component } from './component-options.ts';
export { choiceText } from './extract/choice-text.ts';
export { type CodeBlockSettings, codeBlock } from './extract/code-block.ts';
export { jsonValue } from './extract/json-extractor.ts';
export { type JsonPath, parseJsonPath } from './extract/json-path.ts';
export {
  type ChainResult,
  type Extraction,
  type Extractor,
  runChain,
  within,
} from './extractor.ts';
export type { FunctionInput, FunctionScore, ScoreFunction } from './function-scorer.ts';
export {
  type Ask,
  createJudgeScorer,
  type JudgeModel,
  type JudgeSettings,
  type SingleJudgeSettings,
} from './judge/judge-scorer.ts';
export { createPairwiseScorer, type PairwiseSettings } from './judge/pairwise-scorer.ts';
export type { Verdict } from './judge/verdict.ts';
export { mathEqual } from './math/math-equal.ts';
export { type BleuOptions, bleu, type Smoothing } from './metrics/bleu.ts';
export type { BleuTokenizer } from './metrics/bleu-tokenizers.ts';
export { type ChrfOptions, chrf } from './metrics/chrf.ts';
export {
  characterErrorRate,
  countEdits,
  editDistance,
  editSimilarity,
} from './metrics/edit-distance.ts';
export {
  countLabels,
  type LabelCounts,
  type LabelOptions,
  type LabelPair,
} from './metrics/label-counts.ts';
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
} from './metrics/label-metrics.ts';
export {
  type AnswerPair,
  type CorpusMetric,
  corpusScore,
  type MetricTraits,
  type TextMetric,
} from './metrics/metric.ts';
export { rocAuc, type ScoredCase } from './metrics/roc-auc.ts';
export {
  type OverlapScore,
  type RougeInput,
  type RougeOptions,
  type RougeVariant,
  rouge,
  rougeScore,
} from './metrics/rouge.ts';
export { type TerOptions, ter } from './metrics/ter.ts';
export { type TokenOptions, tokenF1, tokenMatch } from './metrics/token-f1.ts';
export { firstNumber, lastNumber } from './number-extractors.ts';
export { firstOption, lastOption } from './option-extractors.ts';
export type { Option } from './option-texts.ts';
export { perplexityScorer } from './perplexity-scorer.ts';
export { combineSamples, type RepeatSettings } from './repeats/combine-samples.ts';
export { type ConsensusSettings, consensusAtK, type TieRule } from './repeats/consensus.ts';
export { type Attempts, passAtK, passHatK } from './repeats/pass-at-k.ts';
export { meanOfRounds } from './repeats/rounds.ts';
export { type Vote, voteAnswers } from './repeats/vote.ts';
export {
  createScorer,
  isRight,
  type RowScore,
  rowTraits,
  type Scored,
  type ScoreInput,
  type Scorer,
  type ScorerMetrics,
  type ScorerSettings,
  type ScoringMethod,
  type Whole,
} from './scorer.ts';
export { loadSegmenter, type Segmenter } from './segment/segmenter.ts';
export { type AnswerParts, splitAnswer } from './split-answer.ts';
export { afterMarker, boxed, firstLine, lastLine, regex, trimmed } from './text-extractors.ts';
