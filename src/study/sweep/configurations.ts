import { comparedAxes } from './compare-values.ts';
import { type Sheet, valuesOf } from './sheet.ts';
import type { AxisName, CellSettings } from './sweep-summary.ts';

/** The axes that there is something to choose on. */
export function chosenAxes(sheets: readonly Sheet[]): AxisName[] {
  return comparedAxes.filter((axis) => sheets.some((sheet) => valuesOf(sheet, axis).length > 1));
}

/** What can be chosen for all of some sheets, in the order of their cells. */
export function configurationsOf(
  sheets: readonly Sheet[],
  axes: readonly AxisName[],
): CellSettings[] {
  const found = sheets.map(
    (sheet) => new Map(sheet.cells.map(({ settings }) => keyed(pick(settings, axes)))),
  );
  const [first = new Map<string, CellSettings>(), ...others] = found;
  return [...first].flatMap(([key, settings]) =>
    others.every((other) => other.has(key)) ? [settings] : [],
  );
}

function keyed(settings: CellSettings): [key: string, settings: CellSettings] {
  return [JSON.stringify(settings), settings];
}

function pick(settings: CellSettings, axes: readonly AxisName[]): CellSettings {
  return Object.fromEntries(axes.flatMap((axis) => entryOf(axis, settings[axis])));
}

function entryOf(axis: AxisName, value: string | undefined): [AxisName, string][] {
  return value === undefined ? [] : [[axis, value]];
}

/** The score of each row with some settings, averaged over everything else. */
export function rowsOf({ cells, ids }: Sheet, chosen: CellSettings): Float64Array {
  const own = cells.filter(({ settings }) =>
    Object.entries(chosen).every(([axis, value]) => settings[axis as AxisName] === value),
  );
  return Float64Array.from(
    ids,
    (_, row) => own.reduce((sum, { scores }) => sum + (scores[row] ?? 0), 0) / own.length,
  );
}
