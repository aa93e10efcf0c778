import { oneLine } from '../base/format.ts';
import { formatValue } from '../prompt/values.ts';
import { isNotRight, type RowEnd, verdictOf } from '../run/row-sample.ts';
import type { TaskResult } from '../run/summary.ts';
import type { ReportRow, TaskRows } from './report-rows.ts';

const worstFirst = ['failed', 'unscored', 'wrong', 'partly', 'scored', 'right'] as const;
const longestText = 80;

/** A row in short; the rows of a page may have names in place of numbers. */
export type NamedEnd = Omit<RowEnd, 'id'> & { readonly id: string | number };

/** The rows of a task in short, by their numbers; those that a page shows where others are not told. */
export function endsOf(result: TaskResult, tasks: readonly TaskRows[]): readonly NamedEnd[] {
  const { model, dataset } = result;
  const own = tasks.find((task) => task.model === model && task.dataset === dataset);
  const ends = own?.ends ?? own?.rows.map((row) => endOf(row, result)) ?? [];
  return [...ends].sort((a, b) => Number(a.id) - Number(b.id));
}

function endOf(row: ReportRow, result: TaskResult): NamedEnd {
  const { answer, extracted = answer } = row;
  return { ...row, extracted, verdict: verdictOf(row, result) };
}

/** A few rows of a task that are not right, the worst first: `row 3: failed: timed out`. */
export function nameRows(
  result: TaskResult,
  { tasks, limit }: { readonly tasks: readonly TaskRows[]; readonly limit: number },
): string[] {
  const ends = endsOf(result, tasks).filter(isNotRight);
  return worstFirst
    .flatMap((verdict) => ends.filter((end) => end.verdict === verdict))
    .slice(0, limit)
    .map((end) => `row ${end.id}: ${describeEnd(end)}`);
}

/** Why a row is not right: `wrong: "12", and not "13"`, `is-json: no JSON`. */
export function describeEnd({
  outcome,
  reason,
  detail,
  extracted,
  gold,
  checks,
}: NamedEnd): string {
  const told = shorten(reason ?? 'no reason given');
  if (outcome === 'failed') return `failed: ${told}`;
  const more = detail === undefined ? '' : ` (${shorten(detail)})`;
  if (outcome === 'unscored') return `not scored: ${told}${more}`;
  const missed = (checks ?? []).filter(({ passed }) => !passed);
  if (missed.length > 0) return missed.map(describeCheck).join('; ');
  const because = reason ?? detail;
  const why = because === undefined ? '' : ` (${shorten(because)})`;
  const wanted = gold === undefined ? '' : `, expected ${quote(gold)}`;
  return `wrong: ${quote(extracted)}${wanted}${why}`;
}

/** A check that did not pass, with its reason. */
export function describeCheck({
  name,
  score,
  reason,
}: NonNullable<RowEnd['checks']>[number]): string {
  return `${name}: ${reason === undefined ? `scored ${score}` : shorten(reason)}`;
}

function quote(value: unknown): string {
  return `"${shorten(value === undefined ? '' : formatValue(value))}"`;
}

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1)}…`;
}
