import { type Gate, isWithin, type RowLimit, scoreOf, writeRowLimit } from '../config/gate.ts';
import type {
  GateResult,
  Measurement,
  MetricKind,
  RunSummary,
  TaskResult,
} from '../run/summary.ts';
import { isUnfit, noEvaluator, noGold, unusableGold, unusableScores } from '../score/row-score.ts';

const none: RowLimit = { rows: 0 };
/** What rounding may take away from a score; two scores differ by more. */
const tolerance = 1e-12;

/** Holds a result to a gate. No row may fail unless the gate allows it. */
export function holdToGate(result: TaskResult, gate: Gate): GateResult[] {
  const { maxUnscored, allowFailed } = gate;
  const failed = failedRows(result);
  return [
    ...(allowFailed || failed > 0
      ? [rowGate(result, { gate: 'allow_failed', limit: allowFailed ?? none, got: failed })]
      : []),
    ...(maxUnscored ? [unscoredGate(result, maxUnscored)] : []),
    ...marksOf(result, gate).map((mark) => scoreGate(result, mark, gate)),
  ];
}

/** Rows that have no score because a server or a scorer failed; the next run tries them again. */
export function failedRows({ rows, scorerFailed = 0 }: TaskResult): number {
  return rows.failed + scorerFailed;
}

interface Mark {
  readonly metric: string;
  readonly asked: number;
  /** Whether it is asked of whatever the metric is, as a share of what can be reached. */
  readonly isShare?: boolean;
}

function marksOf({ metric }: TaskResult, { failUnder }: Gate): Mark[] {
  if (failUnder === undefined) return [];
  if (typeof failUnder === 'number') return [{ metric, asked: failUnder, isShare: true }];
  return Object.entries(failUnder).map(([name, asked]) => ({
    metric: name,
    asked: scoreOf(asked),
  }));
}

function rowGate(
  { model, dataset, rows, partial }: TaskResult,
  {
    gate,
    limit,
    got,
  }: { readonly gate: GateResult['gate']; readonly limit: RowLimit; readonly got: number },
): GateResult {
  const passed = rows.missing === 0 && !partial && isWithin(limit, got, rows.total);
  return { model, dataset, gate, asked: writeRowLimit(limit), got, passed };
}

/** Samples without a score of rows that have one are held to the same limit as rows. */
function unscoredGate(result: TaskResult, limit: RowLimit): GateResult {
  const gate = rowGate(result, { gate: 'max_unscored', limit, got: result.rows.unscored });
  if (!gate.passed || areSamplesWithin(limit, result)) return gate;
  return { ...gate, passed: false, problem: 'unscored_samples' };
}

function areSamplesWithin(limit: RowLimit, { samples }: TaskResult): boolean {
  return samples === undefined || isWithin(limit, samples.unscored, samples.asked);
}

function scoreGate(result: TaskResult, mark: Mark, gate: Gate): GateResult {
  const { metric, asked } = mark;
  const { model, dataset } = result;
  const measured = measuredBy(result, metric);
  const got = measured && (measured.allRows ?? measured.score).value;
  const problem = problemOf(result, { measured, gate, mark });
  const isReached = got !== undefined && reaches(got, asked, measured);
  return {
    model,
    dataset,
    gate: 'fail_under',
    metric,
    asked,
    ...(got !== undefined && { got }),
    passed: !problem && isReached,
    ...(problem && { problem }),
  };
}

function reaches(got: number, asked: number, { direction }: MetricKind = {}): boolean {
  return direction === 'lower' ? got <= asked + tolerance : got >= asked - tolerance;
}

interface Measured extends MetricKind {
  readonly score: Measurement;
  readonly allRows?: Measurement;
}

/** What a result says of a metric. */
export function measuredBy(result: TaskResult, name: string): Measured | undefined {
  const { metric, score, metrics = [] } = result;
  return name === metric && score
    ? { ...result, score }
    : metrics.find((other) => other.name === name);
}

function problemOf(
  result: TaskResult,
  {
    measured,
    gate,
    mark,
  }: { readonly measured: Measured | undefined; readonly gate: Gate; readonly mark: Mark },
): GateResult['problem'] {
  if (result.rows.missing > 0 || result.partial) return 'missing_rows';
  if (!result.score) return 'no_score';
  if (!measured) return 'no_metric';
  if (measured.plain && mark.isShare) return 'other_scale';
  return measured.allRows || mayLack(result, gate) ? undefined : 'uncounted_rows';
}

/** Whether rows and samples without a score may be left out of account. */
function mayLack(result: TaskResult, gate: Gate): boolean {
  const { rows } = result;
  const { maxUnscored = none, allowFailed = none } = gate;
  return (
    isWithin(maxUnscored, rows.unscored, rows.total) &&
    isWithin(allowFailed, rows.failed, rows.total) &&
    areSamplesWithin(maxUnscored, result)
  );
}

/** The gates that a run does not pass. */
export function failedGates({ gates = [] }: RunSummary): readonly GateResult[] {
  return gates.filter(({ passed }) => !passed);
}

/** What a sweep came to: its own summary, and the results of its cells. */
interface SweptRun {
  readonly summary: Pick<RunSummary, 'complete'>;
  readonly run: RunSummary;
  readonly gates?: readonly { readonly passed: boolean }[];
}

/**
 * The exit code of a run, by its summary, or of a sweep, by its result: 3 if rows are missing or failed,
 * or if no row of a task with gold answers has a score and no gate says what that means; 1 if another gate is missed; else 0.
 *
 * @example
 * exitCodeOf(summary); // 0
 */
export function exitCodeOf(result: RunSummary | SweptRun): 0 | 1 | 3 {
  // With a budget a sweep is complete although its cells are not.
  const summary = 'run' in result ? { ...result.run, complete: result.summary.complete } : result;
  const missed = failedGates(summary);
  const isLost = summary.results.some(
    (result) => result.rows.total > 0 && failedRows(result) === result.rows.total,
  );
  const isUseless = summary.results.some(
    (result) => hasNoUsableGold(result) || hasNoScores(result, summary),
  );
  if (
    !summary.complete ||
    isLost ||
    isUseless ||
    missed.some(({ gate }) => gate === 'allow_failed')
  )
    return 3;
  const isBelow = 'run' in result && result.gates?.some(({ passed }) => !passed);
  const isLosing = (summary.baseline?.broken.length ?? 0) > 0;
  return missed.length > 0 || isBelow || isLosing ? 1 : 0;
}

/** Whether no row has a score, and gold answers that cannot be used are to blame. */
export function hasNoUsableGold(result: Pick<TaskResult, 'rows' | 'reasons'>): boolean {
  return isLeftWithout(
    result,
    (reason) => reason.startsWith(unusableGold) || isOneOf(reason, [unusableGold]),
  );
}

/**
 * Whether no row has a score although there is an evaluator and gold answers. Where the scorer is not to blame, a gate
 * on scores, or on rows without one, decides what that means.
 */
export function hasNoScores(
  result: Pick<TaskResult, 'model' | 'dataset' | 'rows' | 'reasons'>,
  { gates = [] }: Pick<RunSummary, 'gates'>,
): boolean {
  const isUnusable = (reason: string) =>
    isUnfit(reason) || isOneOf(reason, Object.values(unusableScores));
  if (isLeftWithout(result, isUnusable)) return true;
  const isGated = gates.some(
    ({ model, dataset, gate }) =>
      model === result.model && dataset === result.dataset && gate !== 'allow_failed',
  );
  const isMeant = (reason: string) => reason.startsWith(noEvaluator) || isOneOf(reason, [noGold]);
  return !isGated && isLeftWithout(result, (reason) => !isMeant(reason));
}

function isLeftWithout(
  { rows, reasons }: Pick<TaskResult, 'rows' | 'reasons'>,
  isReason: (reason: string) => boolean,
): boolean {
  return rows.scored === 0 && reasons.some(({ reason }) => isReason(reason));
}

/** Checks have their name before their reason. */
function isOneOf(reason: string, reasons: readonly string[]): boolean {
  return reasons.some((one) => reason === one || reason.endsWith(`: ${one}`));
}
