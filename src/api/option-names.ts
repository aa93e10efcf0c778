import type { OptionNames } from '../base/option-names.ts';
import type { CompareOptions } from './compare-runs.ts';
import type { EvaluateOptions } from './evaluate.ts';
import type { ExplainCacheOptions } from './explain-cache.ts';
import type { LeaderboardOptions } from './leaderboard.ts';
import type { PlanOptions } from './plan-run.ts';
import type { RescoreOptions } from './rescore.ts';
import type { ShowOptions } from './show-row.ts';
import type { SweepOptions } from './sweep.ts';

/** The options of each function: others are refused, for nobody would heed them. */

const allowFailed = { allowFailed: true } as const;
const gates = { failUnder: true, maxUnscored: true } as const;

const asked = {
  models: true,
  limit: true,
  ids: true,
  where: true,
  maxOutLen: true,
  temperature: true,
  concurrency: true,
  rps: true,
  retries: true,
  timeout: true,
  priceIn: true,
  priceOut: true,
  compat: true,
  cache: true,
  fresh: true,
  retry: true,
  maxTime: true,
  maxCost: true,
  signal: true,
  onStart: true,
  onProgress: true,
  out: true,
  onOpen: true,
  onSummary: true,
  record: true,
} as const;

export const evaluateNames: OptionNames<EvaluateOptions> = {
  ...asked,
  ...gates,
  ...allowFailed,
  datasets: true,
};

/** One set of options serves the run and what is said of it before. */
export const planNames: OptionNames<EvaluateOptions & PlanOptions> = {
  ...evaluateNames,
  latency: true,
};

export const explainNames: OptionNames<EvaluateOptions & ExplainCacheOptions> = evaluateNames;

export const sweepNames: OptionNames<SweepOptions> = {
  ...asked,
  ...allowFailed,
  axes: true,
  sameTemplate: true,
  budget: true,
  seed: true,
};

export const rescoreNames: OptionNames<RescoreOptions> = {
  ...gates,
  ...allowFailed,
  config: true,
  evaluator: true,
};

export const compareNames: OptionNames<CompareOptions> = { models: true, level: true, flips: true };

export const showNames: OptionNames<ShowOptions> = { row: true, model: true, dataset: true };

export const leaderboardNames: OptionNames<LeaderboardOptions> = { template: true, compare: true };
