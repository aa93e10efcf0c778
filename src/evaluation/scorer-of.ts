import { contentHash } from '../base/content-hash.ts';
import type { Compat } from '../compat/compat.ts';
import type { CompileOptions, ScorerConfig } from '../score/build-scorer.ts';
import { openScorer } from '../score/open-scorer.ts';
import type { Scorer } from '../score/scorer.ts';

/** What of a dataset says how it is scored. */
export interface ScoringSettings {
  readonly evalCfg?: ScorerConfig | undefined;
  readonly inferencer?: string | undefined;
  readonly compat?: Compat | undefined;
}

/** The scorer of a task. Without an evaluator, texts that are only measured have their perplexity. */
export async function scorerOf(
  { evalCfg, inferencer, compat }: ScoringSettings,
  options: CompileOptions = {},
): Promise<Scorer> {
  const scorer = await openScorerOf({ evalCfg, inferencer, compat }, options);
  // Judges are asked, and functions of a config called, by the process that they belong to.
  return scorer.scoreLater ? scorer : { ...scorer, recipe: { evalCfg, inferencer, compat } };
}

async function openScorerOf(
  { evalCfg, inferencer, compat }: ScoringSettings,
  options: CompileOptions,
): Promise<Scorer> {
  if (!evalCfg && inferencer === 'PPLOnlyInferencer') {
    return (await import('../score/perplexity-scorer.ts')).perplexityScorer;
  }
  if (!evalCfg) return openScorer(evalCfg, options);
  try {
    const isOwn = compat === undefined || evalCfg.evaluator.type === 'checks';
    if (isOwn) return await openScorer(evalCfg, options);
    const { openCompatScorer } = await import('../compat/scoring/open-compat-scorer.ts');
    return await openCompatScorer(evalCfg, { ...options, compat });
  } catch (error) {
    const { scoringProblems } = await import('./scoring-problems.ts');
    throw scoringProblems(evalCfg, { source: options.source ?? [], error });
  }
}

/** What tells a scorer from another, as text; with what else its scores depend on. */
export function identifyScorer(
  { evalCfg, compat }: ScoringSettings,
  others: readonly unknown[] = [],
): string {
  return contentHash([evalCfg ?? null, compat ?? null, ...others]);
}
