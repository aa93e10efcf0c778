/**
 * The statistics behind intervals, comparisons and plans. Pure, seeded functions on numbers; runs in
 * Node and in browsers.
 *
 * @module
 */

export { bootstrapMeanBca } from '../stats/bca.ts';
export { type BootstrapOptions, bootstrapMean } from '../stats/bootstrap.ts';
export { type BoundedOptions, boundedMean } from '../stats/bounded-mean.ts';
export type { ClusterName, ValueRange } from '../stats/cluster-sums.ts';
export {
  type ClusteredDifference,
  type ClusteredDifferenceOptions,
  clusteredDifference,
} from '../stats/clustered-difference.ts';
export {
  type ClusteredEstimate,
  type ClusterOptions,
  clusteredMean,
} from '../stats/clustered-mean.ts';
export { type Agreements, cohenKappa } from '../stats/cohen-kappa.ts';
export {
  type BinomialSettings,
  binomialChance,
  binomialShareUpTo,
  chiSquareShareAbove,
  studentQuantile,
  studentShareAbove,
} from '../stats/distributions.ts';
export {
  type Estimate,
  hasInterval,
  type Measurement,
  type PointEstimate,
} from '../stats/estimate.ts';
export { exactPermutation } from '../stats/exact-permutation.ts';
export type { Contributions } from '../stats/group-contributions.ts';
export { holm } from '../stats/holm.ts';
export { type DiscordantPairs, type McnemarResult, mcnemar } from '../stats/mcnemar.ts';
export {
  type DiscordantRates,
  mcnemarDetectable,
  mcnemarPairs,
  mcnemarPower,
} from '../stats/mcnemar-power.ts';
export type { MeanOptions } from '../stats/mean-estimate.ts';
export { groupAverage } from '../stats/means.ts';
export { normalQuantile, normalShareAbove } from '../stats/normal.ts';
export {
  type PairedEffect,
  pairedMeanDetectable,
  pairedMeanPairs,
  pairedMeanPower,
} from '../stats/paired-mean-power.ts';
export {
  compareDatasetMetrics,
  type MetricDifference,
  type PairedMetric,
} from '../stats/paired-metric.ts';
export { type PairedCounts, rateDifference } from '../stats/paired-rates.ts';
export {
  type PermutationOptions,
  type PermutationResult,
  permutationTest,
} from '../stats/permutation.ts';
export type { PowerGoal } from '../stats/power.ts';
export { type CellMeasure, CellTally, ScoreTally, SumTally } from '../stats/tallies.ts';
export {
  type CrossedDesign,
  type VarianceComponent,
  varianceComponents,
} from '../stats/variance-components.ts';
export { wilson, wilsonShare } from '../stats/wilson.ts';
