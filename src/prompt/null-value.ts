import { DataError } from '../errors.ts';

/** Nothing is no text: whoever wrote the template did not mean the word. */
export function nullValue(column: string): DataError {
  return new DataError('data.null_value', `\`${column}\` is null, and would be sent as a text`, {
    hint: 'Give it a text, if only an empty one, or leave the row out with `--where`.',
  });
}
