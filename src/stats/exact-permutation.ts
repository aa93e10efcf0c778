import { requireThat } from './check.ts';

/** Beyond this many steps drawing signs takes less time. */
const maxSteps = 5e7;

/**
 * The two-sided p value of a permutation test of whole differences, such as those of counts: how
 * often they would add up to as much if each had its sign by chance. It counts all choices of signs;
 * nothing if that would take too long.
 *
 * @example
 * exactPermutation([2, 1, -1, 3]) // 0.375
 */
export function exactPermutation(differences: ArrayLike<number>): number | undefined {
  const sizes = Array.from(differences, Math.abs).filter((size) => size !== 0);
  requireThat(sizes.every(Number.isSafeInteger), 'A difference is not a whole number');
  const room = sizes.reduce((total, size) => total + size, 0);
  if (room * sizes.length > maxSteps) return undefined;
  const sum = Array.from(differences).reduce((total, difference) => total + difference, 0);
  if (sum === 0) return 1;
  // How likely the differences with a minus add up to each number.
  const chances = new Float64Array(room + 1);
  chances[0] = 1;
  let reach = 0;
  for (const size of sizes) {
    reach += size;
    for (let at = reach; at >= 0; at -= 1) {
      const without = at <= reach - size ? (chances[at] as number) : 0;
      const within = at >= size ? (chances[at - size] as number) : 0;
      chances[at] = (without + within) / 2;
    }
  }
  const least = (room - Math.abs(sum)) / 2;
  let share = 0;
  for (let at = 0; at <= least; at += 1) share += chances[at] as number;
  return Math.min(1, 2 * share);
}
