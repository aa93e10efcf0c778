import {
  ConfigError,
  type ConfigPath,
  DataError,
  formatPath,
  TypecaseError,
} from '../../errors.ts';
import type { ToolCall, WireToolCall } from '../../prompt/tool-call.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import type { MetricTraits } from '../metrics/metric.ts';
import { isGrade, isRight, passRate, rowTraits, unscored, unusableScores } from '../row-score.ts';
import type {
  AnswerFacts,
  AskedVerdict,
  CheckResult,
  ReadColumn,
  RowScore,
  Scored,
  ScoreInput,
  Scorer,
  ScorerJudge,
} from '../scorer.ts';
import { verbatimReply } from '../split-thought.ts';
import type { ReadCheck } from './read-check.ts';

/** A check that is ready to be made. */
export interface BuiltCheck extends Omit<ReadCheck, 'name'> {
  readonly name: string;
  readonly scorer: Scorer;
}

/** What stands for all checks. */
export const checksMetric = 'checks';

const share = { direction: 'higher', range: [0, 1] } as const;

/** Gives checks their names: what they say themselves, else their type, told apart by what is wanted. */
export function nameChecks(checks: readonly ReadCheck[], taken: readonly string[] = []): string[] {
  const names: string[] = [...taken];
  const isAlone = (check: ReadCheck) =>
    checks.filter(({ type, name }) => name === undefined && type === check.type).length === 1 &&
    !names.includes(check.type);
  return checks.map((check) => {
    const plain =
      check.name ?? (isAlone(check) ? check.type : `${check.type} ${wantedOf(check)}`.trim());
    let name = plain;
    for (let number = 2; names.includes(name); number++) name = `${plain}-${number}`;
    names.push(name);
    return name;
  });
}

/** What a check is about, in a few characters. */
function wantedOf({ value, component }: ReadCheck): string {
  const { type: _, ...options } = component;
  const shown = value ?? options.value ?? options.pattern ?? options.tool ?? options.rubric ?? '';
  const text = (typeof shown === 'function' ? '' : formatValue(shown)).replace(/\s+/g, ' ');
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

/** Refuses a name that tables need, and an evaluator whose scores have no best or no worst. */
export function checkBuilt({ name, scorer, path, type }: BuiltCheck): void {
  if (name === checksMetric || name === passRate) {
    throw new ConfigError(
      'config.conflicting_keys',
      `${formatPath(path)} is called \`${name}\`, the name of the overall result`,
      { path, hint: 'Give the check another `name`.' },
    );
  }
  const { range } = rowTraits(scorer);
  if (range.every(Number.isFinite)) return;
  throw new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} is a \`${type}\`, whose scores are not between 0 and 1, so it cannot be a check`,
    { path, hint: 'Use it as the only evaluator, in a separate dataset.' },
  );
}

/** Makes the checks that a row brings; nothing where it brings none. */
export type RowChecks = (row: Row, taken: readonly string[]) => Promise<readonly BuiltCheck[]>;

/** The checks that rows bring, and what they are called. */
export interface ChecksOfRows {
  readonly build: RowChecks;
  readonly namesIn: (row: Row, taken: readonly string[]) => readonly string[];
  /** The judges that its checks ask. */
  readonly judgesIn: (row: Row) => readonly ScorerJudge[];
}

/** Several checks that count as one. */
export interface CheckSet {
  readonly threshold?: number | undefined;
  readonly weight?: number | undefined;
  readonly name?: string | undefined;
}

/** Changes an answer before a check looks at it, at once or later. */
export type TransformFunction = (
  answer: string,
  input: { readonly row: Row; readonly messages: AnswerFacts['messages'] },
) => unknown;

/** What holds for all checks together. */
export interface ChecksSettings {
  readonly ofRows?: ChecksOfRows | undefined;
  /** The score from which a row passes, whichever of its checks fail; left out, all have to pass. */
  readonly threshold?: number | undefined;
  readonly thresholdColumn?: string | undefined;
  readonly sets?: ReadonlyMap<string, CheckSet> | undefined;
  readonly transforms?: ReadonlyMap<string, TransformFunction> | undefined;
  /** Checks of text and transforms see the tool calls of an answer, as `outputOf` has them. */
  readonly callsAsAnswer?: boolean | undefined;
  /** Checks and transforms see the reply as it came. */
  readonly seesWhole?: boolean | undefined;
}

/** What promptfoo takes for the answer: the tool calls, or the whole message where it has text beside them. */
export function outputOf(text: string, calls: readonly ToolCall[]): string | object {
  if (calls.length === 0) return text;
  const tool_calls = calls.map(
    (call, index): WireToolCall => ({
      id: call.id ?? `call_${index}`,
      type: 'function',
      function: {
        name: call.name,
        arguments:
          typeof call.arguments === 'string'
            ? call.arguments
            : JSON.stringify(call.arguments ?? {}),
      },
    }),
  );
  return text === '' ? tool_calls : { role: 'assistant', content: text, tool_calls };
}

/** A scorer of several checks: their weighted mean, with each beside it. */
export function createChecksScorer(
  checks: readonly BuiltCheck[],
  settings: ChecksSettings = {},
): Scorer {
  const { ofRows } = settings;
  const isLater = ofRows !== undefined || checks.some(({ scorer }) => scorer.scoreLater);
  const names = [...checks.map(({ name }) => name), ...setNames(settings)];
  const judges = checks.flatMap(({ scorer }) => scorer.judge ?? []);
  const judged = judgeOf(judges);
  const scorer: Scorer = {
    metric: checksMetric,
    ...share,
    traits: [passRate, ...names].map((name): MetricTraits => ({ ...share, name })),
    measuresMore: (name) => checks.some((check) => isMeasuredBy(check, name)),
    ...(ofRows && { namesIn: (row) => ofRows.namesIn(row, names) }),
    columns: withThreshold(columnsOf(checks), settings),
    readsFacts: ofRows !== undefined || checks.some(({ scorer }) => scorer.readsFacts),
    ...judged,
    score: (input) => {
      if (isLater) return unscored('not scored yet');
      const given = seen(input, settings);
      return combine(
        checks.map((check) => resultOf(check, check.scorer.score(inputFor(check, given)))),
        { input, settings },
      );
    },
    ...(isLater && {
      async scoreLater(input, signal, stop = signal) {
        const results: CheckOutcome[] = [];
        const { own, fault } = await ownChecks(ofRows, input.row, names);
        let asked = 0;
        // One after the other: what judges said before is known in the order of the checks.
        for (const check of [...checks, ...own]) {
          if (input.onlyJudges && !check.scorer.judge) continue;
          const replies = input.replies?.slice(asked);
          const given = { ...inputFor(check, seen(input, settings)), replies };
          const score = await scoreChanged(check, given, { signal, stop, settings });
          asked += score.verdicts?.length ?? 0;
          results.push(resultOf(check, withJudge(score, check, judged.judge?.name)));
        }
        return combine(results, { input, settings, ofRow: fault });
      },
    }),
  };
  if (!ofRows) return scorer;
  const withRows = (rows: readonly NamedRow[]) => ({
    ...scorer,
    ...judgeOfRows(judges, ofRows, rows),
  });
  const judgesOf = (row: Row) => {
    try {
      return ofRows
        .judgesIn(row)
        .map(({ name }) => name)
        .join('\n');
    } catch (error) {
      if (isBadCheck(error)) return '';
      throw error;
    }
  };
  return { ...scorer, withRows, judgesOf };
}

/** What checks look at. */
function seen(input: ScoreInput, { seesWhole }: ChecksSettings): ScoreInput {
  return seesWhole ? { ...input, answer: verbatimReply(input.answer) } : input;
}

/** Why a row has no score of which a check failed itself, as of other scorers that fail. */
const brokenCheck = 'the scorer failed: ';

/** The checks that a row brings, or what is wrong with them. */
async function ownChecks(
  ofRows: ChecksOfRows | undefined,
  row: Row,
  names: readonly string[],
): Promise<{ readonly own: readonly BuiltCheck[]; readonly fault?: string }> {
  try {
    return { own: (await ofRows?.build(row, names)) ?? [] };
  } catch (error) {
    if (!isBadCheck(error)) throw error;
    return { own: [], fault: `${brokenCheck}${error.message}` };
  }
}

function isBadCheck(error: unknown): error is TypecaseError {
  return TypecaseError.isInstance(error) && error.code === 'data.bad_checks';
}

/** Says who gave a verdict where it is not the first judge. */
function withJudge(score: RowScore, { scorer }: BuiltCheck, first: string | undefined): RowScore {
  const judge = scorer.judge?.name;
  if (!score.verdicts || judge === undefined || judge === first) return score;
  return { ...score, verdicts: score.verdicts.map((verdict) => ({ ...verdict, judge })) };
}

interface Scoring {
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
  readonly settings: ChecksSettings;
}

/** Scores what the transforms of a check make of the answer; one that throws fails the check. */
async function scoreChanged(
  check: BuiltCheck,
  input: ScoreInput,
  { settings: { transforms, callsAsAnswer }, ...scoring }: Scoring,
): Promise<RowScore> {
  const { row, facts, answer } = input;
  // A function is given the calls beside the text.
  const hasCalls = callsAsAnswer && check.component.type !== 'function' && facts !== undefined;
  let made: unknown = hasCalls ? outputOf(answer.answer, facts.toolCalls) : answer.answer;
  if (check.transforms.length === 0 && made === answer.answer)
    return scoreCheck(check, input, scoring);
  try {
    for (const name of check.transforms) {
      const transform = transforms?.get(name);
      if (!transform) return unscored(`${brokenCheck}${check.name}: no transform \`${name}\``);
      made = await transform(made as string, { row, messages: facts?.messages ?? [] });
    }
    if (made === undefined || made === null) throw new Error('it gave nothing');
  } catch (error) {
    if (scoring.signal.aborted || TypecaseError.isInstance(error)) throw error;
    const reason = `the transform threw: ${error instanceof Error ? error.message : error}`;
    return { type: 'scored', value: 0, isRight: false, ...nothingRead, detail: reason };
  }
  const text = typeof made === 'object' ? JSON.stringify(made) : formatValue(made);
  const changed = {
    raw: text,
    answer: text,
    ...(answer.isVerbatim && { isVerbatim: true as const }),
  };
  return scoreCheck(check, { ...input, answer: changed }, scoring);
}

const nothingRead = { extracted: '', compared: { got: '', want: '' } };

async function scoreCheck(
  { scorer, name }: BuiltCheck,
  { replies, ...input }: ScoreInput,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortSignal },
): Promise<RowScore> {
  try {
    const given = scorer.judge && replies && replies.length > 0 ? { ...input, replies } : input;
    return scorer.scoreLater ? await scorer.scoreLater(given, signal, stop) : scorer.score(given);
  } catch (error) {
    const isEnded = signal.aborted || error === stop.reason;
    if (isEnded || TypecaseError.isInstance(error) || !(error instanceof Error)) throw error;
    return unscored(`${brokenCheck}${name}: ${error.message}`);
  }
}

/** A check may say itself what is wanted, or which column does. */
function inputFor({ value, column }: BuiltCheck, input: ScoreInput): ScoreInput {
  if (value === undefined && column === undefined) return input;
  return { ...input, gold: value ?? input.row[column ?? ''] };
}

interface CheckOutcome {
  readonly check: BuiltCheck;
  /** Left out where the check does not apply, or the row has no score because of it. */
  readonly result?: CheckResult | undefined;
  readonly fault?: string | undefined;
  readonly faultDetail?: string | undefined;
  readonly metrics?: Scored['metrics'];
  readonly verdicts?: readonly AskedVerdict[] | undefined;
}

/** Why an answer cannot be right, whatever is asked of it. */
const answerFaults = [
  'no answer found',
  'empty answer',
  'unfinished thinking',
  'no label is possible',
] as const;

function resultOf(check: BuiltCheck, score: RowScore): CheckOutcome {
  const { verdicts, detail } = score;
  if (score.type === 'unscored') {
    const { reason } = score;
    if (reason === unusableScores.noScore) return { check, verdicts };
    if (reason.startsWith(brokenCheck)) return { check, fault: reason, verdicts };
    if (!answerFaults.some((fault) => fault === reason)) {
      return { check, fault: `${check.name}: ${reason}`, faultDetail: detail, verdicts };
    }
    return { check, result: readResult(check, { value: 0, passes: false, reason }), verdicts };
  }
  const { range, direction } = rowTraits(check.scorer);
  const [lowest, highest] = range;
  const part = (score.value - lowest) / (highest - lowest);
  const value = direction === 'lower' ? 1 - part : part;
  const { threshold } = check;
  // Nothing says which grades are right: without a threshold it takes the best one.
  const isGood = isGrade(score) ? value === 1 : isRight(score);
  const passes = threshold === undefined ? isGood : value >= threshold;
  const reason = detail ?? (passes ? undefined : comparedReason(score));
  return {
    check,
    result: readResult(check, { value, passes, reason }),
    metrics: score.metrics,
    verdicts,
  };
}

function readResult(
  { name, isNegated, weight, type }: BuiltCheck,
  found: { readonly value: number; readonly passes: boolean; readonly reason?: string | undefined },
): CheckResult {
  const passed = weight === 0 || found.passes !== isNegated;
  const negated = passed ? undefined : `${type.slice('not-'.length)} passes, but should not`;
  const reason = isNegated ? negated : found.reason;
  return {
    name,
    score: isNegated ? 1 - found.value : found.value,
    passed,
    ...(reason !== undefined && { reason }),
  };
}

function comparedReason({ compared: { got, want } }: Scored): string | undefined {
  if (want === '') return undefined;
  const short = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return `got ${short(got)}, wanted ${short(want)}`;
}

interface Combining {
  readonly input: ScoreInput;
  readonly settings: ChecksSettings;
  /** What is wrong with the checks of the row. */
  readonly ofRow?: string | undefined;
}

function combine(
  outcomes: readonly CheckOutcome[],
  { input: { answer, row }, settings, ofRow }: Combining,
): RowScore {
  const verdicts = outcomes.flatMap((outcome) => outcome.verdicts ?? []);
  const asked = verdicts.length > 0 ? { verdicts } : {};
  const faulty = outcomes.find(({ fault }) => fault !== undefined);
  const made = outcomes.flatMap(({ check, result, metrics }) =>
    result ? [{ check, result, metrics }] : [],
  );
  const fault = ofRow ?? faulty?.fault;
  if (fault !== undefined) {
    // What the other checks found is kept; the row has no score of all of them.
    const found = made.length > 0 && {
      checks: made.map(({ result }) => result),
      metrics: Object.assign({}, ...made.map(ownMetrics)),
    };
    return {
      ...unscored(fault, ofRow === undefined ? faulty?.faultDetail : undefined),
      ...found,
      ...asked,
    };
  }
  const counted = countedParts(made, settings);
  const value = weightedMean(counted);
  if (value === undefined) return { ...unscored(unusableScores.noChecks), ...asked };
  const threshold = thresholdOf(row, settings);
  const isGiven = threshold !== undefined;
  const passed = isGiven ? value >= threshold : counted.every(({ result }) => result.passed);
  const ofSets = counted.flatMap(({ isSet, result }) => (isSet ? [result] : []));
  const checks = [...made.map(({ result }) => result), ...ofSets];
  const failing = passed ? [] : checks.filter((one) => !one.passed);
  const extracted = answer.answer.trim();
  return {
    type: 'scored',
    value: Math.min(1, value),
    isRight: passed,
    extracted,
    compared: { got: extracted, want: '' },
    metrics: {
      [passRate]: Number(passed),
      ...Object.assign({}, ...made.map(ownMetrics)),
      ...Object.fromEntries(ofSets.map(({ name, score }) => [name, score])),
    },
    checks,
    ...(failing.length > 0 && {
      detail: failing.map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)).join('; '),
    }),
    ...asked,
  };
}

/** What counts for the score of a row: a check that is in no set, or a set. */
interface CountedPart {
  readonly result: CheckResult;
  readonly weight: number;
  readonly isSet: boolean;
}

function countedParts(
  made: readonly { readonly check: BuiltCheck; readonly result: CheckResult }[],
  { sets }: ChecksSettings,
): readonly CountedPart[] {
  const members = new Map<string, CountedPart[]>();
  const alone: CountedPart[] = [];
  for (const { check, result } of made) {
    const part = { result, weight: check.weight, isSet: false };
    if (check.set === undefined) alone.push(part);
    else members.set(check.set, [...(members.get(check.set) ?? []), part]);
  }
  const ofSets = Array.from(members, ([key, parts]): CountedPart => {
    const { threshold, weight = 1, name = key } = sets?.get(key) ?? {};
    const score = weightedMean(parts) ?? 0;
    const passed =
      threshold === undefined ? parts.every((one) => one.result.passed) : score >= threshold;
    const reason = `${Number(score.toFixed(4))} of 1${threshold === undefined ? '' : `, where ${threshold} is wanted`}`;
    return {
      result: { name, score, passed, ...(!passed && { reason }) },
      weight,
      isSet: true,
    };
  });
  return [...alone, ...ofSets];
}

function weightedMean(parts: readonly CountedPart[]): number | undefined {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return undefined;
  return parts.reduce((sum, { weight, result }) => sum + weight * result.score, 0) / weights;
}

function thresholdOf(row: Row, { threshold, thresholdColumn }: ChecksSettings): number | undefined {
  const own = thresholdColumn === undefined ? undefined : row[thresholdColumn];
  return own === undefined || own === null || own === '' ? threshold : Number(own);
}

function setNames({ sets = new Map<string, CheckSet>() }: ChecksSettings): string[] {
  return Array.from(sets, ([key, { name = key }]) => name);
}

function withThreshold(
  columns: Scorer['columns'] = [],
  { thresholdColumn }: ChecksSettings,
): Scorer['columns'] {
  if (columns === 'any' || thresholdColumn === undefined) return columns;
  return columns.some(({ name }) => name === thresholdColumn)
    ? columns
    : [...columns, { name: thresholdColumn, path: [] }];
}

/** What a function measures beside the score of its check stands under the name of that. */
function isMeasuredBy({ name, component }: BuiltCheck, metric: string): boolean {
  return component.type === 'function' && metric.startsWith(`${name}/`);
}

/** The score of a check, and what a function measured beside it. */
function ownMetrics(made: {
  readonly check: BuiltCheck;
  readonly result: CheckResult;
  readonly metrics?: Scored['metrics'];
}): Readonly<Record<string, number>> {
  const { check, result, metrics = {} } = made;
  const isFunction = check.component.type === 'function';
  const further = isFunction ? Object.entries(metrics) : [];
  return {
    [result.name]: result.score,
    ...Object.fromEntries(further.map(([name, value]) => [`${result.name}/${name}`, value])),
  };
}

function columnsOf(checks: readonly BuiltCheck[]): Scorer['columns'] {
  const own = checks.map(({ scorer }) => scorer.columns ?? []);
  if (own.includes('any')) return 'any';
  const named = checks.flatMap(({ column, path }): ReadColumn[] =>
    column === undefined ? [] : [{ name: column, path: [...path, 'column'] }],
  );
  const all = [...own.flatMap((columns) => (columns === 'any' ? [] : columns)), ...named];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

/** The same with those that rows ask, of which each asks its own. */
function judgeOfRows(
  configured: readonly ScorerJudge[],
  { judgesIn }: ChecksOfRows,
  rows: readonly NamedRow[],
): Pick<Scorer, 'judge'> {
  const ofRows = rows.flatMap(({ id, row }) => {
    try {
      return judgesIn(row);
    } catch (error) {
      throw isBadCheck(error)
        ? new DataError(error.code, `row ${id}: ${error.message}`, {
            hint: error.hint,
            cause: error,
          })
        : error;
    }
  });
  const all = judgeOf([...configured, ...ofRows]);
  if (!all.judge) return {};
  const ownOf = (row: Row) => {
    try {
      return judgeOf([...configured, ...judgesIn(row)]).judge;
    } catch (error) {
      // What is wrong with the checks of a later row is told when it is scored.
      if (isBadCheck(error)) return judgeOf(configured).judge;
      throw error;
    }
  };
  return {
    judge: {
      ...all.judge,
      mediaOf: (row) => ownOf(row)?.mediaOf(row) ?? [],
      requestsFor: (input) => ownOf(input.row)?.requestsFor(input) ?? 0,
    },
  };
}

/** The judges of all checks as one: what is asked of them together. */
function judgeOf(judges: readonly ScorerJudge[]): Pick<Scorer, 'judge'> {
  const [first] = judges;
  if (!first) return {};
  const names = [...new Set(judges.map(({ name }) => name))];
  const judge: ScorerJudge = {
    name: first.name,
    ...(names.length > 1 && { others: names.slice(1) }),
    diagnostics: judges.flatMap(({ diagnostics = [] }) => diagnostics),
    showsMedia: judges.some(({ showsMedia }) => showsMedia),
    showsQuestion: judges.some(({ showsQuestion }) => showsQuestion),
    media: {
      parts: judges.flatMap(({ media }) => media.parts),
      texts: [...new Set(judges.flatMap(({ media }) => media.texts))],
    },
    mediaOf: (row) => judges.flatMap((one) => one.mediaOf(row)),
    requestsFor: (input) => judges.reduce((sum, one) => sum + one.requestsFor(input), 0),
  };
  return { judge };
}

/** Where a row's own checks stand, for messages. */
export function rowPath(index: number): ConfigPath {
  return ['checks', index];
}
