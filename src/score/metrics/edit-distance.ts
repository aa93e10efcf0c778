import { distance } from 'fastest-levenshtein';
import { type CorpusMetric, share, type TextMetric } from './metric.ts';
import { checkSizes } from './size-limit.ts';

/**
 * How many characters must be inserted, deleted or changed to turn one text into the other.
 *
 * @example
 * countEdits('kitten', 'sitting'); // 3
 */
export function countEdits(left: string, right: string): number {
  checkSizes({
    metric: 'an edit distance',
    answer: left.length,
    gold: right.length,
    unit: 'characters',
  });
  if (!/[\ud800-\udfff]/.test(left + right)) return distance(left, right);
  // The library counts halves of characters outside the basic plane: they get numbers instead.
  const numbers = new Map<string, number>();
  const recode = (text: string) =>
    Array.from(text, (character) => {
      const number = numbers.get(character) ?? numbers.size;
      numbers.set(character, number);
      return String.fromCharCode(number);
    }).join('');
  return distance(recode(left), recode(right));
}

function sizeOf(text: string): number {
  return Array.from(text).length;
}

/** The number of edits to the nearest right answer. */
export const editDistance: TextMetric = {
  name: 'edit_distance',
  direction: 'lower',
  range: [0, Number.POSITIVE_INFINITY],
  of: (answer, golds) => Math.min(...golds.map((gold) => countEdits(answer, gold))),
};

/** 1 minus the edits as a share of the longer text's length, for the best gold answer. */
export const editSimilarity: TextMetric = {
  ...share('edit_similarity'),
  of: (answer, golds) =>
    golds.reduce((best, gold) => {
      const longer = Math.max(sizeOf(answer), sizeOf(gold));
      return Math.max(best, longer === 0 ? 1 : 1 - countEdits(answer, gold) / longer);
    }, 0),
};

/** Edits as a share of the right answer's length: of the answer's nearest, or of all together. */
export const characterErrorRate: CorpusMetric = {
  name: 'cer',
  direction: 'lower',
  range: [0, Number.POSITIVE_INFINITY],
  count(answer, golds) {
    const counts = golds.map((gold) => [countEdits(answer, gold), sizeOf(gold)] as const);
    return counts.reduce((best, other) => (rateOf(other) < rateOf(best) ? other : best));
  },
  of: (answer, golds) => rateOf(characterErrorRate.count(answer, golds)),
  ofCounts: rateOf,
  ofSums: rateOf,
};

function rateOf(counts: ArrayLike<number>): number {
  const [edits = 0, size = 0] = Array.from(counts);
  return edits === 0 ? 0 : edits / Math.max(1, size);
}
