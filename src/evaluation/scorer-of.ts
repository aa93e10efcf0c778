import type { Compat } from '../compat/compat.ts';
import { compileCompatScorer } from '../compat/scoring/compile-compat-scorer.ts';
import { type CompileOptions, compileScorer, type ScorerConfig } from '../score/compile-scorer.ts';
import { perplexityScorer } from '../score/perplexity-scorer.ts';
import type { Scorer } from '../score/scorer.ts';

/** What of a dataset says how it is scored. */
export interface ScoredTask {
  readonly evalCfg?: ScorerConfig | undefined;
  readonly inferencer?: string | undefined;
  readonly compat?: Compat | undefined;
}

/** The scorer of a task. Without an evaluator, texts that are only measured have their perplexity. */
export function scorerOf(
  { evalCfg, inferencer, compat }: ScoredTask,
  options: CompileOptions = {},
): Scorer {
  if (!evalCfg && inferencer === 'PPLOnlyInferencer') return perplexityScorer;
  if (!evalCfg || compat === undefined) return compileScorer(evalCfg, options);
  return compileCompatScorer(evalCfg, { ...options, compat });
}
