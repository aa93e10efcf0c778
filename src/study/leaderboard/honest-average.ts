import { type Estimate, hasInterval } from '../../stats/estimate.ts';
import { meanOfCells } from '../../stats/measure-cells.ts';
import { fewestToChoose } from '../sweep/best-configuration.ts';
import { type Candidates, crossFit } from '../sweep/cross-fit.ts';
import { findUnits } from './row-units.ts';
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
  const clusters = clustersOf(cells, keys);
  const units = clusters ? new Set(clusters.names).size : keys.length;
  if (units < fewestToChoose({ clusters })) return undefined;
  const scores = rows.map((one) => Float64Array.from(keys, (key) => Number(one.get(key))));
  return { scores, clusters };
}

/** The units that rows come in, where rows hold the same as others or are of clusters. */
function clustersOf(
  cells: readonly (TaskScore | undefined)[],
  keys: readonly string[],
): Candidates['clusters'] {
  const scores = cells.flatMap((cell) => cell ?? []);
  if (scores.every(({ rows }) => !rows?.clusters && !rows?.copies)) return undefined;
  const unitOf = findUnits(scores);
  return { names: keys.map(unitOf) };
}
