import { countOf } from '../../base/format.ts';
import { describeGates } from '../../report/describe-gates.ts';
import { exitCodeOf, failedRows, hasNoUsableGold } from '../../report/gate.ts';
import { askedAgain, type RetryKinds } from '../../run/resume.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';

/** Says which gates a run misses and what is left to do, and gives its exit code. */
export function reportGates(
  summary: RunSummary,
  { toGoOn, retry }: { readonly toGoOn: string; readonly retry?: RetryKinds | undefined },
): number {
  const lines = describeGates(summary);
  const failed = summary.results.reduce((sum, result) => sum + failedRows(result), 0);
  const again = failed - summary.results.reduce((sum, result) => sum + leftRows(result, retry), 0);
  if (failed > 0) {
    const tried = again === failed ? 'them' : again === 0 ? 'none of them' : `${again} of them`;
    const refused = retry ? '' : ' What a server refused for good takes --retry.';
    const lasting = again < failed ? refused : '';
    lines.push(`${countOf(failed, 'row')} failed; ${toGoOn} tries ${tried} again.${lasting}`);
  }
  for (const { model, dataset } of summary.results.filter(hasNoUsableGold)) {
    lines.push(
      `${model} on ${dataset}: no row has a score: the evaluator cannot use the gold answers.`,
    );
  }
  if (summary.cost?.isReached)
    lines.push('The cost limit is reached; the same command with a higher --max-cost goes on.');
  else if (!summary.complete) lines.push(`Not all rows were asked; ${toGoOn} goes on.`);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCodeOf(summary);
}

/** Rows that failed in a way that is not asked again. */
function leftRows({ failures = [] }: TaskResult, retry: RetryKinds | undefined): number {
  const isAskedAgain = askedAgain(retry);
  return failures.reduce((sum, { kind, rows }) => sum + (isAskedAgain(kind) ? 0 : rows), 0);
}
