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
export { type CompileOptions, compileScorer, type ScorerConfig } from './compile-scorer.ts';
export type { Component } from './component-options.ts';
export {
  type ChainResult,
  type Extraction,
  type Extractor,
  runChain,
  within,
} from './extractor.ts';
export { firstNumber, lastNumber } from './number-extractors.ts';
export { firstOption, lastOption } from './option-extractors.ts';
export type { Option } from './option-texts.ts';
export { perplexityScorer } from './perplexity-scorer.ts';
export {
  createScorer,
  type RowScore,
  type ScoreInput,
  type Scorer,
  type ScorerSettings,
  type ScoringMethod,
} from './scorer.ts';
export { type AnswerParts, splitAnswer } from './split-answer.ts';
export { afterMarker, boxed, firstLine, regex, trimmed } from './text-extractors.ts';
