import { countOf, formatCount, oneLine } from '../base/format.ts';
import type { GateResult, RunSummary, TaskResult } from '../run/summary.ts';
import { formatApart, formatScore, type ScoreStyle, scoreStyleOf } from './format-scores.ts';
import { failedGates, measuredBy } from './gate.ts';

/**
 * The gates of a run: a line for each failed gate, or one line if all passed, besides gates that
 * differ from the run's own. Nothing for a run without gates.
 *
 * @example
 * describeGates(summary); // []
 */
export function describeGates(summary: RunSummary): string[] {
  const { gates = [], baseline } = summary;
  const missed = [
    ...failedGates(summary).map((gate) => `Gate failed: ${describeGate(gate, summary)}`),
    ...(baseline?.broken ?? []).map(
      (gate) => `Gate failed: against the baseline, ${baseline?.folder} (A): ${oneLine(gate)}`,
    ),
  ];
  if (missed.length > 0) return missed;
  const told = gates.length === 1 ? gates : gates.filter(({ recorded }) => recorded !== undefined);
  return [
    ...told.map((gate) => `Gate passed: ${describeGate(gate, summary)}`),
    ...(gates.length > 1 ? [`All ${gates.length} gates passed.`] : []),
  ];
}

/** A gate with its figures: `m on sums: accuracy 83.2, needs at least 90.0`. */
export function describeGate(gate: GateResult, summary: RunSummary): string {
  const { model, dataset } = gate;
  const result = summary.results.find((one) => one.model === model && one.dataset === dataset);
  const figures = result ? figuresOf(gate, result, scoreStyleOf(summary)) : '';
  return oneLine(`${model} on ${dataset}: ${figures}`);
}

/** The figures of a gate: `accuracy 83.2, needs at least 90.0`. */
export function figuresOf(gate: GateResult, result: TaskResult, style: ScoreStyle): string {
  if (gate.gate === 'fail_under') return scoreFigures(gate, result, style);
  const { recorded } = gate;
  const own = recorded === undefined ? '' : `; the run's own limit is ${recorded}`;
  const missing = missingIn(result).map((text) => `, ${text}`);
  return `${rowFigures(gate, result)}${missing.join('')}, allowed ${gate.asked}${own}`;
}

function rowFigures({ gate }: GateResult, result: TaskResult): string {
  const { rows, scorerFailed = 0 } = result;
  if (gate === 'max_unscored') {
    const counts = [share(rows.unscored, result), ...unscoredSamples(result)];
    return `${counts.join(' and ')} not scored`;
  }
  const parts = [
    ...(rows.failed > 0 || scorerFailed === 0 ? [`${share(rows.failed, result)} failed`] : []),
    ...(scorerFailed > 0 ? [`the scorer failed on ${share(scorerFailed, result)}`] : []),
  ];
  return parts.join(', ');
}

/** A run that was killed may not know how many rows it lacks. */
function missingIn(result: TaskResult): string[] {
  const { missing } = result.rows;
  if (missing > 0) return [`${share(missing, result)} missing`];
  return result.partial ? ['some rows missing'] : [];
}

/** `3 of 6 rows`. */
function share(rows: number, { rows: { total } }: TaskResult): string {
  return `${formatCount(rows)} of ${countOf(total, 'row')}`;
}

function scoreFigures(
  { metric = '', asked, got, problem, recorded }: GateResult,
  result: TaskResult,
  style: ScoreStyle,
): string {
  const measured = measuredBy(result, metric);
  const kind = measured ?? (metric === result.metric ? result : undefined);
  const format =
    got === undefined
      ? (value: number) => formatScore(value, style, kind)
      : formatApart([got, Number(asked)], style, kind);
  const own = recorded === undefined ? '' : `; the run's own limit is ${format(Number(recorded))}`;
  const wanted = `${kind?.direction === 'lower' ? 'needs at most' : 'needs at least'} ${format(Number(asked))}${own}`;
  if (!measured) return `${withoutMetric(result, { metric, problem })}, ${wanted}`;
  const { score, allRows } = measured;
  const counted = allRows
    ? ` with ${rowsWithout(result)} counted as wrong = ${format(allRows.value)}`
    : '';
  return [
    `${metric} ${format(score.value)}${counted}`,
    ...(problem === 'missing_rows' ? missingIn(result) : []),
    ...(problem === 'other_scale'
      ? [`which is not a share; use \`fail_under: { ${metric}: … }\``]
      : []),
    ...(problem === 'uncounted_rows' ? [`${rowsWithout(result)}, and not allowed`] : []),
    ...(!problem && result.uncounted ? [`${rowsWithout(result)} and left out`] : []),
    wanted,
  ].join(', ');
}

function withoutMetric(
  { score, metric: main, metrics = [] }: TaskResult,
  { metric, problem }: { readonly metric: string; readonly problem: GateResult['problem'] },
): string {
  if (!score || problem !== 'no_metric') return 'no row has a score';
  const names = [main, ...metrics.map(({ name }) => name)];
  return `no row has a score of ${metric}; metrics: ${names.join(', ')}`;
}

/** `3 of 6 rows not scored`, and samples of the others. */
function rowsWithout(result: TaskResult): string {
  const { rows } = result;
  const without = rows.unscored + rows.failed;
  const parts = [...(without > 0 ? [share(without, result)] : []), ...unscoredSamples(result)];
  return `${parts.join(' and ')} not scored`;
}

/** `5 of 80 samples`. Nothing if all have a score. */
function unscoredSamples({ samples }: TaskResult): string[] {
  if (!samples || samples.unscored === 0) return [];
  return [`${formatCount(samples.unscored)} of ${countOf(samples.asked, 'sample')}`];
}
