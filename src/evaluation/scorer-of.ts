import { contentHash } from '../base/content-hash.ts';
import type { Compat } from '../compat/compat.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { CompileOptions, ScorerConfig } from '../score/build-scorer.ts';
import { openScorer } from '../score/open-scorer.ts';
import type { Scorer } from '../score/scorer.ts';
import { openedThought, type Thinking } from '../score/split-answer.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';

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
  if (!evalCfg && inferencer === 'PPLOnlyInferencer') {
    return (await import('../score/perplexity-scorer.ts')).perplexityScorer;
  }
  if (!evalCfg) return openScorer(evalCfg, options);
  try {
    if (compat === undefined) return await openScorer(evalCfg, options);
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

interface Thinks {
  readonly row: PositionedRow | undefined;
  readonly thinking: Thinking | undefined;
}

/** What decides which part of a reply is thought, where anything but its own marks does. */
export function thoughtRules(
  prompts: EvaluationPrompts,
  { row, thinking }: Thinks,
): readonly unknown[] {
  const prompt = row && firstPrompt(prompts, row);
  const opened = prompt && openedThought(prompt, thinking);
  return thinking || opened !== undefined ? [{ thinking, opened }] : [];
}

/** What a row is asked first; nothing where it has to be made ready for that. */
function firstPrompt(prompts: EvaluationPrompts, row: PositionedRow): Prompt | undefined {
  try {
    if (prompts.prepare || prompts.labels) return undefined;
    return prompts.turnsOf ? prompts.turnsOf(row)[0] : prompts.promptOf(row).prompt;
  } catch {
    // A row that cannot be asked about says so where it is asked.
    return undefined;
  }
}
