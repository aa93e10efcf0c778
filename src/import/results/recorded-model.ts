import { ModelError } from '../../errors.ts';
import { besideRow } from '../../evaluation/key.ts';
import type { GenerateRequest, Model } from '../../model/model.ts';
import type { ForeignEvaluation } from './foreign-results.ts';

/** The column that holds the answer of a row. */
export const answerColumn = `${besideRow}answer`;

/** A model that says again what another harness recorded of it. Nothing is asked. */
export function recordedModel(name: string, evaluations: readonly ForeignEvaluation[]): Model {
  const all = evaluations.flatMap(({ rows }) => rows.flatMap((row) => row.measured ?? []));
  const measured = new Map(all.map((one) => [placed(one), one]));
  return {
    name,
    // Likelihoods are of plain text.
    takes:
      measured.size === 0 && evaluations.some(({ isSpoken }) => isSpoken) ? 'messages' : 'text',
    abilities: new Set(['generate', 'loglikelihood', 'next-token']),
    identity: { type: 'recorded', name },
    target: { to: 'recorded answers' },
    encode: ({ prompt, id, seed }) => JSON.stringify({ id, prompt, seed }),
    generate: async ({ row, part }) => ({
      text: answerIn(row?.[answerColumn], part),
      finishReason: 'stop',
      totalMs: 0,
    }),
    loglikelihoodModel: {
      encode: ({ texts }) => JSON.stringify(texts),
      measure: async ({ texts }) => ({
        totalMs: 0,
        logprobs: texts.map(({ text, from }) => {
          const found = measured.get(placed({ text, from })) ?? measured.get(placed({ text }));
          if (!found) throw notRecorded(text);
          const { value, greedy, skipped } = found;
          return {
            starts: skipped === undefined ? [from] : [from, from + skipped],
            values: skipped === undefined ? [value] : [null, value],
            ...(greedy !== undefined && { likeliest: [greedy] }),
          };
        }),
      }),
    },
    close: async () => undefined,
  };
}

/** A text may be measured after several contexts. */
function placed({ text, from }: { readonly text: string; readonly from?: number | undefined }) {
  return `${from ?? ''}\0${text}`;
}

/** The answer, or that of a sample. */
function answerIn(recorded: unknown, part: GenerateRequest['part']): string {
  const answer: unknown = Array.isArray(recorded) ? recorded[(part?.name ?? 1) - 1] : recorded;
  return String(answer ?? '');
}

function notRecorded(text: string): ModelError {
  const shown = text.length > 60 ? `…${text.slice(-60)}` : text;
  return new ModelError(
    'results.not_recorded',
    `nothing is recorded for the text ${JSON.stringify(shown)}`,
    {
      retryable: false,
    },
  );
}
