import { type Estimate, hasInterval } from '../../stats/estimate.ts';
import { meanOfCells } from '../../stats/measure-cells.ts';
import { fewestToChoose } from '../sweep/best-configuration.ts';
import { type Candidates, crossFit } from '../sweep/cross-fit.ts';
import type { TaskScore } from './task-score.ts';

const seed = 0;

/**
 * What the best of some templates is to be expected to score: that of rows which had no part in the
 * choice. Nothing where results do not say how rows ended, or there are too few.
 */
export function honestAverage(templates: readonly (readonly TaskScore[])[]): Estimate | undefined {
  const tasks: Candidates[] = [];
  for (const place of templates[0]?.keys() ?? []) {
    const common = commonScores(templates.map((cells) => cells[place]));
    if (!common) return undefined;
    tasks.push({ metric: templates[0]?.[place]?.metric ?? '', ...common });
  }
  const score = crossFit(tasks, seed)?.score;
  return hasInterval(score) ? score : undefined;
}

/** The scores of all templates on the rows that all of them have. */
function commonScores(
  cells: readonly (TaskScore | undefined)[],
): Pick<Candidates, 'scores' | 'clusters'> | undefined {
  const rows = cells.flatMap((cell) =>
    cell?.rows?.measure.measure === meanOfCells ? [cell.rows.cells] : [],
  );
  if (rows.length < cells.length) return undefined;
  const keys = [...(rows[0]?.keys() ?? [])].filter((key) => rows.every((one) => one.has(key)));
  const known = cells.find((cell) => cell?.rows?.clusters)?.rows?.clusters;
  const clusters = known && { names: keys.map((key) => known.get(key) ?? key) };
  const units = clusters ? new Set(clusters.names).size : keys.length;
  if (units < fewestToChoose({ clusters })) return undefined;
  const scores = rows.map((one) => Float64Array.from(keys, (key) => Number(one.get(key))));
  return { scores, clusters };
}
