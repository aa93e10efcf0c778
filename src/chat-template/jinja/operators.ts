import { fail } from '../../python/compat-error.ts';
import { pyCompare } from '../../python/operators.ts';
import { spendCharacters, spendItems, spendWork } from './budget.ts';
import { formatPercent } from './format.ts';
import { classes, type DictValue, type ListValue, type TextValue, type Value } from './library.ts';
import { ask, joinTexts, Rope, sizeOf } from './text.ts';
import {
  asPython,
  float,
  isDict,
  isList,
  isText,
  iterate,
  numeric,
  Sequence,
  text,
  toValue,
  tuple,
  typeName,
} from './values.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

export function calculate(operator: ArithmeticOperator, left: Value, right: Value): Value {
  if (operator === '+') {
    if (isText(left) && isText(right)) return joinTexts([left, right]);
    if (isList(left) && left.type === right.type && isList(right)) {
      spendItems(left.value.length + right.value.length);
      return sameKind(left, [...left.value, ...right.value]);
    }
  }
  if (operator === '*') {
    if (isText(left) || isList(left)) return repeat(left, right);
    if (isText(right) || isList(right)) return repeat(right, left);
  }
  if (operator === '%' && isText(left)) return formatPercent(left, right);
  const [first, second] = [numeric(left), numeric(right)];
  if (first === undefined || second === undefined) {
    return fail('TypeError', `${typeName(left)} ${operator} ${typeName(right)} is not possible`);
  }
  if (second === 0 && ['/', '//', '%'].includes(operator))
    fail('ZeroDivisionError', 'division by zero');
  const result = numbers[operator](first, second);
  const isFloat = left.type === 'FloatValue' || right.type === 'FloatValue' || operator === '/';
  if (isFloat || (operator === '**' && second < 0)) return float(result);
  return Number.isSafeInteger(result)
    ? toValue(result)
    : fail('OverflowError', `the result of ${operator} is too big`);
}

const numbers: Record<ArithmeticOperator, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '//': (left, right) => Math.floor(left / right),
  '%': (left, right) => {
    const rest = left % right;
    return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
  },
  '**': (left, right) => left ** right,
};

/** A list or tuple of these items, as `like` is one. */
export function sameKind(like: ListValue, items: readonly Value[]): ListValue {
  spendItems(items.length);
  return like.type === 'TupleValue' ? tuple(items) : new classes.List([...items]);
}

function repeat(value: TextValue | ListValue, times: Value): Value {
  const count = times.type === 'FloatValue' ? undefined : numeric(times);
  if (count === undefined) {
    return fail('TypeError', `${typeName(value)} and ${typeName(times)} cannot be multiplied`);
  }
  const copies = { length: Math.max(0, count) };
  if (isText(value)) {
    spendCharacters(copies.length * Math.max(1, sizeOf(value)));
    if (!(value instanceof Rope)) return text(value.value.repeat(copies.length));
    return joinTexts(Array.from(copies, () => value));
  }
  spendItems(copies.length * Math.max(1, value.value.length));
  return sameKind(value, Array.from(copies, () => value.value).flat());
}

/** Comparing two values, without what they hold. */
const equalsWork = 100;

export function equals(left: Value, right: Value): boolean {
  spendWork(equalsWork);
  if (left === right) return true;
  if (isText(left) && isText(right)) return textsEqual(left, right);
  const number = numeric(left);
  if (number !== undefined) return number === numeric(right);
  if (isList(left)) {
    if (!isList(right) || !isSameType(left, right)) return false;
    if (left.value.length !== right.value.length) return false;
    return left.value.every((item, index) => equals(item, right.value[index] as Value));
  }
  if (isDict(left)) return isDict(right) && dictsEqual(left, right);
  return left.type === right.type && (left.type === 'NullValue' || left.type === 'UndefinedValue');
}

function isSameType(left: ListValue, right: ListValue): boolean {
  const kindOf = (value: ListValue) => (value instanceof Sequence ? value.kind : value.type);
  return kindOf(left) === kindOf(right);
}

/** Whether a text is empty is known even if its characters are not. */
function textsEqual(left: TextValue, right: TextValue): boolean {
  const [rope, other] = left instanceof Rope ? [left, right] : [right, left];
  if (!(other instanceof Rope) && other.value === '') return !rope.__bool__().value;
  spendWork(left.value.length / 8);
  return left.value === right.value;
}

function dictsEqual(left: DictValue, right: DictValue): boolean {
  if (left.value.size !== right.value.size) return false;
  return [...left.value].every(([key, value]) => {
    const other = right.value.get(key);
    return other !== undefined && equals(value, other);
  });
}

/** Negative, zero or positive, as `left` sorts before, with or after `right`. */
export function compare(left: Value, right: Value): number {
  return pyCompare(asPython(left), asPython(right));
}

/** Python's `in`. */
export function contains(container: Value, item: Value): boolean {
  if (isText(container)) {
    if (isText(item)) return ask(container, 'includes', item.value);
    return fail(
      'TypeError',
      `a value of type ${typeName(item)} cannot be searched for in a string`,
    );
  }
  if (isDict(container)) return container.value.has(item.value);
  const items = container instanceof Sequence ? container.value : iterate(container);
  return items.some((element) => equals(element, item));
}

export const comparisons: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  '==': equals,
  '!=': (left, right) => !equals(left, right),
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  in: (left, right) => contains(right, left),
  'not in': (left, right) => !contains(right, left),
};
