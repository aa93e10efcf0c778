export { type BootstrapOptions, bootstrapMean } from './bootstrap.ts';
export type { Estimate } from './estimate.ts';
export { groupAverage } from './means.ts';
export { ScoreTally } from './score-tally.ts';
export { wilson } from './wilson.ts';
