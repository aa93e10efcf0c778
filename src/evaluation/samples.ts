import type { PositionedRow } from '../prompt/trace.ts';
import type { AskedRow, CompositeInference, SingleInference } from './inference.ts';

interface SampleSettings {
  readonly count: number;
  readonly outputColumn: string | undefined;
  readonly combine: CompositeInference['combine'];
}

/** Asks each row several times, with seeds of their own, at once. */
export function repeatInference(
  { ask, trace }: SingleInference,
  { count, outputColumn, combine }: SampleSettings,
): CompositeInference {
  const partsOf = <Asked extends AskedRow>(asked: Asked, { row }: PositionedRow) => {
    const { request } = asked;
    const gold = outputColumn === undefined ? undefined : row[outputColumn];
    return Array.from({ length: count }, (_, seed) => ({
      ...asked,
      kind: 'sample' as const,
      name: seed + 1,
      followsAnswers: false,
      request: request.type === 'generate' ? { ...request, seed } : request,
      row,
      gold,
    }));
  };
  return {
    type: 'composite',
    identityOf: (row) => {
      const { request } = ask(row);
      const asked = request.type === 'generate' ? request.prompt : request.texts;
      return JSON.stringify({ samples: count, asked });
    },
    next: (row, answers) => (answers.length === 0 ? partsOf(ask(row), row) : []),
    traceNext: (row, answers) => (answers.length === 0 ? partsOf(trace(row), row) : []),
    combine,
  };
}
