import type { GroupResult, RunSummary, TaskResult } from '../run/summary.ts';
import { type CsvCell, csvLine } from './csv-line.ts';

const columns = [
  ...['kind', 'model', 'dataset', 'metric', 'score', 'low', 'high', 'level', 'method'],
  ...['rows', 'scored', 'unscored', 'failed', 'missing', 'input_tokens', 'output_tokens'],
  ...['requests_sent', 'requests_cached', 'requests_shared', 'seconds', 'prompt_hash', 'ties'],
  ...['cached_input_tokens', 'seed', 'dropped', 'too_long'],
  ...['all_rows', 'all_rows_low', 'all_rows_high', 'cost'],
  ...['judge_requests', 'judge_cached', 'judge_input_tokens', 'judge_output_tokens'],
  ...['answers_asked', 'answers_resumed', 'answers_outdated', 'cut_off', 'answers_untold'],
];

/**
 * The scores of a run as CSV, with numbers in full: tasks with their further metrics, groups.
 *
 * @example
 * summaryCsv(summary).split('\r\n')[0];
 * // 'kind,model,dataset,metric,score,low,high,level,method,rows…'
 */
export function summaryCsv({ results, groups }: RunSummary): string {
  const tasks = results.flatMap((result) => [taskCells(result), ...metricCells(result)]);
  const lines = [columns, ...tasks, ...groups.map(groupCells)];
  return lines.map(csvLine).join('');
}

function taskCells({
  model,
  dataset,
  metric,
  score,
  rows,
  judge,
  ...result
}: TaskResult): CsvCell[] {
  return [
    ...['task', model, dataset, metric],
    ...scoreCells(score, result.partial),
    ...[rows.total, rows.scored, rows.unscored, rows.failed, rows.missing],
    ...[result.tokens.input, result.tokens.output],
    ...[result.requests.sent, result.requests.cached, result.requests.shared],
    ...[result.seconds, result.promptHash, result.ties],
    ...[result.tokens.cachedInput, result.seed, result.dropped, result.tooLong],
    ...[...scoreCells(result.allRows, result.partial).slice(0, 3), result.cost],
    ...[judge?.requests, judge?.cached, judge?.tokens.input, judge?.tokens.output],
    ...[result.requests.asked, result.requests.resumed, result.requests.outdated, result.cutOff],
    result.tokens.untold,
  ];
}

function metricCells({ model, dataset, metrics = [], partial, rows }: TaskResult): CsvCell[][] {
  return metrics.map(({ name, score, allRows, rows: scored }) => {
    const counts = scored === undefined ? [] : [rows.total, scored];
    const cells = fill(['metric', model, dataset, name, ...scoreCells(score, partial), ...counts]);
    return withAllRows(cells, allRows, partial);
  });
}

function groupCells({ model, group, score, allRows, partial }: GroupResult): CsvCell[] {
  const cells = fill(['group', model, group, 'average', ...scoreCells(score, partial)]);
  return withAllRows(cells, allRows, partial);
}

function withAllRows(
  cells: readonly CsvCell[],
  allRows: TaskResult['allRows'],
  partial: true | undefined,
): CsvCell[] {
  const all = scoreCells(allRows, partial).slice(0, 3);
  const place = columns.indexOf('all_rows');
  return cells.map((cell, index) => all[index - place] ?? cell);
}

function fill(cells: readonly CsvCell[]): CsvCell[] {
  return columns.map((_, index) => cells[index]);
}

/** Of a score of the rows reached there is no interval. */
function scoreCells(score: TaskResult['score'], partial: true | undefined): CsvCell[] {
  if (partial) return [score?.value, undefined, undefined, undefined, undefined];
  return [score?.value, score?.low, score?.high, score?.level, score?.method];
}
