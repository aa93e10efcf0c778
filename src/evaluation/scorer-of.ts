import type { Flavour } from '../compat/prompt/flavour.ts';
import { type CompileOptions, compileScorer, type ScorerConfig } from '../score/compile-scorer.ts';
import type { Scorer } from '../score/scorer.ts';

/** What of a dataset says how it is scored. */
export interface ScoringSettings {
  readonly evalCfg?: ScorerConfig | undefined;
  readonly inferencer?: string | undefined;
  readonly compat?: Flavour | undefined;
}

/** The scorer of a task. Without an evaluator, texts that are only measured have their perplexity. */
export async function scorerOf(
  { evalCfg, inferencer, compat }: ScoringSettings,
  options: CompileOptions = {},
): Promise<Scorer> {
  if (!evalCfg && inferencer === 'PPLOnlyInferencer') {
    return (await import('../score/perplexity-scorer.ts')).perplexityScorer;
  }
  if (!evalCfg || compat === undefined) return compileScorer(evalCfg, options);
  const { compileCompatScorer } = await import('../compat/scoring/compile-compat-scorer.ts');
  return compileCompatScorer(evalCfg, { ...options, compat });
}
