import { ExactMean } from '../../../python/exact-mean.ts';

/** What was done for a sample, as far as it is counted. */
export interface CountedResult {
  readonly hit_source: string | null;
  /** Seconds; null where nothing was asked. */
  readonly latency: number | null;
  readonly is_correct: boolean | null;
}

/** The totals of an experiment, in the words of the original. */
export interface Aggregates {
  readonly total_prompts: number;
  readonly cache_hits: number;
  readonly cache_hit_rate: number;
  readonly avg_latency: number | null;
  readonly avg_latency_hit: number | null;
  readonly avg_latency_miss: number | null;
  readonly answer_accuracy: number | null;
  readonly hit_breakdown: Readonly<Record<string, number>>;
}

/** Adds up results one by one. */
export class Aggregate {
  #total = 0;
  #hits = 0;
  #judged = 0;
  #correct = 0;
  readonly #hitLatency = new ExactMean();
  readonly #missLatency = new ExactMean();
  readonly #allLatency = new ExactMean();
  readonly #breakdown = new Map<string, number>();

  add({ hit_source, latency, is_correct }: CountedResult): void {
    this.#total++;
    if (hit_source !== null) {
      this.#hits++;
      this.#breakdown.set(hit_source, (this.#breakdown.get(hit_source) ?? 0) + 1);
    }
    if (is_correct !== null) this.#judged++;
    if (is_correct) this.#correct++;
    if (latency === null) return;
    this.#allLatency.add(latency);
    (hit_source === null ? this.#missLatency : this.#hitLatency).add(latency);
  }

  get totals(): Aggregates {
    return {
      total_prompts: this.#total,
      cache_hits: this.#hits,
      cache_hit_rate: this.#total === 0 ? 0 : this.#hits / this.#total,
      avg_latency: this.#allLatency.value,
      avg_latency_hit: this.#hitLatency.value,
      avg_latency_miss: this.#missLatency.value,
      answer_accuracy: this.#judged === 0 ? null : this.#correct / this.#judged,
      hit_breakdown: Object.fromEntries(this.#breakdown),
    };
  }
}
