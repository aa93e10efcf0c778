import { countOf } from '../../base/format.ts';
import { describeGates } from '../../report/describe-gates.ts';
import { exitCodeOf, failedRows } from '../../report/gate.ts';
import type { RunSummary } from '../../run/summary.ts';

/** Says which gates a run misses and what is left to do, and gives its exit code. */
export function reportGates(summary: RunSummary, toGoOn: string): number {
  const lines = describeGates(summary);
  const failed = summary.results.reduce((sum, result) => sum + failedRows(result), 0);
  if (failed > 0) lines.push(`${countOf(failed, 'row')} failed; ${toGoOn} tries them again.`);
  if (summary.cost?.isReached)
    lines.push('The cost limit is reached; the same command with a higher --max-cost goes on.');
  else if (!summary.complete) lines.push(`Not all rows were asked; ${toGoOn} goes on.`);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCodeOf(summary);
}
