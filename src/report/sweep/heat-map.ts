import type { Measurement } from '../../stats/estimate.ts';
import {
  type AxisName,
  axisNames,
  type CellSummary,
  type SheetSummary,
} from '../../study/sweep/sweep-summary.ts';

/** Scores by two axes, averaged over everything else. */
export interface HeatMap {
  readonly rowAxis: string;
  readonly columnAxis: string;
  readonly columns: readonly string[];
  readonly rows: readonly HeatRow[];
  readonly isLowerBetter: boolean;
}

export interface HeatRow {
  readonly name: string;
  /** One for each column; nothing where no row was scored. */
  readonly scores: readonly (number | undefined)[];
  /** Over all columns. */
  readonly score?: Measurement | undefined;
}

/** By template, best first, and number of examples; where one is not varied, by what else is. */
export function heatMapOf({ cells, templates, direction }: SheetSummary): HeatMap {
  const varied = axisNames.filter((axis) => valuesOf(cells, axis).length > 1);
  const rowAxis = varied.find((axis) => axis !== 'shots') ?? 'template';
  const others = varied.filter((axis) => axis !== rowAxis);
  const columnAxis = others.includes('shots') ? 'shots' : (others[0] ?? 'shots');
  const columns = orOne(valuesOf(cells, columnAxis));
  const isByTemplate = rowAxis === 'template';
  const names = isByTemplate ? templates.map(({ template }) => template) : valuesOf(cells, rowAxis);
  const rows = orOne(names).map((name): HeatRow => {
    const own = cells.filter(({ settings }) => settings[rowAxis] === name);
    return {
      name: name ?? 'all',
      scores: columns.map((value) =>
        meanOf(own.filter(({ settings }) => settings[columnAxis] === value)),
      ),
      score: isByTemplate
        ? templates.find(({ template }) => template === name)?.score
        : onlyScore(own),
    };
  });
  return {
    rowAxis: names.length > 0 ? rowAxis.replaceAll('_', ' ') : '',
    columnAxis: columnAxis.replaceAll('_', ' '),
    columns: columns.map((value) => columnName(columnAxis, value)),
    rows,
    isLowerBetter: direction === 'lower',
  };
}

/** An average of cells has no interval here. */
function onlyScore([first, ...others]: readonly CellSummary[]): Measurement | undefined {
  return others.length === 0 ? first?.score : undefined;
}

function orOne(values: readonly string[]): readonly (string | undefined)[] {
  return values.length > 0 ? values : [undefined];
}

function columnName(axis: AxisName, value: string | undefined): string {
  if (value === undefined) return 'score';
  if (axis === 'shots') return `${value}-shot`;
  return axis === 'seed' ? `seed ${value}` : value;
}

function valuesOf(cells: readonly CellSummary[], axis: AxisName): string[] {
  return [...new Set(cells.flatMap(({ settings }) => settings[axis] ?? []))];
}

function meanOf(cells: readonly CellSummary[]): number | undefined {
  const scores = cells.flatMap(({ score }) => score?.value ?? []);
  if (scores.length === 0) return undefined;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** Where a score stands between the worst and the best of the map, from 0 to 1. */
export function shadeOf(score: number, { rows, isLowerBetter }: HeatMap): number {
  const all = rows.flatMap(({ scores }) => scores.flatMap((one) => one ?? []));
  const lowest = Math.min(...all);
  const highest = Math.max(...all);
  if (highest === lowest) return 1;
  const share = (score - lowest) / (highest - lowest);
  return isLowerBetter ? 1 - share : share;
}
