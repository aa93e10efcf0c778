import type { Query } from '../retrieve/index.ts';
import type { CombinedRow, CompositeInference, PartRequest, SingleInference } from './inference.ts';

interface SampleSettings {
  readonly count: number;
  readonly outputColumn: string | undefined;
  readonly combine: CompositeInference['combine'];
}

/** Asks each row several times, with seeds of their own, at once. */
export function repeatInference(
  { ask }: SingleInference,
  { count, outputColumn, combine }: SampleSettings,
): CompositeInference {
  const partsOf = (query: Query): PartRequest[] => {
    const { request, dropped, leak } = ask(query);
    const gold = outputColumn === undefined ? undefined : query.row[outputColumn];
    return Array.from({ length: count }, (_, seed) => ({
      name: seed + 1,
      request: request.type === 'generate' ? { ...request, seed } : request,
      dropped,
      leak,
      row: query.row,
      gold,
    }));
  };
  return {
    type: 'composite',
    identityOf: (query) => {
      const { request } = ask(query);
      const asked = request.type === 'generate' ? request.prompt : request.texts;
      return JSON.stringify({ samples: count, asked });
    },
    next: (query, answered) => (answered.length === 0 ? partsOf(query) : []),
    combine: (parts, query): CombinedRow => combine(parts, query),
  };
}
