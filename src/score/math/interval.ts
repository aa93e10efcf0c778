import { type Expression, type List, operation, type Relation } from './expression.ts';

const infinity: Expression = { type: 'symbol', name: '\\infty' };

/** The interval that an inequality in one symbol stands for. */
export function asInterval({ parts, signs }: Relation): List | undefined {
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
  return second.type === 'symbol' ? oneSided(first, turned(sign)) : undefined;
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

function turned(sign: string): string {
  return sign.replace(/[<>]/, (arrow) => (arrow === '<' ? '>' : '<'));
}
