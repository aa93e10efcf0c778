import { ModelError } from '../../errors.ts';
import { besideRow } from '../../evaluation/key.ts';
import type { LoglikelihoodText } from '../../model/loglikelihood.ts';
import type { GenerateRequest, Model } from '../../model/model.ts';
import type { ForeignEvaluation, MeasuredText } from './foreign-results.ts';

/** The column that holds the answer of a row. */
export const answerColumn = `${besideRow}answer`;

/** A model that says again what another harness recorded of it. Nothing is asked. */
export function recordedModel(name: string, evaluations: readonly ForeignEvaluation[]): Model {
  const measured = measuredByRow(evaluations);
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
      encode: ({ texts, id }) => JSON.stringify({ id, texts }),
      measure: async ({ texts, id }) => ({
        totalMs: 0,
        logprobs: texts.map(({ text, from }) => {
          const rows = measured.get(Number(id)) ?? [];
          // Rows of several datasets have one number: theirs is the one that has all the texts.
          const row = rows.find((one) => texts.every((each) => foundIn(one, each))) ?? rows[0];
          const found = row && foundIn(row, { text, from });
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

type MeasuredTexts = ReadonlyMap<string, MeasuredText>;

/** What was measured of the rows of each number. */
function measuredByRow(
  evaluations: readonly ForeignEvaluation[],
): ReadonlyMap<number, readonly MeasuredTexts[]> {
  const found = new Map<number, MeasuredTexts[]>();
  for (const { rows } of evaluations) {
    for (const [id, { measured }] of rows.entries()) {
      if (!measured) continue;
      const own = new Map(measured.map((one) => [placed(one), one]));
      found.set(id, [...(found.get(id) ?? []), own]);
    }
  }
  return found;
}

function foundIn(row: MeasuredTexts, { text, from }: LoglikelihoodText): MeasuredText | undefined {
  return row.get(placed({ text, from })) ?? row.get(placed({ text }));
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
