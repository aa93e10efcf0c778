import { Float } from '../../prompt/values.ts';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  MutableDict,
  numberOf,
  PyDict,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { ConfigDict } from './config-dict.ts';
import { formatPercent } from './formatting.ts';
import { BoundReached, raise, spendCharacters, spendItems, spendSteps } from './machine.ts';
import { PyBytes, PyClass, PyDictView, PySet } from './objects.ts';
import { asList, toList } from './operations.ts';

const maxTextLength = 2 ** 23;
const maxBits = 200_000n;

/** A whole number in its usual form. */
export function toInteger(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** A float; `1.0` needs a wrapper to be told from `1`. */
export function toFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}

export function isFloat(value: PyValue): boolean {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

export type BinaryOperator =
  | 'Add'
  | 'Sub'
  | 'Mult'
  | 'Div'
  | 'FloorDiv'
  | 'Mod'
  | 'Pow'
  | 'LShift'
  | 'RShift'
  | 'BitAnd'
  | 'BitOr'
  | 'BitXor'
  | 'MatMult';

const signs: Readonly<Record<BinaryOperator, string>> = {
  Add: '+',
  Sub: '-',
  Mult: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '** or pow()',
  LShift: '<<',
  RShift: '>>',
  BitAnd: '&',
  BitOr: '|',
  BitXor: '^',
  MatMult: '@',
};

export function binary(operator: BinaryOperator, left: PyValue, right: PyValue): PyValue {
  if (typeof left === 'string' && typeof right === 'string' && operator === 'Add') {
    return concat(left, right);
  }
  const [first, second] = [numberOf(left), numberOf(right)];
  if (first !== undefined && second !== undefined) {
    if (typeof left === 'boolean' && typeof right === 'boolean') {
      if (operator === 'BitAnd') return left && right;
      if (operator === 'BitOr') return left || right;
      if (operator === 'BitXor') return left !== right;
    }
    if (isFloat(left) || isFloat(right) || operator === 'Div') {
      return floats(operator, { left, right, first: toNumber(first), second: toNumber(second) });
    }
    return integers(operator, first, second);
  }
  return others(operator, left, right) ?? unsupported(operator, left, right);
}

function unsupported(operator: BinaryOperator, left: PyValue, right: PyValue): never {
  if (operator === 'Add' && (isText(left) || Array.isArray(left) || left instanceof PyTuple)) {
    const kind = typeName(left);
    return raise('TypeError', `can only concatenate ${kind} (not "${typeName(right)}") to ${kind}`);
  }
  return raise(
    'TypeError',
    `unsupported operand type(s) for ${signs[operator]}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function toNumber(value: number | bigint): number {
  const number = Number(value);
  if (!Number.isFinite(number) && typeof value === 'bigint') {
    raise('OverflowError', 'int too large to convert to float');
  }
  return number;
}

function floats(
  operator: BinaryOperator,
  { left, right, first, second }: { left: PyValue; right: PyValue; first: number; second: number },
): PyValue {
  const needsDivisor = operator === 'Div' || operator === 'FloorDiv' || operator === 'Mod';
  if (needsDivisor && second === 0) {
    const both = !isFloat(left) && !isFloat(right);
    raise(
      'ZeroDivisionError',
      operator === 'Div' && both ? 'division by zero' : 'float division by zero',
    );
  }
  switch (operator) {
    case 'Add':
      return toFloat(first + second);
    case 'Sub':
      return toFloat(first - second);
    case 'Mult':
      return toFloat(first * second);
    case 'Div':
      return toFloat(first / second);
    case 'FloorDiv':
      return toFloat(floatDivMod(first, second)[0]);
    case 'Mod':
      return toFloat(floatDivMod(first, second)[1]);
    case 'Pow':
      if (first === 0 && second < 0)
        raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
      if (first < 0 && !Number.isInteger(second))
        raise('ValueError', 'complex numbers are not supported here');
      return toFloat(first ** second);
    default:
      return unsupported(operator, left, right);
  }
}

function floatDivMod(left: number, right: number): [number, number] {
  let rest = left % right;
  let quotient = (left - rest) / right;
  if (rest !== 0 && right < 0 !== rest < 0) {
    rest += right;
    quotient -= 1;
  }
  if (rest === 0) rest = right < 0 ? -0 : 0;
  let floor = Math.floor(quotient);
  if (quotient - floor > 0.5) floor += 1;
  return [floor, rest];
}

function integers(
  operator: BinaryOperator,
  first: number | bigint,
  second: number | bigint,
): PyValue {
  if (typeof first === 'number' && typeof second === 'number') {
    const quick =
      operator === 'Add'
        ? first + second
        : operator === 'Sub'
          ? first - second
          : operator === 'Mult'
            ? first * second
            : Number.NaN;
    if (Number.isSafeInteger(quick)) return quick === 0 ? 0 : quick;
  }
  const [left, right] = [BigInt(first), BigInt(second)];
  if (right === 0n && (operator === 'FloorDiv' || operator === 'Mod'))
    raise('ZeroDivisionError', 'integer division or modulo by zero');
  const value = bigIntegers(operator, left, right);
  return typeof value === 'bigint' ? toInteger(value) : value;
}

const bitsOf = (value: bigint) => BigInt((value < 0n ? -value : value).toString(16).length * 4);

function bigIntegers(operator: BinaryOperator, left: bigint, right: bigint): bigint | PyValue {
  switch (operator) {
    case 'Add':
      return left + right;
    case 'Sub':
      return left - right;
    case 'Mult':
      return withinBits(bitsOf(left) + bitsOf(right), () => left * right);
    case 'FloorDiv':
      return floorDiv(left, right);
    case 'Mod':
      return left - floorDiv(left, right) * right;
    case 'Pow':
      return power(left, right);
    case 'LShift':
      if (right < 0n) raise('ValueError', 'negative shift count');
      return left === 0n ? 0n : withinBits(bitsOf(left) + right, () => left << right);
    case 'RShift':
      if (right < 0n) raise('ValueError', 'negative shift count');
      return right > maxBits ? (left < 0n ? -1n : 0n) : left >> right;
    case 'BitAnd':
      return left & right;
    case 'BitOr':
      return left | right;
    case 'BitXor':
      return left ^ right;
    default:
      return unsupported(operator, toInteger(left), toInteger(right));
  }
}

function withinBits(bits: bigint, work: () => bigint): bigint {
  if (bits > maxBits) {
    throw new BoundReached('MemoryError', `a number has more than ${maxBits} bits`);
  }
  spendSteps(Number(bits >> 10n));
  return work();
}

export function floorDiv(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

function power(left: bigint, right: bigint): bigint | PyValue {
  if (right < 0n) {
    if (left === 0n) raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
    return toFloat(Number(left) ** Number(right));
  }
  if (left === 0n || left === 1n || left === -1n)
    return left ** (right > 2n ? right % 2n || 2n : right);
  return withinBits(bitsOf(left) * right, () => left ** right);
}

export function concat(left: string, right: string): string {
  const length = left.length + right.length;
  if (length > maxTextLength) tooLong();
  spendCharacters(right.length + (left.length >> 2));
  return left + right;
}

function tooLong(): never {
  throw new BoundReached(
    'MemoryError',
    `a text is longer than ${maxTextLength.toLocaleString('en')} characters`,
  );
}

/** Counts a text that was made, or is about to be. */
export function checkedLength(length: number): void {
  if (length > maxTextLength) tooLong();
  spendCharacters(length);
}

function others(operator: BinaryOperator, left: PyValue, right: PyValue): PyValue | undefined {
  if (operator === 'Add') return add(left, right);
  if (operator === 'Mult') {
    if (typeof right === 'number' || typeof right === 'bigint' || typeof right === 'boolean')
      return repeat(left, right);
    return typeof left === 'number' || typeof left === 'bigint' || typeof left === 'boolean'
      ? repeat(right, left)
      : undefined;
  }
  if (operator === 'Mod' && isText(left)) return formatPercent(plainText(left), right);
  if (operator === 'BitOr' && left instanceof PyDict && right instanceof PyDict) {
    return mergeDicts(left, right);
  }
  // `int | None` in annotations
  if (operator === 'BitOr' && left instanceof PyClass) return left;
  const sets = [left, right].map((side) =>
    side instanceof PyDictView ? new PySet(side.list()) : side,
  );
  if (sets[0] instanceof PySet && sets[1] instanceof PySet) {
    return combineSets(operator, sets[0], sets[1]);
  }
  return undefined;
}

function mergeDicts(left: PyDict, right: PyDict): PyDict {
  spendItems(left.size + right.size);
  if (left instanceof ConfigDict) {
    const merged = left.shallowCopy();
    merged.updateDeep(right);
    return merged;
  }
  return new MutableDict([...left.entries(), ...right.entries()]);
}

export function combineSets(
  operator: BinaryOperator,
  left: PySet,
  right: PySet,
): PySet | undefined {
  const style = { isFrozen: left.isFrozen };
  const [mine, others] = [left.items(), right.items()];
  const inRight = (item: PyValue) => right.members.has(item);
  switch (operator) {
    case 'BitOr':
      return new PySet([...mine, ...others], style);
    case 'BitAnd':
      return new PySet(mine.filter(inRight), style);
    case 'Sub':
      return new PySet(
        mine.filter((item) => !inRight(item)),
        style,
      );
    case 'BitXor':
      return new PySet(
        [
          ...mine.filter((item) => !inRight(item)),
          ...others.filter((item) => !left.members.has(item)),
        ],
        style,
      );
    default:
      return undefined;
  }
}

function add(left: PyValue, right: PyValue): PyValue | undefined {
  if (isText(left) && isText(right)) return concat(plainText(left), plainText(right));
  const [first, second] = [asList(left), asList(right)];
  if (first && second) {
    spendItems(first.length + second.length);
    return first.concat(second);
  }
  if (left instanceof PyTuple && right instanceof PyTuple) {
    spendItems(left.items.length + right.items.length);
    return new PyTuple([...left.items, ...right.items]);
  }
  if (left instanceof PyBytes && right instanceof PyBytes)
    return new PyBytes(concat(left.bytes, right.bytes));
  // addict's rule
  if (left instanceof ConfigDict && left.size === 0) return right;
  return undefined;
}

function repeat(value: PyValue, times: number | bigint | boolean): PyValue | undefined {
  const count = Math.max(0, Number(times));
  if (!Number.isInteger(count)) return undefined;
  if (isText(value)) {
    const text = plainText(value);
    checkedLength(text.length * count);
    return text.repeat(count);
  }
  if (value instanceof PyBytes) {
    checkedLength(value.bytes.length * count);
    return new PyBytes(value.bytes.repeat(count));
  }
  const items = asList(value) ?? (value instanceof PyTuple ? value.items : undefined);
  if (!items) return undefined;
  spendItems(items.length * count);
  const repeated: PyValue[] = [];
  for (let round = 0; round < count; round++) for (const item of items) repeated.push(item);
  return value instanceof PyTuple ? new PyTuple(repeated) : repeated;
}

/** `left op= right`: lists, sets and dicts are changed, all else is made anew. */
export function inPlace(operator: BinaryOperator, left: PyValue, right: PyValue): PyValue {
  const list = asList(left);
  if (list && operator === 'Add') {
    for (const item of toList(right)) list.push(item);
    return list;
  }
  if (left instanceof MutableDict && operator === 'BitOr' && right instanceof PyDict) {
    if (left instanceof ConfigDict) left.updateDeep(right);
    else for (const [key, value] of right.entries()) left.set(key, value);
    return left;
  }
  return binary(operator, left, right);
}

export function unary(operator: 'USub' | 'UAdd' | 'Invert', value: PyValue): PyValue {
  const number = numberOf(value);
  if (number === undefined || (operator === 'Invert' && isFloat(value))) {
    const sign = { USub: '-', UAdd: '+', Invert: '~' }[operator];
    return raise('TypeError', `bad operand type for unary ${sign}: '${typeName(value)}'`);
  }
  if (operator === 'Invert') return toInteger(-BigInt(number) - 1n);
  const result = operator === 'USub' ? -number : number;
  if (isFloat(value)) return toFloat(Number(result));
  return result === 0 ? 0 : result;
}
