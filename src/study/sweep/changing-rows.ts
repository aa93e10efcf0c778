import { isBinary, meanScore } from './mean-score.ts';
import { type CellScores, type Sheet, valuesOf } from './sheet.ts';
import type { ChangingRows } from './sweep-summary.ts';
import { evennessOf, templateGroups } from './template-changes.ts';

/**
 * Finds the rows that one template has right and another one wrong, or whose scores differ; nothing if
 * there are no two templates or no rows.
 */
export function findChangingRows(sheet: Sheet, maxShown: number): ChangingRows | undefined {
  const groups = groupByTemplateOnly(sheet);
  const found = sheet.ids.flatMap((id, row) => {
    const splits = groups.map((cells) => ({
      cells,
      evenness: evennessOf(cells.map(({ scores }) => scores[row] ?? 0)),
    }));
    const widest = splits.reduce((best, one) => (one.evenness > best.evenness ? one : best), {
      cells: [] as readonly CellScores[],
      evenness: 0,
    });
    return widest.evenness > 0 ? [{ id, row, ...widest }] : [];
  });
  const marks = new Float64Array(sheet.ids.length);
  for (const { row } of found) marks[row] = 1;
  const share = meanScore(marks, { clusters: sheet.clusters });
  if (!share || valuesOf(sheet, 'template').length < 2) return undefined;
  const most = found
    .toSorted((left, right) => right.evenness - left.evenness || left.id - right.id)
    .slice(0, maxShown)
    .map(({ id, row, cells }) => ({
      id,
      cells: cells.map(({ abbr, scores }) => ({ abbr, score: scores[row] ?? 0 })),
    }));
  const areVerdicts = sheet.cells.every(({ scores }) => isBinary(scores));
  return { share, rows: found.length, areVerdicts, most };
}

/** Cells that differ in the template alone. */
function groupByTemplateOnly({ cells }: Sheet): (readonly CellScores[])[] {
  const groups = templateGroups(cells);
  return [...new Set(groups)].map((group) => cells.filter((_, place) => groups[place] === group));
}
