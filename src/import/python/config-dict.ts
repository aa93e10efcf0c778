import { isTruthy, MutableDict, PyDict, PyTuple, type PyValue } from '../../python/values.ts';
import { spendItems } from './machine.ts';
import { OrderedDict } from './objects.ts';

/** mmengine's dict with attributes: plain dicts and lists that are put into it are copied. */
export class ConfigDict extends MutableDict {
  override get type(): string {
    return 'ConfigDict';
  }

  override set(key: PyValue, value: PyValue): void {
    this.put(key, hook(value));
  }

  /** Puts in a value that needs no copy. */
  keep(key: PyValue, value: PyValue): void {
    this.put(key, value);
  }

  /** `update`: dicts are merged into dicts, at every level. */
  updateDeep(other: PyDict): void {
    for (const [key, value] of other.entries()) {
      const own = this.get(key);
      if (own instanceof ConfigDict && value instanceof PyDict) own.updateDeep(value);
      else if (own instanceof MutableDict && value instanceof PyDict) {
        for (const [name, item] of value.entries()) own.set(name, item);
      } else this.set(key, value);
    }
  }

  /** `copy`: lists are copied, dicts are not. */
  shallowCopy(): ConfigDict {
    const copy = new ConfigDict([]);
    for (const [key, value] of this.live()) copy.set(key, value);
    return copy;
  }
}

function isPlainDict(value: PyValue): value is PyDict {
  return value instanceof PyDict && (value.type === 'dict' || value instanceof OrderedDict);
}

/** What an attribute dict makes of a value that is put into it. */
export function hook(value: PyValue): PyValue {
  if (isPlainDict(value)) {
    spendItems(value.size);
    const dict = new ConfigDict([]);
    for (const [key, item] of value.entries()) dict.keep(key, hook(item));
    return dict;
  }
  if (Array.isArray(value)) {
    spendItems(value.length);
    return value.map(hook);
  }
  return value instanceof PyTuple ? new PyTuple(value.items.map(hook)) : value;
}

/** The copy of a loaded namespace that mmengine hands on: no two places share an object. */
export function toConfigDict(value: PyValue): PyValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof PyDict) {
    spendItems(value.size + 1);
    const dict = new ConfigDict([]);
    for (const [key, item] of value.live()) dict.keep(key, toConfigDict(item));
    return dict;
  }
  if (Array.isArray(value)) {
    spendItems(value.length + 1);
    const list = new Array<PyValue>(value.length);
    for (let index = 0; index < value.length; index++) list[index] = toConfigDict(value[index]);
    return list;
  }
  return value instanceof PyTuple ? new PyTuple(value.items.map(toConfigDict)) : value;
}

/** Counts what a config holds, as a copy without shared parts would; nothing may contain itself. */
export function measure(value: PyValue): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof PyDict) {
    spendItems(value.size + 1);
    for (const [, item] of value.live()) measure(item);
    return;
  }
  const items = Array.isArray(value)
    ? (value as PyValue[])
    : value instanceof PyTuple
      ? value.items
      : [];
  spendItems(items.length + 1);
  for (let index = 0; index < items.length; index++) measure(items[index] as PyValue);
}

/** `merge_a_into_b` of configs that name their bases in `_base_`. */
export function inherit(child: PyDict, base: PyDict): MutableDict {
  const merged = base instanceof ConfigDict ? base.shallowCopy() : new ConfigDict(base.entries());
  for (const [key, value] of child.entries()) {
    if (!(value instanceof PyDict)) {
      merged.set(key, value);
      continue;
    }
    const replaces = isTruthy(value.get('_delete_') ?? false);
    const own = new ConfigDict(value.entries());
    const old = merged.get(key);
    if (old === undefined || replaces) {
      if (old !== undefined) own.delete('_delete_');
      merged.set(key, hook(own));
    } else if (old instanceof PyDict) {
      own.delete('_delete_');
      merged.set(key, inherit(own, old));
    } else throw new TypeError(String(key));
  }
  return merged;
}
