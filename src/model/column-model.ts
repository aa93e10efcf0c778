import { nearestName } from '../base/nearest-name.ts';
import { ModelError } from '../errors.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import type { Model } from './model.ts';

/** A model whose answers stand in a column of the rows that it is asked about. */
export function columnModel(column: string): Model {
  return {
    name: column,
    abilities: new Set(['generate']),
    identity: { type: 'replay', column },
    target: { to: `the column ${column}` },
    encode: ({ row = {} }) => JSON.stringify({ column, answer: row[column] ?? null }),
    async generate({ row = {} }, { signal }) {
      signal.throwIfAborted();
      const answer = row[column];
      if (answer === undefined || answer === null) throw noAnswer(column, row);
      return { text: formatValue(answer), finishReason: 'stop', totalMs: 0 };
    },
    close: async () => undefined,
  };
}

function noAnswer(column: string, row: Row): ModelError {
  if (column in row) {
    return new ModelError('model.not_recorded', `\`${column}\` of the row is empty`, {
      retryable: false,
      hint: 'A model that gave no answer is an empty text: "".',
    });
  }
  const columns = Object.keys(row);
  const near = nearestName(column, columns);
  return new ModelError('model.not_recorded', `the row has no column \`${column}\``, {
    retryable: false,
    hint: `${near ? `Did you mean \`${near}\`? ` : ''}The row has ${columns.join(', ')}.`,
  });
}
