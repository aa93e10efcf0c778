import { fail } from '../../python/compat-error.ts';
import { isLower, isUpper } from '../../python/letter-case.ts';
import type { Value } from './library.ts';
import { calculate, compare, contains, equals } from './operators.ts';
import {
  isDict,
  isList,
  isText,
  missing,
  numeric,
  type Operation,
  Sequence,
  takes,
  toText,
  toValue,
} from './values.ts';

function about(holds: (value: Value) => boolean): Operation {
  return takes([], holds);
}

function against(holds: (value: Value, other: Value) => boolean): Operation {
  return takes(['other'], (self, [other = missing]) => holds(self, other));
}

function ofType(...types: Value['type'][]): Operation {
  return about((value) => types.includes(value.type));
}

function leaves(rest: number): Operation {
  return about((value) => equals(calculate('%', value, toValue(2)), toValue(rest)));
}

const isIterable = (value: Value) =>
  value.type === 'UndefinedValue' || isText(value) || isList(value) || isDict(value);

const isSequence = (value: Value) =>
  isIterable(value) && (!(value instanceof Sequence) || value.kind === 'range');

const isSame = (left: Value, right: Value) =>
  left === right ||
  (left.type === right.type && !isList(left) && !isDict(left) && left.value === right.value);

const equal = against(equals);
const unequal = against((left, right) => !equals(left, right));
const below = against((left, right) => compare(left, right) < 0);
const atMost = against((left, right) => compare(left, right) <= 0);
const above = against((left, right) => compare(left, right) > 0);
const atLeast = against((left, right) => compare(left, right) >= 0);

/** What can follow `is`. */
export const tests: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['!=', unequal],
  ['<', below],
  ['<=', atMost],
  ['==', equal],
  ['>', above],
  ['>=', atLeast],
  ['boolean', ofType('BooleanValue')],
  ['callable', ofType('FunctionValue')],
  ['defined', about((value) => value.type !== 'UndefinedValue')],
  ['divisibleby', against((value, divisor) => numeric(calculate('%', value, divisor)) === 0)],
  ['eq', equal],
  ['equalto', equal],
  ['even', leaves(0)],
  ['false', about((value) => value.type === 'BooleanValue' && !value.value)],
  ['float', ofType('FloatValue')],
  ['ge', atLeast],
  ['greaterthan', above],
  ['gt', above],
  ['in', against((value, container) => contains(container, value))],
  ['integer', ofType('IntegerValue')],
  ['iterable', about(isIterable)],
  ['le', atMost],
  ['lessthan', below],
  ['lower', about((value) => isLower(toText(value).value))],
  ['lt', below],
  ['mapping', about(isDict)],
  ['ne', unequal],
  ['none', ofType('NullValue')],
  ['number', about((value) => numeric(value) !== undefined)],
  ['odd', leaves(1)],
  ['sameas', against(isSame)],
  ['sequence', about(isSequence)],
  ['string', ofType('StringValue')],
  ['true', about((value) => value.type === 'BooleanValue' && value.value)],
  ['undefined', ofType('UndefinedValue')],
  ['upper', about((value) => isUpper(toText(value).value))],
]);

export function findTest(name: string): Operation {
  return tests.get(name) ?? fail('TypeError', `there is no test ${name}`);
}
