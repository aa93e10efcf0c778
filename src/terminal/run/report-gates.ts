import { countOf } from '../../base/format.ts';
import { lastingKinds } from '../../model/failure-kind.ts';
import { describeGates } from '../../report/describe-gates.ts';
import { exitCodeOf, failedRows } from '../../report/gate.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';

/** Says which gates a run misses and what is left to do, and gives its exit code. */
export function reportGates(summary: RunSummary, toGoOn: string): number {
  const lines = describeGates(summary);
  const failed = summary.results.reduce((sum, result) => sum + failedRows(result), 0);
  const again = failed - summary.results.reduce((sum, result) => sum + lastingRows(result), 0);
  if (failed > 0) {
    const tried = again === failed ? 'them' : again === 0 ? 'none of them' : `${again} of them`;
    const lasting = again < failed ? ' What a server refused for good takes --retry.' : '';
    lines.push(`${countOf(failed, 'row')} failed; ${toGoOn} tries ${tried} again.${lasting}`);
  }
  if (summary.cost?.isReached)
    lines.push('The cost limit is reached; the same command with a higher --max-cost goes on.');
  else if (!summary.complete) lines.push(`Not all rows were asked; ${toGoOn} goes on.`);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCodeOf(summary);
}

/** Rows that a server refuses for good. */
function lastingRows({ failures = [] }: TaskResult): number {
  const lasting = failures.filter(({ kind }) => lastingKinds.has(kind));
  return lasting.reduce((sum, { rows }) => sum + rows, 0);
}
