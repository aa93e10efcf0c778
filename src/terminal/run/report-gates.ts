import { displayPath } from '../../base/display-path.ts';
import { countOf, oneLine } from '../../base/format.ts';
import { describeGates } from '../../report/describe-gates.ts';
import {
  exitCodeOf,
  failedGates,
  failedRows,
  hasNoScores,
  hasNoUsableGold,
} from '../../report/gate.ts';
import { endsOf, nameRows } from '../../report/name-rows.ts';
import type { TaskRows } from '../../report/report-rows.ts';
import { askedAgain, type RetryKinds } from '../../run/resume.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';

interface ReportedRun {
  /** The command that goes on, in words. */
  readonly toGoOn: string;
  readonly retry?: RetryKinds | undefined;
  readonly tasks?: readonly TaskRows[];
  readonly folder?: string | undefined;
}

/** How many rows of a dataset are named. */
const namedRows = 5;

/** Rows that are to blame for a gate that is missed, or whose checks did not pass, and how to see one. */
function describeRows(
  summary: RunSummary,
  { tasks, folder }: Required<Pick<ReportedRun, 'tasks'>> & Pick<ReportedRun, 'folder'>,
): string[] {
  const missed = failedGates(summary);
  const blamed = summary.results.filter(
    (result) =>
      missed.some(({ model, dataset }) => model === result.model && dataset === result.dataset) ||
      endsOf(result, tasks).some(({ checks }) => checks),
  );
  const lines = blamed.flatMap((result) =>
    nameRows(result, { tasks, limit: namedRows }).map(
      (row) => `  ${result.model} on ${result.dataset}, ${row}`,
    ),
  );
  if (lines.length === 0 || folder === undefined) return lines;
  const [, first = '0'] = /, row (\S+):/.exec(lines[0] ?? '') ?? [];
  const path = displayPath(folder);
  return [
    ...lines,
    `Details: \`typecase show ${path} --row ${first}\`. Rerun only these rows: --only-failed.`,
  ];
}

/** Says which gates a run misses and what is left to do, and gives its exit code. */
export function reportGates(
  summary: RunSummary,
  { toGoOn, retry, tasks = [], folder }: ReportedRun,
): number {
  const lines = [...describeGates(summary), ...describeRows(summary, { tasks, folder })];
  const failed = summary.results.reduce((sum, result) => sum + failedRows(result), 0);
  const again = failed - summary.results.reduce((sum, result) => sum + leftRows(result, retry), 0);
  if (failed > 0) {
    const tried = again === failed ? 'them' : again === 0 ? 'none of them' : `${again} of them`;
    const refused = retry ? '' : ' Requests that the server rejected need --retry.';
    const lasting = again < failed ? refused : '';
    lines.push(`${countOf(failed, 'row')} failed; ${toGoOn} retries ${tried}.${lasting}`);
  }
  for (const { model, dataset } of summary.results.filter(hasNoUsableGold)) {
    lines.push(
      `${model} on ${dataset}: no row has a score, because the evaluator cannot use the gold answers.`,
    );
  }
  const isBare = (result: TaskResult) => !hasNoUsableGold(result) && hasNoScores(result, summary);
  for (const { model, dataset, reasons } of summary.results.filter(isBare)) {
    lines.push(`${model} on ${dataset}: no row has a score: ${reasons[0]?.reason}.`);
  }
  if (summary.cost?.isReached)
    lines.push('Cost limit reached. Run the same command with a higher --max-cost to resume.');
  else if (!summary.complete) lines.push(`Not all rows are finished. Run ${toGoOn} to resume.`);
  process.stderr.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
  if (process.env.GITHUB_ACTIONS) process.stderr.write(annotations(summary));
  return exitCodeOf(summary);
}

/** Gates that failed, as GitHub shows them beside the job. */
function annotations(summary: RunSummary): string {
  const failed = describeGates(summary).filter((line) => line.startsWith('Gate failed: '));
  const escaped = failed.map((line) =>
    line.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D'),
  );
  return escaped.map((line) => `::error title=Typecase::${line}\n`).join('');
}

/** Rows that failed in a way that is not asked again. */
function leftRows({ failures = [] }: TaskResult, retry: RetryKinds | undefined): number {
  const isAskedAgain = askedAgain(retry);
  return failures.reduce((sum, { kind, rows }) => sum + (isAskedAgain(kind) ? 0 : rows), 0);
}
