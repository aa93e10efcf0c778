/** How long answers took, in seconds. The median and the percentiles are exact to 2.5%. */
export interface Latency extends Percentiles {
  readonly total: number;
  /** How long streamed answers took to begin; left out where none was streamed. */
  readonly firstToken?: Percentiles;
  /** The rows whose answers took longest, the longest first; left out by older versions. */
  readonly longest?: readonly { readonly id: number; readonly seconds: number }[];
}

export interface Percentiles {
  readonly median: number;
  readonly p95: number;
  /** Left out by older versions. */
  readonly p99?: number;
}

const logStep = Math.log(1.05);
const namedRows = 3;

interface TimedRow {
  readonly id: number;
  readonly ms?: number | undefined;
  readonly firstMs?: number | undefined;
}

interface LongRow {
  readonly id: number;
  readonly ms: number;
}

/** The longest first; of equals the one that comes first in the data, in whatever order they were answered. */
function byLength(one: LongRow, other: LongRow): number {
  return other.ms - one.ms || one.id - other.id;
}

/** Adds up how long answers took, in memory that does not grow. */
export class LatencyTally {
  readonly #whole = new StepCounts();
  readonly #first = new StepCounts();
  #totalMs = 0;
  #longest: LongRow[] = [];

  add({ id, ms, firstMs }: TimedRow): void {
    if (ms === undefined) return;
    this.#whole.add(ms);
    this.#totalMs += ms;
    if (firstMs !== undefined) this.#first.add(firstMs);
    const last = this.#longest[namedRows - 1];
    if (last && byLength(last, { id, ms }) < 0) return;
    this.#longest = [...this.#longest, { id, ms }].sort(byLength).slice(0, namedRows);
  }

  /** Nothing if there was no answer. */
  get latency(): Latency | undefined {
    const { percentiles } = this.#whole;
    const { percentiles: firstToken } = this.#first;
    if (!percentiles) return undefined;
    return {
      total: this.#totalMs / 1000,
      ...percentiles,
      ...(firstToken && { firstToken }),
      longest: this.#longest.map(({ id, ms }) => ({ id, seconds: ms / 1000 })),
    };
  }
}

/** Counts times by steps of 5%. */
class StepCounts {
  readonly #steps: number[] = [];
  #answers = 0;

  add(milliseconds: number): void {
    const step = milliseconds > 1 ? Math.round(Math.log(milliseconds) / logStep) : 0;
    this.#steps[step] = (this.#steps[step] ?? 0) + 1;
    this.#answers++;
  }

  /** Nothing if there was none. */
  get percentiles(): Required<Percentiles> | undefined {
    if (this.#answers === 0) return undefined;
    const [median, p95, p99] = [this.#quantile(0.5), this.#quantile(0.95), this.#quantile(0.99)];
    return { median, p95, p99 };
  }

  #quantile(share: number): number {
    let below = 0;
    for (const [step, answers = 0] of this.#steps.entries()) {
      below += answers;
      if (below >= share * this.#answers) return Number((1.05 ** step / 1000).toPrecision(2));
    }
    return 0;
  }
}
