import type { Whole } from '../../score/index.ts';
import type { Contributions, PairedWholes } from '../../stats/index.ts';
import type { LoggedRows } from './logged-rows.ts';
import type { RowPair } from './pair-rows.ts';

interface WholeSettings {
  readonly whole: Whole;
  readonly a: LoggedRows;
  readonly b: LoggedRows;
}

/** What paired rows add to a measure of all of them; nothing if the logs do not say. */
export function pairWholes(
  pairs: readonly RowPair[],
  { whole, a, b }: WholeSettings,
): PairedWholes | undefined {
  if (whole.type === 'cells') return pairCells(pairs, { whole, a, b });
  const length = a.countLength;
  if (length === 0 || length !== b.countLength) return undefined;
  return {
    a: { type: 'sums', sums: sumsOf(a, { ids: pairs.map((pair) => pair.a), length }) },
    b: { type: 'sums', sums: sumsOf(b, { ids: pairs.map((pair) => pair.b), length }) },
    length,
    measure: whole.measure,
  };
}

function pairCells(
  pairs: readonly RowPair[],
  { whole, a, b }: WholeSettings & { readonly whole: Extract<Whole, { type: 'cells' }> },
): PairedWholes | undefined {
  const names = [...new Set([...a.cellNames, ...b.cellNames])].sort();
  if (names.length === 0) return undefined;
  return {
    a: cellsOf(a, { ids: pairs.map((pair) => pair.a), names }),
    b: cellsOf(b, { ids: pairs.map((pair) => pair.b), names }),
    length: names.length,
    measure: whole.measure(names),
  };
}

function cellsOf(
  rows: LoggedRows,
  { ids, names }: { readonly ids: readonly number[]; readonly names: readonly string[] },
): Contributions {
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = rows.cellNames.map((name) => places.get(name) ?? 0);
  return { type: 'cells', cells: Uint32Array.from(ids, (id) => placeOf[rows.cellOf(id)] ?? 0) };
}

function sumsOf(
  rows: LoggedRows,
  { ids, length }: { readonly ids: readonly number[]; readonly length: number },
): Float64Array {
  return Float64Array.from({ length: ids.length * length }, (_, index) =>
    rows.countOf(ids[Math.floor(index / length)] ?? 0, index % length),
  );
}
