import type { CellSummary, SheetSummary } from '../../run/sweep-summary.ts';
import type { Estimate } from '../../stats/index.ts';

/** Scores by template and number of examples, averaged over everything else. */
export interface HeatMap {
  readonly rowAxis: string;
  readonly columnAxis: string;
  readonly columns: readonly string[];
  readonly rows: readonly HeatRow[];
}

export interface HeatRow {
  readonly name: string;
  readonly scores: readonly number[];
  /** Over all columns. */
  readonly score?: Estimate | undefined;
}

/** The map of a sheet, best template first; without templates, by the first axis there is. */
export function heatMapOf({ cells, templates }: SheetSummary): HeatMap {
  const columns = valuesOf(cells, ({ settings }) => settings.shots);
  const names = templates.map(({ template }) => template);
  const scoresOf = (isOwn: (cell: CellSummary) => boolean) =>
    (columns.length > 0 ? columns : [undefined]).map((shots) =>
      meanOf(cells.filter((cell) => isOwn(cell) && cell.settings.shots === shots)),
    );
  const rows =
    names.length > 0
      ? templates.map(({ template, score }) => ({
          name: template,
          scores: scoresOf(({ settings }) => settings.template === template),
          score,
        }))
      : [{ name: 'all', scores: scoresOf(() => true) }];
  return {
    rowAxis: names.length > 0 ? 'template' : '',
    columnAxis: columns.length > 0 ? 'shots' : '',
    columns: columns.length > 0 ? columns.map((shots) => `${shots}-shot`) : ['score'],
    rows,
  };
}

function valuesOf(
  cells: readonly CellSummary[],
  value: (cell: CellSummary) => string | undefined,
): string[] {
  return [...new Set(cells.flatMap((cell) => value(cell) ?? []))];
}

function meanOf(cells: readonly CellSummary[]): number {
  return cells.reduce((sum, { score }) => sum + (score?.value ?? 0), 0) / cells.length;
}

/** Where a score stands between the lowest and the highest of the map, from 0 to 1. */
export function shadeOf(score: number, { rows }: HeatMap): number {
  const all = rows.flatMap(({ scores }) => scores);
  const lowest = Math.min(...all);
  const highest = Math.max(...all);
  return highest === lowest ? 1 : (score - lowest) / (highest - lowest);
}
