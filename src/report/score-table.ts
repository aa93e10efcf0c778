import type { GroupResult, RowCounts, RunSummary, TaskResult } from '../run/summary.ts';
import {
  formatCount,
  formatCoverage,
  formatInterval,
  formatScore,
  oneLine,
  type ScoreStyle,
  scoreStyleOf,
} from './format.ts';

type ColumnName =
  | 'model'
  | 'data set'
  | 'metric'
  | 'score'
  | 'interval'
  | 'rows'
  | 'unscored'
  | 'failed'
  | 'missing';

/** The scores of a run as text. Columns with nothing to tell are left out. */
export interface ScoreTable {
  readonly columns: readonly ColumnName[];
  readonly tasks: readonly Cells[];
  readonly groups: readonly Cells[];
}

export type Cells = Readonly<Record<ColumnName, string>>;

const troubles = ['unscored', 'failed', 'missing'] as const satisfies readonly (keyof RowCounts)[];

export function scoreTable(summary: RunSummary): ScoreTable {
  const { results, groups } = summary;
  const style = scoreStyleOf(summary);
  const isEmpty = (column: ColumnName) => {
    if (column === 'model') return new Set(results.map(({ model }) => model)).size === 1;
    const trouble = troubles.find((name) => name === column);
    return trouble !== undefined && results.every(({ rows }) => rows[trouble] === 0);
  };
  const all: readonly ColumnName[] = [
    ...(['model', 'data set', 'metric', 'score', 'interval', 'rows'] as const),
    ...troubles,
  ];
  return {
    columns: all.filter((column) => !isEmpty(column)),
    tasks: results.map((result) => taskCells(result, style)),
    groups: groups.map((group) => groupCells(group, style)),
  };
}

function taskCells(result: TaskResult, style: ScoreStyle): Cells {
  const { rows } = result;
  return {
    ...scoreCells(result, style),
    'data set': oneLine(result.dataset),
    metric: oneLine(result.metric),
    rows: formatCoverage(rows),
    unscored: formatCount(rows.unscored),
    failed: formatCount(rows.failed),
    missing: formatCount(rows.missing),
  };
}

function groupCells(group: GroupResult, style: ScoreStyle): Cells {
  return {
    ...scoreCells(group, style),
    'data set': oneLine(group.group),
    metric: `average of ${group.datasets.length}`,
    rows: '',
    unscored: '',
    failed: '',
    missing: '',
  };
}

function scoreCells({ model, score }: TaskResult | GroupResult, style: ScoreStyle) {
  return {
    model: oneLine(model),
    score: score ? formatScore(score.value, style) : '–',
    interval: score ? formatInterval(score, style) : '',
  };
}

/** Why rows of a task have no score: `12 × no answer found, 3 × timed out`. */
export function describeReasons({ reasons }: TaskResult): string {
  return reasons.map(({ reason, rows }) => `${formatCount(rows)} × ${oneLine(reason)}`).join(', ');
}

/** How many rows a run that was interrupted still lacks. */
export function missingRows({ results }: RunSummary): number {
  return results.reduce((sum, { rows }) => sum + rows.missing, 0);
}
