import {
  type Expression,
  type List,
  namesIn,
  operation,
  type Relation,
  rewrite,
} from './expression.ts';
import { agreeAtPoints, type NumberTolerance, sameValue } from './same-value.ts';

const maxItems = 100;

/** Whether two answers come to the same: values, lists, intervals, matrices, equations, words. */
export function sameAnswer(got: Expression, want: Expression, limits: NumberTolerance): boolean {
  const same = (left: Expression, right: Expression): boolean => {
    if (hasTwoSigns(left) || hasTwoSigns(right)) return same(bothSigns(left), bothSigns(right));
    if (left.type === 'relation' || right.type === 'relation')
      return sameRelation(left, right, same);
    const unions = [piecesOf(left), piecesOf(right)] as const;
    if (unions[0].length > 1 || unions[1].length > 1) return sameInAnyOrder(...unions, same);
    if (left.type === 'list' || right.type === 'list') return sameList(left, right, same);
    if (left.type === 'matrix' || right.type === 'matrix') return sameMatrix(left, right, same);
    if (left.type === 'words' || right.type === 'words') return sameWords(left, right);
    return sameValue(left, right, limits);
  };
  return same(got, want);
}

type Same = (left: Expression, right: Expression) => boolean;

function hasTwoSigns(expression: Expression): boolean {
  const { operations } = namesIn(expression);
  return operations.has('pm') || operations.has('mp');
}

/** `a ± b` is both `a + b` and `a - b`. */
function bothSigns(expression: Expression): Expression {
  if (!hasTwoSigns(expression)) return expression;
  const choose = (negative: string) =>
    rewrite(expression, (part) => {
      const [inner] = part.type === 'operation' ? part.parts : [];
      if (part.type !== 'operation' || !inner || !['pm', 'mp'].includes(part.name)) return part;
      return part.name === negative ? operation('negate', inner) : inner;
    });
  return { type: 'list', brackets: '', items: [choose('mp'), choose('pm')].flatMap(itemsOfBare) };
}

function itemsOfBare(expression: Expression): readonly Expression[] {
  return expression.type === 'list' && expression.brackets === '' ? expression.items : [expression];
}

/** What a union is made of. */
function piecesOf(expression: Expression): readonly Expression[] {
  if (expression.type !== 'operation' || expression.name !== 'cup') return [expression];
  return expression.parts.flatMap(piecesOf);
}

function sameInAnyOrder(
  left: readonly Expression[],
  right: readonly Expression[],
  same: Same,
): boolean {
  if (left.length !== right.length || left.length > maxItems) return false;
  const open = [...right];
  return left.every((item) => {
    const index = open.findIndex((other) => same(item, other));
    if (index < 0) return false;
    open.splice(index, 1);
    return true;
  });
}

function sameInOrder(
  left: readonly Expression[],
  right: readonly Expression[],
  same: Same,
): boolean {
  return (
    left.length === right.length &&
    left.every((item, index) => {
      const other = right[index];
      return other !== undefined && same(item, other);
    })
  );
}

/** Sets and bare lists have no order; a bare list may also be a tuple without its brackets. */
function sameList(left: Expression, right: Expression, same: Same): boolean {
  const [one, other] = [asList(left), asList(right)];
  const isLoose = ({ brackets }: List) => brackets === '' || brackets === '{}';
  if (isLoose(one) && isLoose(other)) return sameInAnyOrder(one.items, other.items, same);
  const brackets = new Set([one.brackets, other.brackets]);
  brackets.delete('');
  return brackets.size === 1 && !brackets.has('{}') && sameInOrder(one.items, other.items, same);
}

function asList(expression: Expression): List {
  return expression.type === 'list'
    ? expression
    : { type: 'list', brackets: '', items: [expression] };
}

function sameMatrix(left: Expression, right: Expression, same: Same): boolean {
  if (left.type !== 'matrix' || right.type !== 'matrix') return false;
  return (
    left.rows.length === right.rows.length &&
    left.rows.every((row, index) => sameInOrder(row, right.rows[index] ?? [], same))
  );
}

function sameWords(left: Expression, right: Expression): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s.]+/g, '');
  return left.type === 'words' && right.type === 'words' && plain(left.text) === plain(right.text);
}

/** `x = 5` is 5, `1 < x ≤ 3` is `(1, 3]`, and an equation may be turned round or rearranged. */
function sameRelation(left: Expression, right: Expression, same: Same): boolean {
  if (left.type !== 'relation' || right.type !== 'relation') {
    const [one, other] = [resultOf(left), resultOf(right)];
    return one !== undefined && other !== undefined && same(one, other);
  }
  const signs = left.signs.join();
  const turned = { parts: right.parts.toReversed(), signs: right.signs.toReversed().map(turn) };
  if (signs === right.signs.join() && sameInOrder(left.parts, right.parts, same)) return true;
  if (signs === turned.signs.join() && sameInOrder(left.parts, turned.parts, same)) return true;
  if (signs === '=' && right.signs.join() === '=') return sameEquation(left.parts, right.parts);
  const [one, other] = [asInterval(left), asInterval(right)];
  return one !== undefined && other !== undefined && same(one, other);
}

function turn(sign: string): string {
  return sign.replace(/[<>]/, (arrow) => (arrow === '<' ? '>' : '<'));
}

/** What a relation says its symbol to be. */
function resultOf(expression: Expression): Expression | undefined {
  if (expression.type !== 'relation') return expression;
  const isEquation = expression.signs.every((sign) => sign === '=' || sign === 'in');
  return isEquation ? expression.parts.at(-1) : asInterval(expression);
}

/** Whether one equation is the other, multiplied by a number. */
function sameEquation(left: readonly Expression[], right: readonly Expression[]): boolean {
  const zero = ([above, below]: readonly Expression[]) =>
    above && below && operation('add', above, operation('negate', below));
  const [one, other] = [zero(left), zero(right)];
  if (!one || !other) return false;
  const ratios: number[] = [];
  return agreeAtPoints(one, other, {
    nearly(got, want) {
      if (want.real === 0 || got.real === 0) return got.real === want.real;
      const ratio = got.real / want.real;
      ratios.push(ratio);
      return Math.abs(ratio - (ratios[0] ?? ratio)) <= 1e-9 * Math.abs(ratio);
    },
  });
}

const infinity: Expression = { type: 'symbol', name: '\\infty' };

/** The interval that an inequality in one symbol stands for. */
function asInterval({ parts, signs }: Relation): List | undefined {
  const [first, second, third] = parts;
  const [sign = '', other] = signs;
  if (!first || !second || signs.length > 2) return undefined;
  if (signs.length === 2) {
    if (second.type !== 'symbol' || !third || sign.charAt(0) !== other?.charAt(0)) return undefined;
    return sign.startsWith('<')
      ? between([first, sign], [third, other])
      : between([third, other], [first, sign]);
  }
  if (first.type === 'symbol') return oneSided(second, sign);
  return second.type === 'symbol' ? oneSided(first, turn(sign)) : undefined;
}

type Bound = readonly [value: Expression, sign: string];

function between([low, lowSign]: Bound, [high, highSign]: Bound): List {
  const brackets = (lowSign.endsWith('=') ? '[' : '(') + (highSign.endsWith('=') ? ']' : ')');
  return { type: 'list', brackets, items: [low, high] };
}

function oneSided(bound: Expression, sign: string): List | undefined {
  if (sign.startsWith('<')) return between([operation('negate', infinity), '<'], [bound, sign]);
  return sign.startsWith('>') ? between([bound, sign], [infinity, '>']) : undefined;
}
