import { nearestName } from '../base/nearest-name.ts';
import { ModelError } from '../errors.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import { chooseRecorded, identifyPart, partName } from './choose-recorded.ts';
import type { Answer, GenerateRequest, Model } from './model.ts';
import { noUsage } from './usage.ts';

/**
 * A model whose answers stand in a column of the rows that it is asked about: one, or a list with
 * one for each turn or sample.
 */
export function columnModel(column: string, name: string): Model {
  const identifyRow = (row: Row) => JSON.stringify({ column, answer: row[column] ?? null });
  const recordedAnswer = (request: GenerateRequest): Answer => ({
    text: answerIn(column, request),
    finishReason: 'stop',
    usage: noUsage,
  });
  return {
    name,
    abilities: new Set(['generate']),
    identity: { type: 'replay', column },
    target: { to: `the column ${column}` },
    identifyRow,
    encode: ({ row = {}, part }) =>
      part
        ? JSON.stringify({ column, ...identifyPart(part), answer: row[column] ?? null })
        : identifyRow(row),
    recordedAnswer,
    async generate(request, { signal }) {
      signal.throwIfAborted();
      return { ...recordedAnswer(request), totalMs: 0 };
    },
    close: async () => undefined,
  };
}

function answerIn(column: string, { row = {}, part }: GenerateRequest): string {
  const value = row[column];
  const answer = chooseRecorded({
    answers: Array.isArray(value) ? value : [value],
    part,
    textOf: (answer) => formatValue(answer),
    holder: `\`${column}\` of the row`,
  });
  if (answer === undefined || answer === null) throw noAnswer(column, { row, part });
  if (typeof answer !== 'object') return formatValue(answer);
  throw notRecorded(
    `\`${column}\` of the row holds a ${Array.isArray(answer) ? 'list' : 'mapping'} instead of an answer`,
    'An answer is text; a list of texts has one answer per turn or sample.',
  );
}

function noAnswer(column: string, { row = {}, part }: Pick<GenerateRequest, 'row' | 'part'>) {
  if (!(column in row)) {
    const columns = Object.keys(row);
    const near = nearestName(column, columns);
    return notRecorded(
      `the row has no column \`${column}\``,
      `${near ? `Did you mean \`${near}\`? ` : ''}The row has ${columns.join(', ')}.`,
    );
  }
  const isNull = row[column] === null || row[column] === undefined;
  return notRecorded(
    `\`${column}\` ${isNull || !part ? 'of the row has no answer (null)' : `has no answer to ${partName(part)}`}`,
    isNull || !part
      ? 'If the model gave no answer, use empty text: "".'
      : 'Write a list with one answer per turn or sample.',
  );
}

function notRecorded(message: string, hint: string): ModelError {
  return new ModelError('model.not_recorded', message, { retryable: false, hint });
}
