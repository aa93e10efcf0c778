/** How long answers took, in seconds. The median and the 95th percentile are exact to 2.5 %. */
export interface Latency {
  readonly total: number;
  readonly median: number;
  readonly p95: number;
}

const logStep = Math.log(1.05);

/** Adds up how long answers took, in memory that does not grow: counts by steps of 5 %. */
export class LatencyTally {
  readonly #steps: number[] = [];
  #answers = 0;
  #totalMs = 0;

  add(milliseconds: number): void {
    const step = milliseconds > 1 ? Math.round(Math.log(milliseconds) / logStep) : 0;
    this.#steps[step] = (this.#steps[step] ?? 0) + 1;
    this.#answers++;
    this.#totalMs += milliseconds;
  }

  /** Nothing if there was no answer. */
  get latency(): Latency | undefined {
    if (this.#answers === 0) return undefined;
    return {
      total: this.#totalMs / 1000,
      median: this.#quantile(0.5),
      p95: this.#quantile(0.95),
    };
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
