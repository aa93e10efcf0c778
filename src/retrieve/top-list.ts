/** Keeps the best of many scored indexes without sorting them all. */
export class TopList {
  readonly #limit: number;
  readonly #laterFirst: boolean;
  readonly #indexes: number[] = [];
  readonly #scores: number[] = [];

  /** Of equal scores the lower index comes first, or the higher one with `laterFirst`. */
  constructor(limit: number, { laterFirst = false }: { laterFirst?: boolean } = {}) {
    this.#limit = limit;
    this.#laterFirst = laterFirst;
  }

  /** Scores below this need not be offered. */
  get threshold(): number {
    if (this.#indexes.length < this.#limit) return Number.NEGATIVE_INFINITY;
    return this.#scores[this.#limit - 1] ?? Number.POSITIVE_INFINITY;
  }

  /** The indexes, best first. */
  get indexes(): readonly number[] {
    return this.#indexes;
  }

  get scores(): readonly number[] {
    return this.#scores;
  }

  offer(index: number, score: number): void {
    if (score < this.threshold) return;
    let rank = this.#indexes.length;
    while (rank > 0 && this.#isBefore(index, score, rank - 1)) rank -= 1;
    if (rank >= this.#limit) return;
    this.#indexes.splice(rank, 0, index);
    this.#scores.splice(rank, 0, score);
    if (this.#indexes.length <= this.#limit) return;
    this.#indexes.pop();
    this.#scores.pop();
  }

  #isBefore(index: number, score: number, rank: number): boolean {
    const other = this.#scores[rank] as number;
    if (score !== other) return score > other;
    return index > (this.#indexes[rank] as number) === this.#laterFirst;
  }
}
