/** A number with its uncertainty. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Share of intervals that hold the truth, such as 0.95. */
  readonly level: number;
  /** `combined`: made of the intervals of other estimates. */
  readonly interval?: never;
  readonly method:
    | 'wilson'
    | 'bootstrap'
    | 'bca'
    | 'score'
    | 'bounded'
    | 'student'
    | 'clustered'
    | 'delta'
    | 'combined'
    | 'cross-fitted';
}

/** A number without an interval, and why: rows are too few or too much alike, or no random part of all. */
export interface PointEstimate {
  readonly value: number;
  readonly interval: 'too few' | 'partial';
  readonly low?: never;
  readonly high?: never;
  readonly level?: never;
  readonly method?: never;
}

/** What is measured: with an interval wherever there is enough to say one. */
export type Measurement = Estimate | PointEstimate;

/**
 * Whether there were enough values for an interval.
 *
 * @example
 * hasInterval(wilson(8, 10)); // true
 * hasInterval({ value: 0, interval: 'too few' }); // false
 */
export function hasInterval(measurement: Measurement | undefined): measurement is Estimate {
  return measurement?.low !== undefined;
}

/** The same number where its rows were no random part of all: an interval would say nothing of the others. */
export function ofRowsReached({ value }: Measurement): PointEstimate {
  return { value, interval: 'partial' };
}

export const defaultLevel = 0.95;
