import { Float } from '../prompt/values.ts';
import { CompatError } from './compat-error.ts';
import { plainText, type Text, TracedText } from './traced-text.ts';

/** A Python value. Whole numbers are `int`, other numbers and `Float` are `float`. */
export type PyValue =
  | null
  | boolean
  | number
  | bigint
  | Float
  | Text
  | readonly PyValue[]
  | PyTuple
  | PyDict
  | PromptList
  | PyObject;

export class PyTuple {
  readonly items: readonly PyValue[];
  constructor(items: readonly PyValue[]) {
    this.items = items;
  }
}

/** The list subclass that carries a prompt between template and model. */
export class PromptList {
  readonly items: readonly PyValue[];
  constructor(items: readonly PyValue[]) {
    this.items = items;
  }
}

/** A value that has a type and a `repr` but that no rule looks into, such as a function. */
export class PyObject {
  readonly type: string;
  readonly repr: () => string;
  constructor(type: string, repr: () => string) {
    this.type = type;
    this.repr = repr;
  }

  /** `bool(value)` */
  get isTruthy(): boolean {
    return true;
  }

  /** `value == other` */
  equals(other: PyValue): boolean {
    return this === other;
  }

  /** What stands for the value as a key; throws where it cannot be one. */
  get asKey(): unknown {
    return this;
  }
}

/** An ordered dict with Python's idea of equal keys: `1`, `1.0` and `True` are one key. */
export class PyDict {
  /** Values by what their keys are kept by, which is the key itself for texts. */
  protected readonly items = new Map<unknown, PyValue>();
  /** The keys that are no plain texts. */
  protected odd: Map<unknown, PyValue> | undefined;

  constructor(entries: Iterable<readonly [PyValue, PyValue]>) {
    for (const [key, value] of entries) this.put(key, value);
  }

  protected put(key: PyValue, value: PyValue): void {
    if (typeof key === 'string') {
      this.items.set(key, value);
      return;
    }
    const place = placeOf(key);
    if (!this.items.has(place)) {
      this.odd ??= new Map();
      this.odd.set(place, key);
    }
    this.items.set(place, value);
  }

  /** The name of its class. */
  get type(): string {
    return 'dict';
  }

  get size(): number {
    return this.items.size;
  }

  get(key: PyValue): PyValue | undefined {
    return this.items.get(typeof key === 'string' ? key : placeOf(key));
  }

  has(key: PyValue): boolean {
    return this.items.has(typeof key === 'string' ? key : placeOf(key));
  }

  keys(): PyValue[] {
    return this.odd === undefined
      ? ([...this.items.keys()] as PyValue[])
      : this.entries().map(([key]) => key);
  }

  values(): PyValue[] {
    return [...this.items.values()];
  }

  entries(): (readonly [PyValue, PyValue])[] {
    return [...this.live()];
  }

  /** The entries as they are while one looks at them. */
  live(): IterableIterator<readonly [PyValue, PyValue]> {
    return this.odd === undefined
      ? (this.items.entries() as IterableIterator<readonly [PyValue, PyValue]>)
      : this.#withOddKeys();
  }

  *#withOddKeys(): Generator<readonly [PyValue, PyValue]> {
    for (const [place, value] of this.items) {
      const key = this.odd?.get(place);
      yield [key === undefined ? (place as string) : key, value];
    }
  }

  /** A copy with these entries added: a known key keeps its position, a new one goes last. */
  merge(entries: Iterable<readonly [PyValue, PyValue]>): PyDict {
    return new PyDict([...this.entries(), ...entries]);
  }

  with(key: PyValue, value: PyValue): PyDict {
    return this.merge([[key, value]]);
  }
}

/** A dict that can be changed. */
export class MutableDict extends PyDict {
  set(key: PyValue, value: PyValue): void {
    this.put(key, value);
  }

  /** Whether there was such a key. */
  delete(key: PyValue): boolean {
    const place = typeof key === 'string' ? key : placeOf(key);
    this.odd?.delete(place);
    return this.items.delete(place);
  }

  clear(): void {
    this.items.clear();
    this.odd = undefined;
  }
}

export function isText(value: PyValue | undefined): value is Text {
  return typeof value === 'string' || value instanceof TracedText;
}

/** Whether `isinstance(value, list)` holds, which it does for a `PromptList` too. */
export function isList(value: PyValue | undefined): value is readonly PyValue[] | PromptList {
  return Array.isArray(value) || value instanceof PromptList;
}

export function listItems(list: readonly PyValue[] | PromptList): readonly PyValue[] {
  return list instanceof PromptList ? list.items : list;
}

export function isTruthy(value: PyValue): boolean {
  if (value instanceof TracedText) return value.text !== '';
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof PyDict) return value.size > 0;
  if (value instanceof PyTuple) return value.items.length > 0;
  if (isList(value)) return listItems(value).length > 0;
  if (value instanceof PyObject) return value.isTruthy;
  return Boolean(value) || Number.isNaN(value);
}

export function typeName(value: PyValue): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (value instanceof Float) return 'float';
  if (value instanceof PyDict) return value.type;
  if (value instanceof PyTuple) return 'tuple';
  if (value instanceof PromptList) return 'PromptList';
  if (value instanceof PyObject) return value.type;
  return isText(value) ? 'str' : 'list';
}

/** The number that a bool, int or float stands for. */
export function numberOf(value: PyValue): number | bigint | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Float) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** What a key is kept by: the same for keys that Python takes as the same key. */
function placeOf(key: PyValue): unknown {
  if (isText(key)) return plainText(key);
  if (key === null) return null;
  const number = numberOf(key);
  if (number !== undefined) {
    if (typeof number === 'bigint') {
      const small = Number(number);
      return Number.isSafeInteger(small) ? small : number;
    }
    return Number.isSafeInteger(number) || !Number.isInteger(number) ? number : BigInt(number);
  }
  if (key instanceof PyObject) return key.asKey;
  return Symbol.for(hashKey(key));
}

/** A string that is the same for keys that Python takes as the same key. */
export function hashKey(key: PyValue): string {
  if (key === null) return 'None';
  if (isText(key)) return `s${plainText(key)}`;
  const number = numberOf(key);
  if (number !== undefined) {
    return Number.isInteger(number) ? `n${BigInt(number)}` : `n${number}`;
  }
  if (key instanceof PyTuple) return `t${JSON.stringify(key.items.map(hashKey))}`;
  if (key instanceof PyObject) return `o${identityOf(key)}`;
  throw new CompatError({
    type: 'TypeError',
    message: `unhashable type: '${typeName(key)}'`,
    what: `a ${typeName(key)} is used as a key or a label`,
    hint: 'use a string or a number',
  });
}

const identities = new WeakMap<object, number>();
let identityCount = 0;

function identityOf(object: PyObject): number {
  const key = object.asKey;
  const holder = typeof key === 'object' && key !== null ? key : object;
  const known = identities.get(holder);
  if (known !== undefined) return known;
  identities.set(holder, ++identityCount);
  return identityCount;
}
