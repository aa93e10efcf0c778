import { ConfigError } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import type { RowScore } from '../scorer.ts';
import { countOptions, type RotationSettings, reorderRow, rotateRow } from './rotate-row.ts';

export interface CircularSettings extends RotationSettings {
  /** Every rotation of the options (by default), or every order. */
  readonly orders?: 'rotations' | 'permutations' | undefined;
}

/** A row that is asked several times, and one score of what came of it. */
export interface RowExpansion {
  /** The rows to ask in place of a row; the first is the row itself. */
  readonly expandRow: (row: Row) => readonly Row[];
  /** The score of the row, from the scores of the rows that stood for it, in their order. */
  readonly combine: (scores: readonly RowScore[]) => RowScore;
}

const maxPermuted = 5;

/**
 * Asks a row with its options in several orders; only an answer that is right in all of them counts.
 *
 * @example
 * const { expandRow } = circular({ textColumns: ['A', 'B'], goldColumn: 'answer' });
 * expandRow({ A: 'cat', B: 'dog', answer: 'A' });
 * // [{ A: 'cat', B: 'dog', answer: 'A' }, { A: 'dog', B: 'cat', answer: 'B' }]
 */
export function circular(settings: CircularSettings): RowExpansion {
  return {
    expandRow(row) {
      const count = countOptions(row, settings);
      if (settings.orders !== 'permutations') {
        return Array.from({ length: count }, (_, rotation) => rotateRow(row, rotation, settings));
      }
      if (count > maxPermuted) throw tooManyOrders(count);
      return permutations(count).map((order) => reorderRow(row, order, settings));
    },
    combine: combineOrders,
  };
}

/**
 * One score from those of a row's orders, the original first: 1 if all are. A wrong answer decides,
 * whatever became of the others; else an order without a score leaves the row without one.
 */
function combineOrders(scores: readonly RowScore[]): RowScore {
  const scored = scores.filter((score) => score.type === 'scored');
  const missing = scores.find((score) => score.type === 'unscored');
  const [original] = scores;
  const [first] = scored;
  const value = Math.min(...scored.map((score) => score.value));
  if (missing && value > 0) return missing;
  if (!first) return { type: 'unscored', reason: 'no orders' };
  const total = scored.reduce((sum, score) => sum + score.value, 0);
  const list = (side: 'got' | 'want') => scored.map(({ compared }) => compared[side]).join(' ');
  return {
    ...first,
    value,
    compared: { got: list('got'), want: list('want') },
    metrics: {
      ...(original?.type === 'scored' && { perf_orig: original.value }),
      ...(!missing && { perf_circ: total / scores.length }),
    },
  };
}

/** All orders of the numbers below `count`, in lexical order. */
function permutations(count: number): readonly (readonly number[])[] {
  let orders: readonly (readonly number[])[] = [[]];
  for (let length = 0; length < count; length += 1) {
    orders = orders.flatMap((order) =>
      Array.from({ length: count }, (_, index) => index)
        .filter((index) => !order.includes(index))
        .map((index) => [...order, index]),
    );
  }
  return orders;
}

function tooManyOrders(count: number): ConfigError {
  return new ConfigError(
    'config.too_many_orders',
    `a row with ${count} options has too many orders to ask all of them`,
    { hint: `Use \`circular: rotations\`; permutations are for ${maxPermuted} options at most.` },
  );
}
