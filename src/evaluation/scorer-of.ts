import { contentHash } from '../base/content-hash.ts';
import type { Compat } from '../compat/compat.ts';
import { entriesOf, getKey, isMapping } from '../prompt/mapping.ts';
import type { CompileOptions, ScorerConfig } from '../score/build-scorer.ts';
import { openScorer } from '../score/open-scorer.ts';
import type { Scorer } from '../score/scorer.ts';

/** What of a dataset says how it is scored. */
export interface ScoringSettings {
  readonly evalCfg?: ScorerConfig | undefined;
  readonly inferencer?: string | undefined;
  readonly compat?: Compat | undefined;
  /** The texts that questions begin with in its prompts. */
  readonly openings?: readonly string[] | undefined;
  /** Rows are dialogues, of which every turn is scored. */
  readonly isInTurns?: boolean | undefined;
}

/** The scorer of a task. Without an evaluator, texts that are only measured have their perplexity. */
export async function scorerOf(
  { evalCfg, inferencer, compat, openings, isInTurns }: ScoringSettings,
  options: CompileOptions = {},
): Promise<Scorer> {
  const settings = { evalCfg, inferencer, compat, openings };
  const ofRow = await openScorerOf(settings, { ...options, openings });
  const scorer = isInTurns && ofRow.datasetMetrics ? await pooled(ofRow) : ofRow;
  // Judges are asked, and functions of a config called, by the process that they belong to.
  return scorer.scoreLater ? scorer : { ...scorer, recipe: settings };
}

async function pooled(scorer: Scorer): Promise<Scorer> {
  return (await import('../score/repeats/pool-turns.ts')).pooledOverTurns(scorer);
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
    throw scoringProblems(evalCfg, { source: options.source ?? [], error, compat });
  }
}

/** What tells a scorer from another, as text; with what else its scores depend on. */
export function identifyScorer(
  { evalCfg, compat }: ScoringSettings,
  others: readonly unknown[] = [],
): string {
  return contentHash([evalCfg ?? null, compat ?? null, ...others]);
}

/** The templates of a dataset, as a config or the record of a run has them. */
export interface AskingTemplates {
  readonly iceTemplate?: { readonly config?: unknown } | undefined;
  readonly promptTemplate?: { readonly config?: unknown } | undefined;
}

/**
 * The texts that questions begin with in the prompts of a dataset: what stands before the first column in
 * its line. Columns alone, and single words that any sentence may begin with, say nothing.
 *
 * @example
 * openingsOf({ promptTemplate: { config: { template: 'Add.\n\nSum: {sum}\nResult:' } } }); // ['Sum:']
 */
export function openingsOf(inferCfg: AskingTemplates | undefined): readonly string[] {
  const configs = [inferCfg?.iceTemplate?.config, inferCfg?.promptTemplate?.config];
  const openings = configs.filter(isMapping).map((config) => {
    const iceToken = getKey(config, 'ice_token');
    const body = firstText(getKey(config, 'template') ?? getKey(config, 'messages')) ?? '';
    const text = typeof iceToken === 'string' ? (body.split(iceToken).at(-1) ?? '') : body;
    const [before = '', ...others] = text.split('{');
    return others.length === 0 ? '' : before.slice(before.lastIndexOf('\n') + 1).trim();
  });
  return [...new Set(openings)].filter(isTelling);
}

/** Whether a letter is followed by a space, or by a mark at the end. Two looks, because one pattern would try all pairs. */
function isTelling(opening: string): boolean {
  const letter = /\p{L}/u.exec(opening);
  return letter !== null && /\s|[:：)\]>]$/u.test(opening.slice(letter.index));
}

/** The first text with a column in it, of a template in any form. */
function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('{') ? value : undefined;
  const parts = Array.isArray(value)
    ? value
    : isMapping(value)
      ? entriesOf(value).map(([, one]) => one)
      : [];
  for (const part of parts) {
    const text = firstText(part);
    if (text !== undefined) return text;
  }
  return undefined;
}
