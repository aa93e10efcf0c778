import { isBinary, meanScore } from './mean-score.ts';
import { type CellScores, type Sheet, valuesOf } from './sheet.ts';
import type { ChangingRows } from './sweep-summary.ts';

/**
 * Finds the rows that one template has right and another one wrong, or whose scores differ; nothing if
 * there are no two templates or no rows.
 */
export function findChangingRows(sheet: Sheet, maxShown: number): ChangingRows | undefined {
  const groups = groupByTemplateOnly(sheet);
  const found = sheet.ids.flatMap((id, row) => {
    const splits = groups.map((cells) => ({ cells, evenness: evennessAt(cells, row) }));
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
  const groups = new Map<string, CellScores[]>();
  for (const cell of cells) {
    const { template: _, ...rest } = cell.settings;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()];
}

/** 0 if all scores are alike, and more the more evenly they are split. */
function evennessAt(cells: readonly CellScores[], row: number): number {
  const scores = cells.map(({ scores: own }) => own[row] ?? 0);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return squares < 1e-12 ? 0 : squares;
}
