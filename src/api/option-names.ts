/** The options of each function: others are refused, for nobody would heed them. Where they are checked, types see to it that none is forgotten. */

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
  queue: true,
  batch: true,
  signal: true,
  onStart: true,
  onProgress: true,
  out: true,
  onOpen: true,
  onSummary: true,
  record: true,
} as const;

export const evaluateNames = {
  ...asked,
  ...gates,
  ...allowFailed,
  datasets: true,
  savePrompts: true,
  holdAgainst: true,
} as const;

/** One set of options serves the run and what is said of it before. */
export const planNames = {
  ...evaluateNames,
  latency: true,
} as const;

export const prefixStudyNames = {
  models: true,
  datasets: true,
  limit: true,
  ids: true,
  where: true,
  maxOutLen: true,
  compat: true,
  block: true,
  size: true,
  inFlight: true,
  imageTokens: true,
  groupBy: true,
} as const;

export const sweepNames = {
  ...asked,
  ...allowFailed,
  failUnder: true,
  axes: true,
  sameTemplate: true,
  budget: true,
  seed: true,
} as const;

export const rescoreNames = {
  ...gates,
  ...allowFailed,
  config: true,
  evaluator: true,
  onScoring: true,
} as const;

export const compareNames = { models: true, level: true, flips: true, why: true } as const;

export const exportNames = { format: true, model: true, dataset: true, onlyFailed: true } as const;

export const showNames = { row: true, model: true, dataset: true } as const;

export const leaderboardNames = { template: true, compare: true } as const;
