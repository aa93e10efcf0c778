/** A span of time that begins now. Clocks may be set back while it lasts: its length does not show it. */
export class TimeSpan {
  readonly startedAt = new Date().toISOString();
  readonly #start = performance.now();

  get ms(): number {
    return performance.now() - this.#start;
  }

  /** The time of day now, or what it would be had the clock not been set back. */
  now(): string {
    const expected = Date.parse(this.startedAt) + this.ms;
    return new Date(Math.max(Date.now(), expected)).toISOString();
  }
}
