import { CompatError } from '../../python/compat-error.ts';
import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { splitWords } from '../../python/text.ts';
import { plainText } from '../../python/traced-text.ts';
import { isList, isText, isTruthy, listItems, PyDict, type PyValue } from '../../python/values.ts';

/** The columns that a `reader_cfg` names. */
export interface Reader {
  readonly inputColumns: readonly PyValue[];
  readonly outputColumn: string | null;
}

/** Checks `input_columns` and `output_column` as `DatasetReader` does. */
export function readReader(config: unknown): Reader {
  const settings = toPython(config);
  const get = (key: string): PyValue =>
    settings instanceof PyDict ? (settings.get(key) ?? null) : null;
  return {
    inputColumns: readInputColumns(get('input_columns')),
    outputColumn: readOutputColumn(get('output_column')),
  };
}

function readInputColumns(columns: PyValue): readonly PyValue[] {
  if (isList(columns)) return listItems(columns);
  if (isText(columns)) return splitWords(plainText(columns));
  throw new CompatError({
    type: 'TypeError',
    message: `Expected a List object, but got ${pyStr(columns)}`,
    what: `input_columns must be a list or a string of names, not ${pyStr(columns)}`,
    path: ['reader_cfg', 'input_columns'],
  });
}

function readOutputColumn(column: PyValue): string | null {
  if (!isTruthy(column)) return null;
  if (isText(column)) return plainText(column);
  throw new CompatError({
    type: 'TypeError',
    message: `Expected a str object, but got ${pyStr(column)}`,
    what: `output_column must be a string, not ${pyStr(column)}`,
    path: ['reader_cfg', 'output_column'],
  });
}
