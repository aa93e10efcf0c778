import { requireThat } from './check.ts';

/**
 * Holm's adjustment of p values for many tests (Scandinavian Journal of Statistics 6, 1979): those
 * at or below the level are significant, and the chance of any false one among them stays within it.
 *
 * @example
 * holm([0.01, 0.04, 0.03]) // [0.03, 0.06, 0.06]
 */
export function holm(values: readonly number[]): number[] {
  for (const value of values) requireThat(value >= 0 && value <= 1, `${value} is not a p value`);
  const order = [...values.keys()].sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0));
  const adjusted = values.map(() => 1);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    const raised = (values.length - rank) * (values[index] ?? 1);
    largest = Math.min(1, Math.max(largest, raised));
    adjusted[index] = largest;
  }
  return adjusted;
}
