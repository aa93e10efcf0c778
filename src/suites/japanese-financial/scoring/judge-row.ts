/** The loglikelihoods of a document's choices, and what they are. */
export interface ChoiceLoglikelihoods {
  /** How likely each choice is, as a natural logarithm. */
  readonly logLikelihoods: readonly number[];
  /** The choices as answers, without delimiter. */
  readonly choices: readonly string[];
  readonly target: string;
}

/** How a document ended. */
export interface JudgedRow {
  /** Position of the right choice, or `noChoice`. */
  readonly gold: number;
  /** Position of the likeliest choice; the first of several. */
  readonly predicted: number;
  /** The same by likelihood for each character. */
  readonly predictedNormalized: number;
  /** Position of the right choice among all by likelihood, from 1; the last of several counts first. */
  readonly rank: number;
  readonly rankNormalized: number;
  readonly target: string;
}

/** Stands for a right answer that is not among the choices, as in the original's results. */
export const noChoice = -100;

/** Finds the choice that a model prefers, and where the right one stands. */
export function judgeRow({ logLikelihoods, choices, target }: ChoiceLoglikelihoods): JudgedRow {
  const normalized = logLikelihoods.map((value, index) => value / lengthOf(choices[index] ?? ''));
  const right = choices.indexOf(target);
  const gold = right < 0 ? noChoice : right;
  return {
    gold,
    predicted: largestOf(logLikelihoods),
    predictedNormalized: largestOf(normalized),
    rank: rankOf(gold, logLikelihoods),
    rankNormalized: rankOf(gold, normalized),
    target,
  };
}

function lengthOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function largestOf(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value > (values[best] ?? 0) ? index : best), 0);
}

function rankOf(position: number, values: readonly number[]): number {
  const own = values[position];
  if (own === undefined) return Number.POSITIVE_INFINITY;
  const isAhead = (value: number, index: number) =>
    value > own || (value === own && index > position);
  return 1 + values.filter(isAhead).length;
}
