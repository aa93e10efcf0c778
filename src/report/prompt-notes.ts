import { countOf, formatCount, oneLine } from '../base/format.ts';
import type { RunSummary, TaskResult } from '../run/summary.ts';

/** By which seeds examples were drawn: `Examples drawn by seed 7.` Nothing where none were. */
export function describeSeeds({ results }: Pick<RunSummary, 'results'>): string | undefined {
  const drawn = results.filter(({ seed }) => seed !== undefined);
  const seeds = new Map<number, string[]>();
  for (const { seed = 0, model, dataset } of drawn) {
    seeds.set(seed, [...(seeds.get(seed) ?? []), `${oneLine(model)} on ${oneLine(dataset)}`]);
  }
  const [first, ...others] = [...seeds];
  if (!first) return undefined;
  if (others.length === 0) return `Examples drawn with seed ${first[0]}.`;
  const parts = [first, ...others].map(([seed, tasks]) => `${seed} (${tasks.join(', ')})`);
  return `Examples drawn with seeds ${parts.join(', ')}.`;
}

/**
 * What did not fit into the context: `2 rows lost examples that do not fit into max_seq_len`. Empty
 * if all did.
 */
export function describeFit(
  fit: Pick<TaskResult, 'dropped' | 'tooLong' | 'estimatedLengths'>,
): string {
  const { dropped = 0, tooLong = 0, estimatedLengths } = fit;
  const parts = [
    ...(dropped > 0 ? [`${countOf(dropped, 'row')} lost examples to fit max_seq_len`] : []),
    ...(tooLong > 0 ? [tooLongText(tooLong)] : []),
  ];
  if (parts.length === 0) return '';
  return `${parts.join(', ')}${estimatedLengths ? ' (estimated: the model has no `tokenizer`)' : ''}`;
}

function tooLongText(rows: number): string {
  const verb = rows === 1 ? 'does' : 'do';
  return `${countOf(rows, 'row')} ${verb} not fit even without examples`;
}

/** `1,200 in, 40 out, 900 of those in from the server's cache`. */
export function describeTokens({ input, output, cachedInput }: TaskResult['tokens']): string {
  const cached =
    cachedInput === undefined ? '' : `; ${formatCount(cachedInput)} in from the server's cache`;
  return `${formatCount(input)} in, ${formatCount(output)} out${cached}`;
}

/** How much of what was sent the servers had in their caches; nothing where they do not say. */
export function cacheNote({ results }: Pick<RunSummary, 'results'>): string | undefined {
  const told = results.filter(({ tokens }) => tokens.cachedInput !== undefined);
  const cached = told.reduce((sum, { tokens }) => sum + (tokens.cachedInput ?? 0), 0);
  if (cached === 0) return undefined;
  const input = told.reduce((sum, { tokens }) => sum + tokens.input, 0);
  const share = Math.round((100 * cached) / Math.max(input, 1));
  return `Prefix cache: ${formatCount(cached)} of ${countOf(input, 'input token')} (${share}%) reused.`;
}
