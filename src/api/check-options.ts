import { UsageError } from '../base/usage-error.ts';
import { failUnderForm, readFailUnder, readRowLimit, rowLimitForm } from '../config/gate.ts';
import { checkOptionNames, type OptionNames } from '../config/known-options.ts';
import { failureKinds } from '../model/failure-kind.ts';

type Check = readonly [isAllowed: (value: unknown) => boolean, wanted: string];

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const failUnder: Check = [(value) => readFailUnder(value) !== undefined, failUnderForm];
const rowLimit: Check = [(value) => readRowLimit(value) !== undefined, rowLimitForm];
const amount: Check = [(value) => isNumber(value) && value >= 0, 'a number, 0 or above'];
const names: Check = [isTexts, 'a list of names'];
const text: Check = [isText, 'a text'];
const count: Check = [
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'a whole number, 0 or above',
];
const countFromOne: Check = [
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  'a whole number, 1 or above',
];
const callback: Check = [(value) => typeof value === 'function', 'a function'];

/** What options may be, and how that is said; types alone do not keep `Number(undefined)` out. */
const checks: Readonly<Record<string, Check>> = {
  failUnder,
  maxUnscored: rowLimit,
  allowFailed: rowLimit,
  maxTime: [(value) => isNumber(value) && value > 0, 'a number of seconds above 0'],
  maxCost: [(value) => isNumber(value) && value > 0, 'an amount above 0'],
  latency: amount,
  priceIn: amount,
  priceOut: amount,
  seed: [Number.isSafeInteger, 'a whole number'],
  file: [isText, 'the path of a file'],
  out: [isText, 'the path of a folder'],
  cache: [(value) => typeof value === 'boolean' || isText(value), 'true, false or a folder'],
  onlyFailed: [(value) => typeof value === 'boolean', 'true or false'],
  format: [(value) => ['jsonl', 'csv', 'parquet'].includes(String(value)), 'jsonl, csv or parquet'],
  fresh: [(value) => typeof value === 'boolean', 'true or false'],
  savePrompts: [(value) => typeof value === 'boolean', 'true or false'],
  retry: [isRetry, `'all', 'none', or a list of ${failureKinds.join(', ')}`],
  models: names,
  datasets: names,
  ids: [isIds, 'a list or set of whole numbers'],
  where: [isText, 'a condition'],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  onOpen: callback,
  onScoring: callback,
  onStart: callback,
  onProgress: callback,
  onSummary: callback,
  holdAgainst: callback,
  level: [(value) => isNumber(value) && value >= 0.5 && value < 1, 'a share from 0.5 to 1'],
  flips: count,
  row: count,
  model: text,
  dataset: text,
  evaluator: text,
  template: text,
  block: countFromOne,
  size: countFromOne,
  inFlight: countFromOne,
  imageTokens: count,
  groupBy: text,
};

function isRetry(value: unknown): boolean {
  if (value === 'all' || value === 'none') return true;
  return Array.isArray(value) && value.every((kind) => failureKinds.includes(kind));
}

function isIds(value: unknown): boolean {
  if (value instanceof Map) return [...value.values()].every(isIds);
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isIterable && [...(value as Iterable<unknown>)].every(Number.isSafeInteger);
}

/** Refuses options that there are not, and values that would be read as something else, or as nothing. */
export function checkOptions<Options>(options: object, names: OptionNames<Options>): void {
  checkOptionNames(options, names);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check || value === undefined || check[0](value)) continue;
    const shown = typeof value === 'string' ? `'${value}'` : String(value);
    throw new UsageError(
      'usage.bad_option',
      `The option \`${name}\` is ${shown}; it must be ${check[1]}`,
    );
  }
}
