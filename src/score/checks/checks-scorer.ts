import {
  ConfigError,
  type ConfigPath,
  DataError,
  formatPath,
  TypecaseError,
} from '../../errors.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import type { MetricTraits } from '../metrics/metric.ts';
import { isGrade, isRight, rowTraits, unscored, unusableScores } from '../row-score.ts';
import type {
  AskedVerdict,
  CheckResult,
  ReadColumn,
  RowScore,
  Scored,
  ScoreInput,
  Scorer,
  ScorerJudge,
} from '../scorer.ts';
import type { ReadCheck } from './read-check.ts';

/** A check that is ready to be made. */
export interface BuiltCheck extends Omit<ReadCheck, 'name'> {
  readonly name: string;
  readonly scorer: Scorer;
}

/** What stands for all checks, and for whether all of them pass. */
export const checksMetric = 'checks';
export const passRate = 'pass_rate';

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

/** A scorer of several checks: their weighted mean, with each beside it. */
export function createChecksScorer(checks: readonly BuiltCheck[], ofRows?: ChecksOfRows): Scorer {
  const isLater = ofRows !== undefined || checks.some(({ scorer }) => scorer.scoreLater);
  const names = checks.map(({ name }) => name);
  const judges = checks.flatMap(({ scorer }) => scorer.judge ?? []);
  const judged = judgeOf(judges);
  const scorer: Scorer = {
    metric: checksMetric,
    ...share,
    traits: [passRate, ...names].map((name): MetricTraits => ({ ...share, name })),
    measuresMore: (name) => checks.some((check) => isMeasuredBy(check, name)),
    ...(ofRows && { namesIn: (row) => ofRows.namesIn(row, names) }),
    columns: columnsOf(checks),
    readsFacts: ofRows !== undefined || checks.some(({ scorer }) => scorer.readsFacts),
    ...judged,
    score: (input) => {
      if (isLater) return unscored('not scored yet');
      return combine(
        checks.map((check) => resultOf(check, check.scorer.score(inputFor(check, input)))),
        input,
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
          const given = { ...inputFor(check, input), replies };
          const score = await scoreCheck(check, given, { signal, stop });
          asked += score.verdicts?.length ?? 0;
          results.push(resultOf(check, withJudge(score, check, judged.judge?.name)));
        }
        return combine(results, input, fault);
      },
    }),
  };
  if (!ofRows) return scorer;
  const withRows = (rows: readonly NamedRow[]) => ({
    ...scorer,
    ...judgeOfRows(judges, ofRows, rows),
  });
  return { ...scorer, withRows };
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

function combine(
  outcomes: readonly CheckOutcome[],
  { answer }: ScoreInput,
  ofRow?: string | undefined,
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
  const weights = made.reduce((sum, { check }) => sum + check.weight, 0);
  if (weights === 0) return { ...unscored(unusableScores.noChecks), ...asked };
  const value =
    made.reduce((sum, { check, result }) => sum + check.weight * result.score, 0) / weights;
  const checks = made.map(({ result }) => result);
  const passed = checks.every((one) => one.passed);
  const failing = checks.filter((one) => !one.passed);
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
    },
    checks,
    ...(failing.length > 0 && {
      detail: failing.map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)).join('; '),
    }),
    ...asked,
  };
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
