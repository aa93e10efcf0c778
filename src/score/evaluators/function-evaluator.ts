import * as z from 'zod';
import { displayPath } from '../../base/display-path.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { thrownPlace } from '../../base/thrown-place.ts';
import { ConfigError, formatPath, TypecaseError } from '../../errors.ts';
import { describeType } from '../../prompt/mapping.ts';
import type { Message } from '../../prompt/prompt.ts';
import type { ToolCall } from '../../prompt/tool-call.ts';
import { Float, formatValue, type Row } from '../../prompt/values.ts';
import { componentType } from '../component/component.ts';
import { nonEmptyText } from '../component/option-kinds.ts';
import { extractAnswer } from '../create-scorer.ts';
import { trimmed } from '../extract/text-extractors.ts';
import { notAsked, unscored, unusableScores } from '../row-score.ts';
import type { RowScore, ScoreInput, Scorer, Unscored } from '../scorer.ts';
import type { ScoringParts } from './scoring-parts.ts';

/** What a function that scores answers is given besides the answer: copies. */
export interface FunctionInput {
  /** What stands in the output column. */
  readonly gold: unknown;
  readonly row: Row;
  /** What was asked: a text is one message of the user. */
  readonly messages: readonly Message[];
  /** The answer is JSON of what a function that stands in for a model gave as its `object`. */
  readonly object?: true | undefined;
  /** The tools that were called, or that the model wanted to be called. */
  readonly toolCalls: readonly ToolCall[];
  /** Why the model stopped: `stop`, `length`, `tool_calls` … */
  readonly finish: string;
  /** What the answer took; null where the server does not tell. */
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  readonly latencyMs: number;
  /** What it cost, by the `price` of the model; null where that is not known. */
  readonly cost: number | null;
}

/** A score with why it is that, and further measures from 0 to 1. */
export interface DetailedScore {
  readonly score?: number | boolean | null | undefined;
  /** Whether the answer will do, where the score does not say so. */
  readonly pass?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly metrics?: Readonly<Record<string, number | boolean>> | undefined;
}

/**
 * A score from 0 to 1, or whether the answer is right. Null skips the check for this row, or leaves
 * the row unscored where the function is all there is.
 */
export type FunctionScore = number | boolean | null | DetailedScore;

/** Scores an answer, at once or later. */
export type ScoreFunction = (
  answer: string,
  input: FunctionInput,
) => FunctionScore | Promise<FunctionScore>;

const scoreFunction = z
  .custom<ScoreFunction>((value) => typeof value === 'function', {
    error: 'a function, in a TypeScript or JavaScript config',
  })
  .meta({ not: {}, tsType: 'ScoreFunction' });

export const functionEvaluators = {
  function: componentType({
    summary: 'scored by a function in a TypeScript config',
    options: {
      score: scoreFunction
        .optional()
        .describe('The function; in a TypeScript or JavaScript config'),
      metric: nonEmptyText.optional().describe('Name of the score; `score` by default'),
    },
    build({ score, metric = 'score' }, parts: ScoringParts, { path }) {
      if (score) return functionScorer(score, { ...parts, metric });
      throw new ConfigError('config.missing_key', `${formatPath(path)} has no \`score\``, {
        path,
        hint: 'Add the function in a TypeScript config. Runs do not save it: use `typecase score FOLDER CONFIG`.',
      });
    },
  }),
};

function functionScorer(
  score: ScoreFunction,
  { extractorsOf, cleanGold, metric }: ScoringParts & { readonly metric: string },
): Scorer {
  return {
    metric,
    direction: 'higher',
    range: [0, 1],
    measuresMore: () => true,
    columns: 'any',
    readsFacts: true,
    score: () => unscored('not scored yet'),
    async scoreLater(input, signal, stop = signal) {
      const { row, facts } = input;
      const extracted = textOf(input, extractorsOf);
      if (typeof extracted !== 'string') return extracted;
      const gold = cleanGold ? cleanGold(input.gold, row) : input.gold;
      const given = copyOf({ ...unknownFacts, ...facts, gold, row }) as FunctionInput;
      const value = await calledValue(score, { answer: extracted, given, metric, stop });
      return rowScore(value, { extracted, gold, metric });
    },
  };
}

const unknownFacts: Omit<FunctionInput, 'gold' | 'row'> = {
  messages: [],
  toolCalls: [],
  finish: 'stop',
  tokens: { input: null, output: null },
  latencyMs: 0,
  cost: null,
};

/** A function sees an answer without text too: it may call tools, or not be what the function is about. */
function textOf(input: ScoreInput, extractorsOf: ScoringParts['extractorsOf']) {
  const { answer, label, unmeasured, logprobs = [] } = input;
  const isGenerated = label === undefined && unmeasured === undefined && logprobs.length === 0;
  const isBlank = !answer.isVerbatim && answer.answer.trim() === '';
  if (isGenerated && !answer.unfinishedReasoning && isBlank) return '';
  const extracted = extractAnswer(input, extractorsOf?.(input.row) ?? [trimmed]);
  return extracted.type === 'unscored' ? extracted : extracted.value;
}

interface Call {
  readonly answer: string;
  readonly given: FunctionInput;
  readonly metric: string;
  readonly stop: AbortSignal;
}

/** What the function gives; what it throws says where. */
async function calledValue(
  score: ScoreFunction,
  { answer, given, metric, stop }: Call,
): Promise<unknown> {
  try {
    const result = score(answer, given);
    return isPromise(result) ? await settledValue(result, { metric, stop }) : result;
  } catch (error) {
    if (TypecaseError.isInstance(error) || error === stop.reason) throw error;
    const place = thrownPlace(error);
    if (!place) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const at = `${displayPath(place.file)}:${place.line}:${place.column}`;
    throw new Error(`${reason} (${at})`, { cause: error });
  }
}

/** Nobody can end the function itself; what it promised is not waited for any longer. */
async function settledValue(
  result: PromiseLike<unknown>,
  { metric, stop }: Pick<Call, 'metric' | 'stop'>,
): Promise<unknown> {
  const { settled } = await import('../../base/settled.ts');
  const unsettled = () => new Error(`the promise of the function \`${metric}\` never settles`);
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(stop.reason);
    stop.addEventListener('abort', giveUp, { once: true });
    if (stop.aborted) giveUp();
    settled(result, unsettled)
      .finally(() => stop.removeEventListener('abort', giveUp))
      .then(resolve, reject);
  });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

interface ScoredText {
  readonly extracted: string;
  readonly gold: unknown;
  readonly metric: string;
}

function isDetailed(value: unknown): value is DetailedScore {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'score' in value || 'pass' in value;
}

/** Only a number or a boolean is a score: what else JavaScript would make a number of is a mistake. */
function rowScore(value: unknown, scored: ScoredText): RowScore {
  if (!isDetailed(value)) return plainScore(value, scored);
  const { score, pass, reason } = value;
  if (pass !== undefined && pass !== null && typeof pass !== 'boolean')
    return unscored(
      unusableScores.badPass,
      `\`pass\` must be true or false, not ${describeType(pass)}`,
    );
  const slip = slipIn(value);
  if (slip) return unscored(unusableScores.badKey, slip);
  const metrics = metricsIn(value, scored);
  if ('type' in metrics) return metrics;
  const isSkipped = score === null || (score === undefined && pass === null);
  const result = plainScore(score ?? pass ?? (isSkipped ? null : undefined), scored);
  if (result.type === 'unscored') return result;
  const isTold = typeof reason === 'string' && reason !== '';
  const isRefused = pass === false && result.value > 0;
  const detail = isTold ? reason : isRefused ? 'the function reported a failure' : undefined;
  return {
    ...result,
    ...(typeof pass === 'boolean' && {
      isRight: pass,
      checks: [{ name: scored.metric, score: result.value, passed: pass, reason: detail }],
    }),
    ...(detail !== undefined && { detail }),
    ...(Object.keys(metrics.own).length > 0 && { metrics: metrics.own }),
  };
}

const detailKeys = ['score', 'pass', 'reason', 'metrics'];

/** Further measures by their names, as numbers; a name of the score itself would hide it. */
function metricsIn(
  { metrics = {} }: { readonly metrics?: unknown },
  { metric }: ScoredText,
): { readonly own: Readonly<Record<string, number>> } | Unscored {
  const refused = (detail: string) => unscored(unusableScores.badMetrics, detail);
  if (metrics === null) return { own: {} };
  if (typeof metrics !== 'object' || Array.isArray(metrics))
    return refused(`\`metrics\` must be an object of numbers, not ${describeType(metrics)}`);
  const own: Record<string, number> = {};
  for (const [name, measure] of Object.entries(metrics) as [string, unknown][]) {
    if (name.trim() === '') return refused('a metric has an empty name');
    if (name === metric) return refused(`the metric \`${name}\` has the name of the score itself`);
    if (typeof measure !== 'number' && typeof measure !== 'boolean')
      return refused(
        `the metric ${name} must be a number from 0 to 1, true or false, not ${describeType(measure)}`,
      );
    const number = Number(measure);
    if (!(number >= 0 && number <= 1))
      return unscored(unusableScores.outOfRange, `the metric ${name} is ${number}`);
    own[name] = number;
  }
  return { own };
}

/** A key that is misspelt: without it a failure would pass. Further keys may be there. */
function slipIn(value: DetailedScore): string | undefined {
  const missing = detailKeys.filter((key) => !(key in value));
  for (const key of Object.keys(value)) {
    if (detailKeys.includes(key)) continue;
    const near = nearestName(key, missing);
    if (near !== undefined) return `\`${key}\`; did you mean \`${near}\`?`;
  }
  return undefined;
}

function plainScore(value: unknown, { extracted, gold }: ScoredText): RowScore {
  if (value === undefined) return unscored(unusableScores.noScore);
  if (value === null) return { ...unscored(unusableScores.noScore), skips: 'on purpose' };
  if (value === notAsked) return { ...unscored(unusableScores.noScore), skips: 'not asked' };
  if (typeof value !== 'number' && typeof value !== 'boolean')
    return unscored(unusableScores.noNumber, nameOf(value));
  const number = Number(value);
  if (!(number >= 0 && number <= 1)) return unscored(unusableScores.outOfRange, String(value));
  const want = gold === undefined ? '' : formatValue(gold);
  return { type: 'scored', value: number, extracted, compared: { got: extracted, want } };
}

/** `a string`, `a Date`: what a function gave may have no text of its own. */
function nameOf(value: unknown): string {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return `it gave ${/^[AEIO]/.test(name) ? 'an' : 'a'} ${typeof value === 'object' ? name : typeof value}`;
}

/** A function may write to what it is given; the run goes on with what was read. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [key, copyOf(item)]));
  if (typeof value !== 'object' || value === null || value instanceof Float) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
