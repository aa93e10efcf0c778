import { requireLevel, requireThat } from './check.ts';
import { defaultLevel, type Measurement } from './estimate.ts';
import { normalQuantile } from './normal.ts';

/** How often two raters said yes and no to the same things. */
export interface Agreements {
  readonly bothYes: number;
  readonly bothNo: number;
  /** Only the first said yes. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

const leastRows = 20;
const leastOfEach = 3;

/**
 * Cohen's kappa of two raters: how far they agree beyond what chance would do, 1 at most; nothing if
 * one of them always said the same. The interval is that of its large-sample variance (Fleiss, Cohen
 * and Everitt, Psychological Bulletin 72, 1969), taken on the scale of Fisher's z so that it ends
 * below 1. With fewer than 20 rows, or fewer than 3 of either answer, there is none.
 *
 * @example
 * cohenKappa({ bothYes: 40, bothNo: 35, onlyFirst: 15, onlySecond: 10 });
 * // { value: 0.5, low: 0.313…, high: 0.649…, level: 0.95, method: 'delta' }
 */
export function cohenKappa(
  { bothYes, bothNo, onlyFirst, onlySecond }: Agreements,
  level = defaultLevel,
): Measurement | undefined {
  requireLevel(level);
  const counts = [bothYes, onlyFirst, onlySecond, bothNo];
  for (const count of counts) {
    requireThat(Number.isSafeInteger(count) && count >= 0, `${count} is not a count`);
  }
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const first = (bothYes + onlyFirst) / rows;
  const second = (bothYes + onlySecond) / rows;
  const agreed = (bothYes + bothNo) / rows;
  const byChance = first * second + (1 - first) * (1 - second);
  if (rows === 0 || byChance === 1) return undefined;
  const value = (agreed - byChance) / (1 - byChance);
  const least = Math.min(first, 1 - first, second, 1 - second) * rows;
  if (rows < leastRows || least < leastOfEach || Math.abs(value) === 1)
    return { value, interval: 'too few' };
  const variance = varianceOf({
    shares: counts.map((count) => count / rows) as [number, number, number, number],
    first,
    second,
    value,
    byChance,
    rows,
  });
  const reach = (normalQuantile((1 + level) / 2) * Math.sqrt(variance)) / (1 - value ** 2);
  const at = Math.atanh(value);
  return { value, low: Math.tanh(at - reach), high: Math.tanh(at + reach), level, method: 'delta' };
}

interface VarianceParts {
  readonly shares: readonly [yesYes: number, yesNo: number, noYes: number, noNo: number];
  readonly first: number;
  readonly second: number;
  readonly value: number;
  readonly byChance: number;
  readonly rows: number;
}

function varianceOf({ shares, first, second, value, byChance, rows }: VarianceParts): number {
  const [yesYes, yesNo, noYes, noNo] = shares;
  const kept = 1 - value;
  const onDiagonal =
    yesYes * (1 - (first + second) * kept) ** 2 + noNo * (1 - (2 - first - second) * kept) ** 2;
  const offDiagonal =
    kept ** 2 * (yesNo * (second + 1 - first) ** 2 + noYes * (1 - second + first) ** 2);
  const centre = (value - byChance * kept) ** 2;
  return Math.max(0, (onDiagonal + offDiagonal - centre) / (rows * (1 - byChance) ** 2));
}
