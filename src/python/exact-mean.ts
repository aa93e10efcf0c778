import { ratioOf } from './format/decimal-digits.ts';

/** What every float is a whole multiple of: 2^-1074. */
const unit = 2n ** 1074n;
const decimals = 40;

/** What `statistics.mean` gives for numbers of at least 0: the sum is not rounded on the way. */
export class ExactMean {
  #sum = 0n;
  #count = 0;

  add(value: number): void {
    const [numerator, denominator] = ratioOf(value);
    this.#sum += numerator * (unit / denominator);
    this.#count++;
  }

  /** Null if there are no numbers. */
  get value(): number | null {
    if (this.#count === 0) return null;
    const digits = (this.#sum * 10n ** BigInt(decimals)) / (unit * BigInt(this.#count));
    return Number(`${digits}e-${decimals}`);
  }
}
