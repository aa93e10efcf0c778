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
    | 'clustered'
    | 'combined'
    | 'cross-fitted';
}

export const defaultLevel = 0.95;
