import { CompatError } from './compat-error.ts';
import { pyRepr } from './repr.ts';
import { compareText } from './text.ts';
import { concatTexts, plainText, splitCharacters, toTraced } from './traced-text.ts';
import {
  hashKey,
  isList,
  isText,
  listItems,
  numberOf,
  PyDict,
  PyObject,
  PyTuple,
  type PyValue,
  typeName,
} from './values.ts';

/** `left == right` */
export function pyEquals(left: PyValue, right: PyValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left === right;
  if (left instanceof PyDict && right instanceof PyDict) {
    return (
      left.size === right.size &&
      left.entries().every(([key, value]) => {
        const other = right.get(key);
        return other !== undefined && pyEquals(value, other);
      })
    );
  }
  if (isList(left) && isList(right)) return sameItems(listItems(left), listItems(right));
  if (left instanceof PyTuple && right instanceof PyTuple)
    return sameItems(left.items, right.items);
  if (left instanceof PyObject) return left.equals(right);
  return isScalar(left) && isScalar(right) && hashKey(left) === hashKey(right);
}

/** Negative, zero or positive, as `left` sorts before, with or after `right`. */
export function pyCompare(left: PyValue, right: PyValue): number {
  const [number, other] = [numberOf(left), numberOf(right)];
  if (number !== undefined && other !== undefined) {
    if (Number.isNaN(number) || Number.isNaN(other)) return Number.NaN;
    return number < other ? -1 : Number(number > other);
  }
  if (isText(left) && isText(right)) return compareText(plainText(left), plainText(right));
  if (isList(left) && isList(right)) return compareItems(listItems(left), listItems(right));
  if (left instanceof PyTuple && right instanceof PyTuple)
    return compareItems(left.items, right.items);
  throw new CompatError({
    type: 'TypeError',
    message: `'<' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
    what: `values of types ${typeName(left)} and ${typeName(right)} have no order`,
  });
}

function compareItems(left: readonly PyValue[], right: readonly PyValue[]): number {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (!pyEquals(item, other)) return pyCompare(item, other);
  }
  return left.length - right.length;
}

/** `left + right` for text and plain lists; everything else that prompts could add is an error. */
export function pyAdd(left: PyValue, right: PyValue): PyValue {
  if (isText(left) && isText(right)) return concatTexts([left, right]);
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  const [leftType, rightType] = [typeName(left), typeName(right)];
  const concatenates = isText(left) || isList(left);
  throw new CompatError({
    type: 'TypeError',
    message: concatenates
      ? `can only concatenate ${leftType} (not "${rightType}") to ${leftType}`
      : `unsupported operand type(s) for +: '${leftType}' and '${rightType}'`,
    what: `text and other values are joined: ${leftType} and ${rightType}`,
    hint: 'write the begin, prompt and end of a role, and the separators, as strings',
  });
}

/** `left += right`: as `+`, but a list takes in whatever can be iterated. */
export function pyAddInPlace(left: PyValue, right: PyValue): PyValue {
  return Array.isArray(left) ? [...left, ...pyIterate(right)] : pyAdd(left, right);
}

/** `needle in container` */
export function pyContains(container: PyValue, needle: PyValue): boolean {
  if (container instanceof PyDict) return container.has(needle);
  if (isList(container)) return listItems(container).some((item) => pyEquals(item, needle));
  if (container instanceof PyTuple) return container.items.some((item) => pyEquals(item, needle));
  if (isText(container) && isText(needle)) {
    return plainText(container).includes(plainText(needle));
  }
  throw new CompatError({
    type: 'TypeError',
    message: isText(container)
      ? `'in <string>' requires string as left operand, not ${typeName(needle)}`
      : `argument of type '${typeName(container)}' is not iterable`,
    what: `a ${typeName(container)} stands where text or a mapping is expected`,
  });
}

/** `container[key]` with a key that is no index. */
export function pySubscript(container: PyValue, key: PyValue): PyValue {
  if (container instanceof PyDict) {
    const value = container.get(key);
    if (value !== undefined) return value;
    throw new CompatError({
      type: 'KeyError',
      message: pyRepr(key),
      what: `the key ${pyRepr(key)} is missing`,
      hint: `add ${pyRepr(key)}; present: ${container.keys().map(pyRepr).join(', ') || 'nothing'}`,
    });
  }
  const name = typeName(container);
  let message = `'${name}' object is not subscriptable`;
  if (isText(container)) message = `string indices must be integers, not '${typeName(key)}'`;
  else if (isList(container) || container instanceof PyTuple) {
    const indexed = isList(container) ? 'list' : 'tuple';
    message = `${indexed} indices must be integers or slices, not ${typeName(key)}`;
  }
  throw new CompatError({
    type: 'TypeError',
    message,
    what: `a ${name} stands where a mapping with the key ${pyRepr(key)} is expected`,
  });
}

/** `value.get(key)`, which only a dict has. `undefined` when the key is missing. */
export function pyGet(value: PyValue, key: PyValue): PyValue | undefined {
  if (value instanceof PyDict) return value.get(key);
  throw noAttribute(value, 'get');
}

/** The items that `for item in value` visits. */
export function pyIterate(value: PyValue): readonly PyValue[] {
  if (isList(value)) return listItems(value);
  if (value instanceof PyTuple) return value.items;
  if (value instanceof PyDict) return value.keys();
  if (isText(value)) return splitCharacters(toTraced(value));
  throw new CompatError({
    type: 'TypeError',
    message: `'${typeName(value)}' object is not iterable`,
    what: `a ${typeName(value)} stands where a list is expected`,
  });
}

export function noAttribute(value: PyValue, attribute: string): CompatError {
  return new CompatError({
    type: 'AttributeError',
    message: `'${typeName(value)}' object has no attribute '${attribute}'`,
    what: `a ${typeName(value)} stands where something with ${attribute}() is expected`,
  });
}

function sameItems(left: readonly PyValue[], right: readonly PyValue[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, index) => pyEquals(item, right[index] as PyValue))
  );
}

function isScalar(value: PyValue): boolean {
  return value === null || isText(value) || numberOf(value) !== undefined;
}
