import { isTruthy, type PyValue, typeName } from '../../python/values.ts';
import { raise, spendSteps } from './machine.ts';
import { PyCallable, PySet } from './objects.ts';
import { compare, toList } from './operations.ts';
import { given } from './signature.ts';

/** Calls something that may not be callable. */
export function callValue(value: PyValue, ...args: PyValue[]): PyValue {
  if (value instanceof PyCallable) return value.call(given(...args));
  return raise('TypeError', `'${typeName(value)}' object is not callable`);
}

/** `sorted(items, key=…, reverse=…)` */
export function sortItems(
  items: PyValue,
  { key, reverse }: { readonly key: PyValue | undefined; readonly reverse: PyValue | undefined },
): PyValue[] {
  const list = toList(items instanceof PySet ? items.items() : items);
  spendSteps(list.length * Math.ceil(Math.log2(list.length + 2)));
  const keyed = list.map((item) => ({
    item,
    by: key === undefined || key === null ? item : callValue(key, item),
  }));
  const sign = reverse !== undefined && isTruthy(reverse) ? -1 : 1;
  return keyed
    .sort((left, right) => sign * (compare(left.by, right.by) || 0))
    .map(({ item }) => item);
}
