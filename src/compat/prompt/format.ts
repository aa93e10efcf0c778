import type { Origin, RowId } from '../../prompt/origin.ts';
import { CompatError } from '../../python/compat-error.ts';
import { noAttribute } from '../../python/operators.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import { positionOf, replaceText, shotOf, toTraced, traceText } from '../../python/traced-text.ts';
import { isText, type PyDict, type PyValue } from '../../python/values.ts';

/** The row that fills a template. */
export interface Filling {
  readonly entry: PyDict;
  readonly row: RowId;
  /** Number of the example that the row is. */
  readonly shot?: number | undefined;
  /** The column whose value stands for the hidden answer. */
  readonly maskedField?: string | undefined;
}

/**
 * Fills fields one after the other, in the order of the row: a value that contains the placeholder
 * of a later column is filled again, and unknown placeholders stay.
 */
export function safeFormat(value: PyValue, filling: Filling): PyValue {
  const { entry } = filling;
  checkKeywords(entry, { call: 'safe_format()', parameter: 'input_str' });
  if (entry.size === 0) return value;
  if (!isText(value)) throw noAttribute(value, 'replace');
  let text = toTraced(value);
  for (const [key, item] of entry.entries()) {
    const field = pyStr(key);
    const placeholder = `{${field}}`;
    if (!text.text.includes(placeholder)) continue;
    const filled = pyStr(item);
    text = replaceText(text, {
      needle: placeholder,
      replacement: (replaced) => traceText(filled, originOfField({ field, filling, replaced })),
    });
  }
  return text;
}

/** The errors of Python's `call(**fields)` when a row has columns that cannot be arguments. */
export function checkKeywords(
  entry: PyDict,
  { call, parameter }: { readonly call: string; readonly parameter: string },
): void {
  const odd = entry.keys().find((key) => !isText(key));
  if (odd !== undefined) {
    throw new CompatError({
      type: 'TypeError',
      message: 'keywords must be strings',
      what: `the row has a column whose name is not a string: ${pyRepr(odd)}`,
      hint: 'rename the column',
    });
  }
  if (entry.has(parameter)) {
    throw new CompatError({
      type: 'TypeError',
      message: `${call} got multiple values for argument '${parameter}'`,
      what: `the row has a column named "${parameter}", which the original does not accept`,
      hint: 'rename the column',
    });
  }
}

/** Where the text of a column comes from that took the place of template text. */
export function originOfField(options: {
  readonly field: string;
  readonly filling: Filling;
  readonly replaced: Origin;
}): Origin {
  const { field, filling, replaced } = options;
  const at = positionOf(replaced);
  if (field === filling.maskedField) return { type: 'mask', field, at };
  const shot = filling.shot ?? shotOf(replaced);
  return {
    type: 'field',
    field,
    row: filling.row,
    at,
    ...(shot === undefined ? {} : { shot }),
  };
}
