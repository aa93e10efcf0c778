/**
 * The statistics behind intervals, comparisons and plans. Pure, seeded functions on numbers; runs in
 * Node and in browsers.
 *
 * @module
 */

export { bootstrapMeanBca } from './bca.ts';
export { type BootstrapOptions, bootstrapMean } from './bootstrap.ts';
export { type CellMeasure, CellTally } from './cell-tally.ts';
export { type ClusteredEstimate, type ClusterOptions, clusteredMean } from './clustered-mean.ts';
export {
  type BinomialSettings,
  binomialChance,
  binomialShareUpTo,
  chiSquareShareAbove,
  studentQuantile,
  studentShareAbove,
} from './distributions.ts';
export type { Estimate } from './estimate.ts';
export { exactPermutation } from './exact-permutation.ts';
export { holm } from './holm.ts';
export { type DiscordantPairs, type McnemarResult, mcnemar } from './mcnemar.ts';
export {
  type DiscordantRates,
  mcnemarDetectable,
  mcnemarPairs,
  mcnemarPower,
} from './mcnemar-power.ts';
export { groupAverage } from './means.ts';
export { normalQuantile, normalShareAbove } from './normal.ts';
export {
  type PairedEffect,
  pairedMeanDetectable,
  pairedMeanPairs,
  pairedMeanPower,
} from './paired-mean-power.ts';
export { type PairedCounts, rateDifference } from './paired-rates.ts';
export {
  type Contributions,
  compareWholes,
  type PairedWholes,
  type WholeDifference,
} from './paired-whole.ts';
export {
  type PermutationOptions,
  type PermutationResult,
  permutationTest,
} from './permutation.ts';
export type { PowerGoal } from './power.ts';
export { ScoreTally } from './score-tally.ts';
export { SumTally } from './sum-tally.ts';
export {
  type CrossedDesign,
  type VarianceComponent,
  varianceComponents,
} from './variance-components.ts';
export { wilson, wilsonShare } from './wilson.ts';
