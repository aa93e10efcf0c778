import { Float } from '../../prompt/values.ts';
import { fail } from '../../python/compat-error.ts';
import { pyRepr } from '../../python/repr.ts';
import { countCharacters } from '../../python/text.ts';
import {
  PyDict,
  PyObject,
  PyTuple,
  type PyValue,
  typeName as pyTypeName,
} from '../../python/values.ts';
import { spendCharacters, spendItems, spendWork } from './budget.ts';
import {
  type Arguments,
  classes,
  type DictValue,
  type ListValue,
  type TextValue,
  type Value,
} from './library.ts';
import { sizeOf, sliceText } from './text.ts';

type SequenceKind = 'range' | 'dict_keys' | 'dict_values' | 'dict_items' | 'generator';

/** A Python sequence that is neither list nor tuple. A generator can be read once. */
export class Sequence extends classes.List {
  readonly kind: SequenceKind;

  constructor(kind: SequenceKind, items: readonly Value[]) {
    spendItems(items.length);
    super([...items]);
    this.kind = kind;
  }

  override __bool__() {
    return { value: this.kind === 'generator' || this.value.length > 0 };
  }
}

export const none = new classes.None(null);
export const missing = new classes.Undefined(undefined);
/** A value that is not there, where using it is an error: only `default` and `is defined` take it. */
export class StrictMissing extends classes.Undefined {
  readonly name: string;

  constructor(name: string) {
    super(undefined);
    this.name = name;
  }

  override __bool__(): never {
    return this.refuse();
  }

  refuse(): never {
    return fail('UndefinedError', `${this.name} is undefined`);
  }
}

/** Refuses a value that is not there, where that is an error. */
export function requireValue(value: Value): void {
  if (value instanceof StrictMissing) value.refuse();
}

export const text = (value: string) => new classes.Text(value);
export const float = (value: number) => new classes.Float(value);
export const tuple = (items: readonly Value[]) => new classes.Tuple([...items]);

/** What operations give: a value of the library, or what can be made into one. */
export type Result = Value | string | number | boolean | null | undefined | readonly Result[];

const AnyValue = Object.getPrototypeOf(classes.Text) as new () => Value;

function isValue(input: object): input is Value {
  return input instanceof AnyValue;
}

/** Whole numbers too big for a double to be exact can only have been floats. */
function fromNumber(input: number): Value {
  return Number.isSafeInteger(input) ? new classes.Integer(input) : float(input);
}

/** Makes a value of the library out of JSON-like data; values of the library stay as they are. */
export function toValue(input: unknown): Value {
  switch (typeof input) {
    case 'string':
      return text(input);
    case 'number':
      return fromNumber(input);
    case 'boolean':
      return new classes.Boolean(input);
    case 'bigint':
      // Only printed, which works for any kind of number.
      return new classes.Integer(input as unknown as number);
    case 'object':
      break;
    default:
      return missing;
  }
  if (input === null) return none;
  if (isValue(input)) return input;
  if (input instanceof Float) return float(input.value);
  if (Array.isArray(input)) return new classes.List(input.map(toValue));
  const entries = input instanceof Map ? [...input] : Object.entries(input);
  const known = entries.filter(([, value]) => value !== undefined);
  return new classes.Dict(new Map(known.map(([key, value]) => [key, toValue(value)])));
}

export function isText(value: Value | undefined): value is TextValue {
  return value?.type === 'StringValue';
}
export function isList(value: Value | undefined): value is ListValue {
  return value?.type === 'ArrayValue' || value?.type === 'TupleValue';
}
export function isDict(value: Value | undefined): value is DictValue {
  return value?.type === 'ObjectValue' || value?.type === 'KeywordArgumentsValue';
}
export function isMissing(value: Value | undefined): boolean {
  return value === undefined || value.type === 'UndefinedValue' || value.type === 'NullValue';
}
export function truthy(value: Value | undefined): boolean {
  return value?.__bool__().value ?? false;
}

/** The number a value counts as in arithmetic (booleans do), or undefined. */
export function numeric(value: Value | undefined): number | undefined {
  switch (value?.type) {
    case 'IntegerValue':
    case 'FloatValue':
      return value.value;
    case 'BooleanValue':
      return value.value ? 1 : 0;
    default:
      return undefined;
  }
}

const opaqueTypes: Readonly<Partial<Record<Value['type'], string>>> = {
  FunctionValue: 'function',
  NamespaceValue: 'Namespace',
};

/** The value by which Python's rules print, compare and write it. */
export function asPython(value: Value): PyValue {
  spendItems(1);
  switch (value.type) {
    case 'NullValue':
    case 'BooleanValue':
    case 'IntegerValue':
    case 'StringValue':
      return value.value;
    case 'FloatValue':
      return new Float(value.value);
    case 'TupleValue':
      return new PyTuple(value.value.map(asPython));
    case 'ArrayValue':
      if (!(value instanceof Sequence)) return value.value.map(asPython);
      return new PyObject(value.kind, () => reprSequence(value));
    case 'ObjectValue':
    case 'KeywordArgumentsValue':
      return new PyDict([...value.value].map(([key, item]) => [keyOf(key), asPython(item)]));
    case 'UndefinedValue':
      return new PyObject('Undefined', () => 'Undefined');
    default:
      return new PyObject(opaqueTypes[value.type] ?? '', () => `<${value.type}>`);
  }
}

function keyOf(key: unknown): PyValue {
  return Array.isArray(key) ? new PyTuple(key.map(asPython)) : asPython(toValue(key));
}

function reprSequence({ kind, value: items }: Sequence): string {
  if (kind !== 'range') return `${kind}(${pyRepr(items.map(asPython))})`;
  const numbers = items.map((item) => Number(item.value));
  const [first = 0, second = first + 1] = numbers;
  const step = second - first;
  const stop = (numbers.at(-1) ?? first - step) + step;
  return step === 1 ? `range(${first}, ${stop})` : `range(${first}, ${stop}, ${step})`;
}

export function typeName(value: Value): string {
  return isText(value) ? 'str' : pyTypeName(asPython(value));
}

/** Python's `str()`; undefined prints as nothing. */
export function toText(value: Value): TextValue {
  if (isText(value)) {
    spendCharacters(sizeOf(value));
    return value;
  }
  requireValue(value);
  return text(value.type === 'UndefinedValue' ? '' : pyRepr(asPython(value)));
}

export function asText(value: Value | undefined): TextValue {
  if (isText(value)) {
    spendCharacters(sizeOf(value));
    return value;
  }
  return fail('TypeError', `a string is needed here, not ${typeName(value ?? missing)}`);
}

export function asString(value: Value | undefined): string {
  return asText(value).value;
}

/** A whole number, or undefined for an argument that was left out or is None. */
export function optionalInteger(value: Value | undefined): number | undefined {
  if (value === undefined || isMissing(value)) return undefined;
  if (value.type === 'FloatValue')
    return fail('TypeError', 'a whole number is needed here, not float');
  return (
    numeric(value) ?? fail('TypeError', `a whole number is needed here, not ${typeName(value)}`)
  );
}

/** The code points of a text, each with its origin. */
export function characters(value: TextValue): TextValue[] {
  let position = 0;
  spendItems(sizeOf(value));
  return [...value.value].map((point) => {
    position += point.length;
    return sliceText(value, position - point.length, position);
  });
}

function isGenerator(value: Value): boolean {
  return value instanceof Sequence && value.kind === 'generator';
}

/** Reading an item. */
const itemWork = 20;

/** The items a `for` loop sees. */
export function iterate(value: Value): readonly Value[] {
  if (isList(value)) {
    spendWork(itemWork * value.value.length);
    return isGenerator(value) ? value.value.splice(0) : value.value;
  }
  if (isText(value)) return characters(value);
  if (isDict(value)) return [...value.value.keys()].map(toValue);
  requireValue(value);
  if (value.type === 'UndefinedValue') return [];
  return fail('TypeError', `a value of type ${typeName(value)} cannot be looped over`);
}

/** `object[key]` without attributes; undefined if there is none. */
export function getItem(object: Value, key: Value): Value | undefined {
  if (isDict(object)) return object.value.get(key.value);
  if (object.type === 'NamespaceValue') return object.value.get(String(key.value));
  if (key.type !== 'IntegerValue') return undefined;
  if (isText(object)) return characters(object).at(key.value);
  const isIndexed = isList(object) && (!(object instanceof Sequence) || object.kind === 'range');
  return isIndexed ? object.value.at(key.value) : undefined;
}

/** Python's `len`. */
export function lengthOf(value: Value): number {
  if (isText(value)) return countCharacters(value.value);
  if (isDict(value)) return value.value.size;
  requireValue(value);
  if (value.type === 'UndefinedValue') return 0;
  if (isList(value) && !isGenerator(value)) return value.value.length;
  return fail('TypeError', `a value of type ${typeName(value)} has no length`);
}

/** A filter, a test or a method: what it is applied to, and the arguments in parentheses. */
export type Operation = (self: Value, args: Arguments) => Result;

type Run = (self: Value, values: readonly (Value | undefined)[]) => Result;

/**
 * An operation with named parameters, given in order or by name. A parameter that ends in `?` may
 * be left out and is then undefined.
 */
export function takes(parameters: readonly string[], run: Run): Operation {
  const names = parameters.map((parameter) => parameter.replace('?', ''));
  return (self, { positional, named }) => {
    if (positional.length > names.length)
      fail('TypeError', `at most ${names.length} arguments are accepted`);
    const values: (Value | undefined)[] = [...positional];
    for (const [name, value] of named) {
      const index = names.indexOf(name);
      if (index < positional.length)
        fail('TypeError', `the argument ${name} is unknown or given twice`);
      values[index] = value;
    }
    for (const [index, parameter] of parameters.entries()) {
      if (!parameter.endsWith('?') && values[index] === undefined) {
        fail('TypeError', `the argument ${parameter} is missing`);
      }
    }
    return run(self, values);
  };
}

/** A function of the template language; the library passes arguments by name as a last value. */
export function makeFunction(run: (args: Arguments) => Result): Value {
  return new classes.Function((args) => {
    const last = args.at(-1);
    const isNamed = last?.type === 'KeywordArgumentsValue';
    return toValue(
      run({
        positional: isNamed ? args.slice(0, -1) : args,
        named: isNamed ? (last.value as Map<string, Value>) : new Map(),
      }),
    );
  });
}
