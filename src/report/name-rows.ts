import { oneLine } from '../base/format.ts';
import { verdictOf } from '../run/row-sample.ts';
import type { TaskResult } from '../run/summary.ts';
import type { ReportRow, TaskRows } from './report-rows.ts';

const worstFirst = ['failed', 'unscored', 'wrong'] as const;
const longestText = 80;

/** A few rows of a task that are not right, the worst first: `row 3: failed: timed out`. */
export function nameRows(
  result: TaskResult,
  { tasks, limit }: { readonly tasks: readonly TaskRows[]; readonly limit: number },
): string[] {
  const own = tasks.find((task) => task.model === result.model && task.dataset === result.dataset);
  const rows = own ? [...own.rows] : [];
  return worstFirst
    .flatMap((verdict) => rows.filter((row) => verdictOf(row, result) === verdict))
    .slice(0, limit)
    .map(nameRow);
}

function nameRow({ id, outcome, reason, answer, extracted = answer, gold }: ReportRow): string {
  if (outcome === 'failed') return `row ${id}: failed: ${shorten(reason ?? 'no reason given')}`;
  if (outcome === 'unscored')
    return `row ${id}: not scored: ${shorten(reason ?? 'no reason given')}`;
  const wanted = gold === undefined ? '' : `, and not ${quote(gold)}`;
  return `row ${id}: wrong: ${quote(extracted)}${wanted}`;
}

function quote(text: string): string {
  return `"${shorten(text)}"`;
}

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1)}…`;
}
