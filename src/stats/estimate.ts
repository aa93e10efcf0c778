/** A number with its uncertainty. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Share of intervals that hold the truth, such as 0.95. */
  readonly level: number;
  /** `combined`: made of the intervals of other estimates. */
  readonly method:
    | 'wilson'
    | 'bootstrap'
    | 'bca'
    | 'score'
    | 'bounded'
    | 'student'
    | 'clustered'
    | 'combined'
    | 'cross-fitted';
}

/** A number whose rows are too few, or too much alike, to say how far off it may be. */
export interface PointEstimate {
  readonly value: number;
  readonly interval: 'too few';
  readonly low?: never;
  readonly high?: never;
  readonly level?: never;
  readonly method?: never;
}

/** What is measured: with an interval wherever there is enough to say one. */
export type Measurement = Estimate | PointEstimate;

/**
 * Whether there was enough to say an interval.
 *
 * @example
 * hasInterval(wilson(8, 10)); // true
 * hasInterval({ value: 0, interval: 'too few' }); // false
 */
export function hasInterval(measurement: Measurement | undefined): measurement is Estimate {
  return measurement?.low !== undefined;
}

export const defaultLevel = 0.95;
