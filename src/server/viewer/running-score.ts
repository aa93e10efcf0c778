import type { EvaluationName } from '../../run/store/open-run.ts';
import { rangeOf } from '../../run/store/run-file-parts.ts';
import type { MetricKind } from '../../run/summary.ts';
import { ofRowsReached } from '../../stats/estimate.ts';
import { meanOfScores } from '../../stats/mean-estimate.ts';
import type { RowsPage } from './api.ts';
import type { OpenedRun } from './opened-run.ts';
import type { RowTable } from './row-table.ts';

/**
 * The score so far, of one evaluation of a run that goes on or was left without a summary. While it goes
 * on, the interval is that of the rows reached so far; once it is stopped there is none, as in a summary.
 */
export function runningScore(
  opened: OpenedRun,
  names: readonly EvaluationName[],
  tables: readonly RowTable[],
): Pick<RowsPage, 'running'> {
  const [name, other] = names;
  const [table] = tables;
  const { summary, file } = opened.run;
  if (!name || !table || other || (summary && !table.isLive)) return {};
  const scores: number[] = [];
  const { columns } = table;
  for (let slot = 0; slot < columns.length; slot++) {
    const score = columns.scores[slot];
    const isCounted = score !== undefined && !Number.isNaN(score) && !columns.isHidden(slot);
    if (isCounted) scores.push(score);
  }
  const score = meanOfScores(scores, { range: rangeOf(file, name.dataset) });
  const metric = file.metrics.find(({ dataset }) => dataset === name.dataset)?.name;
  const kind: MetricKind = opened.kindOf(name);
  return {
    running: {
      rows: Object.values(table.counts).reduce((sum, rows) => sum + rows, 0),
      ...kind,
      ...(metric !== undefined && { metric }),
      ...(score && { score: table.isLive ? { ...score } : { ...ofRowsReached(score) } }),
      ...(!table.isLive && { partial: true as const }),
    },
  };
}
