import { Float } from '../prompt/values.ts';
import { CompatError } from './compat-error.ts';
import { pyStr, reprFloat } from './repr.ts';
import { plainText } from './traced-text.ts';
import { isText, listItems, PyDict, PyTuple, type PyValue, typeName } from './values.ts';

/** What `json.dumps(value)` gives: everything outside ASCII escaped, `", "` and `": "` between. */
export function dumpJson(value: PyValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isText(value)) return dumpText(plainText(value));
  if (typeof value === 'number' && !Number.isInteger(value)) return dumpFloat(value);
  if (value instanceof Float) return dumpFloat(value.value);
  if (typeof value === 'number' || typeof value === 'bigint') return pyStr(value);
  if (value instanceof PyDict) {
    const entries = value.entries().map(([key, item]) => `${dumpKey(key)}: ${dumpJson(item)}`);
    return `{${entries.join(', ')}}`;
  }
  const items = value instanceof PyTuple ? value.items : listItems(value);
  return `[${items.map(dumpJson).join(', ')}]`;
}

function dumpText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function dumpFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  return reprFloat(value);
}

function dumpKey(key: PyValue): string {
  if (isText(key)) return dumpText(plainText(key));
  if (!(key instanceof PyTuple)) return `"${dumpJson(key)}"`;
  throw new CompatError({
    type: 'TypeError',
    message: `keys must be str, int, float, bool or None, not ${typeName(key)}`,
    what: 'a tuple is a key of a mapping that is written as JSON',
    hint: 'use a string as the key',
  });
}
