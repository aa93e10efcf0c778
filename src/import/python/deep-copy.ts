import { MutableDict, PyObject, PyTuple, type PyValue } from '../../python/values.ts';
import { ConfigDict } from './config-dict.ts';
import { raise, spendItems } from './machine.ts';
import {
  DefaultDict,
  OrderedDict,
  PyFile,
  PyIterator,
  PyModule,
  PyReference,
  PySet,
} from './objects.ts';

/** `copy.deepcopy(value)`: what is shared inside stays shared. */
export function deepCopy(value: PyValue, copies = new Map<object, PyValue>()): PyValue {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    spendItems(value.length);
    const list: PyValue[] = [];
    copies.set(value, list);
    for (const item of value as PyValue[]) list.push(deepCopy(item, copies));
    return list;
  }
  if (value instanceof MutableDict) {
    spendItems(value.size);
    const dict = emptyLike(value);
    copies.set(value, dict);
    for (const [key, item] of value.live()) dict.set(deepCopy(key, copies), deepCopy(item, copies));
    return dict;
  }
  if (value instanceof PyTuple) {
    const items = value.items.map((item) => deepCopy(item, copies));
    const isSame = items.every((item, index) => item === value.items[index]);
    const copy = isSame ? value : new PyTuple(items);
    copies.set(value, copy);
    return copy;
  }
  return value instanceof PyObject ? copyObject(value, copies) : value;
}

function emptyLike(dict: MutableDict): MutableDict {
  if (dict instanceof ConfigDict) return new ConfigDict([]);
  if (dict instanceof OrderedDict) return new OrderedDict([]);
  if (dict instanceof DefaultDict) return new DefaultDict(dict.factory, []);
  return new MutableDict([]);
}

function copyObject(value: PyObject, copies: Map<object, PyValue>): PyValue {
  if (value instanceof PySet)
    return new PySet(
      value.items().map((item) => deepCopy(item, copies)),
      value,
    );
  if (value instanceof PyReference) {
    const copy = value.copy();
    copies.set(value, copy);
    return copy;
  }
  if (value instanceof PyIterator || value instanceof PyFile || value instanceof PyModule) {
    raise('TypeError', `cannot pickle '${value.type}' object`);
  }
  return value;
}
