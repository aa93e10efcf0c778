import { type BootstrapOptions, bootstrapCounts } from './bootstrap.ts';
import { requireThat } from './check.ts';
import type { Estimate } from './estimate.ts';
import { ValueCounts } from './value-counts.ts';
import { wilson } from './wilson.ts';

/** Takes in scores one by one, in memory that does not grow, and estimates their mean. */
export class ScoreTally {
  readonly #counts = new ValueCounts();
  #ones = 0;
  #zeros = 0;

  get size(): number {
    return this.#counts.size;
  }

  add(score: number): void {
    requireThat(Number.isFinite(score), `${score} is no score`);
    if (score === 1) this.#ones += 1;
    if (score === 0) this.#zeros += 1;
    this.#counts.add(score);
  }

  /** Wilson's interval if all scores are 0 or 1, else a bootstrap; nothing without scores. */
  estimate(options: BootstrapOptions): Estimate | undefined {
    if (this.#ones + this.#zeros === this.size) return wilson(this.#ones, this.size, options.level);
    return bootstrapCounts(this.#counts, options);
  }
}
