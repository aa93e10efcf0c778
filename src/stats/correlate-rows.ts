/** What the rows of a score add to it, by the unit that they belong to: a row, or a cluster of rows. */
export type UnitShares = ReadonlyMap<string, number>;

/** Adds up the shares of rows by unit, as far as they are more or less than that of an average row. */
export function centeredShares(
  shares: ArrayLike<number>,
  unitAt: (place: number) => string,
): UnitShares {
  const units = new Map<string, number>();
  let sum = 0;
  for (let place = 0; place < shares.length; place += 1) sum += shares[place] ?? 0;
  const usual = sum / shares.length;
  for (let place = 0; place < shares.length; place += 1) {
    const unit = unitAt(place);
    units.set(unit, (units.get(unit) ?? 0) + (shares[place] ?? 0) - usual);
  }
  return units;
}

const rounding = 1e-24;

/**
 * How two scores vary together because they are over the same rows, from 0 to 1: the correlation of
 * what units add to them. Where all rows of a score are alike it is the share of units in common, the
 * most that it can be. What would make an average of the two surer than independent scores do counts
 * as 0.
 */
export function correlateShares(one: UnitShares, other: UnitShares): number {
  let common = 0;
  let product = 0;
  for (const [unit, share] of one) {
    const found = other.get(unit);
    if (found === undefined) continue;
    common += 1;
    product += share * found;
  }
  if (common === 0) return 0;
  const scale = sumOfSquares(one) * sumOfSquares(other);
  const found =
    scale > rounding ? product / Math.sqrt(scale) : common / Math.sqrt(one.size * other.size);
  return Math.min(1, Math.max(0, found));
}

function sumOfSquares(shares: UnitShares): number {
  let sum = 0;
  for (const share of shares.values()) sum += share ** 2;
  return sum;
}
