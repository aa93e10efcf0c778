import type { EvaluationName } from '../../run/store/open-run.ts';
import { rangeOf } from '../../run/store/run-file-parts.ts';
import { meanOfScores } from '../../stats/mean-estimate.ts';
import type { RowsPage } from './api.ts';
import type { OpenedRun } from './opened-run.ts';
import type { RowTable } from './row-table.ts';

/** The score so far, of one evaluation whose run has no summary yet. */
export function runningScore(
  opened: OpenedRun,
  names: readonly EvaluationName[],
  tables: readonly RowTable[],
): Pick<RowsPage, 'running'> {
  const [name, other] = names;
  const [table] = tables;
  if (!name || !table || other || opened.run.summary) return {};
  const scores: number[] = [];
  const { columns } = table;
  for (let slot = 0; slot < columns.length; slot++) {
    const score = columns.scores[slot];
    if (score !== undefined && !Number.isNaN(score)) scores.push(score);
  }
  const score = meanOfScores(scores, { range: rangeOf(opened.run.file, name.dataset) });
  return { running: { rows: table.size, ...(score && { score: { ...score } }) } };
}
