import { varianceComponents } from '../../stats/variance-components.ts';
import { type Sheet, valuesOf } from './sheet.ts';
import { type AxisName, axisNames, type VariancePart } from './sweep-summary.ts';

type Factor = AxisName | 'rows';

/**
 * Splits the variance of the scores of a sheet by axis and rows; nothing if no axis has two values,
 * or there are too few rows.
 */
export function splitVariance(sheet: Sheet): VariancePart[] | undefined {
  const axes = axisNames
    .map((axis) => ({ axis, values: valuesOf(sheet, axis) }))
    .filter(({ values }) => values.length > 1);
  const rows = sheet.ids.length;
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  if (axes.length === 0 || rows < 2 || sheet.cells.length !== size) return undefined;
  const placeOf = ({ settings }: Sheet['cells'][number]) =>
    axes.reduce(
      (place, { axis, values }) => place * values.length + values.indexOf(settings[axis] ?? ''),
      0,
    );
  const ordered = sheet.cells.toSorted((left, right) => placeOf(left) - placeOf(right));
  const names = axes.map(({ axis }) => axis);
  const both: readonly Factor[] = ['template', 'shots'];
  const parts = varianceComponents<Factor>({
    factors: [
      ...axes.map(({ axis, values }) => ({ name: axis, levels: values.length })),
      { name: 'rows', levels: rows },
    ],
    values: Float64Array.from(ordered.flatMap(({ scores }) => [...scores])),
    ...(names.includes('template') && names.includes('shots') && { interactions: [both] }),
  });
  return parts.map(({ factors, ...part }) => ({
    source: factors.length === 0 ? 'rest' : factors.join(' × '),
    ...part,
  }));
}
