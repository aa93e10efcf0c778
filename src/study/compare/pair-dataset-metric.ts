import { meanOfRounds } from '../../score/repeats/rounds.ts';
import type { DatasetMetric } from '../../score/scorer.ts';
import type { Contributions } from '../../stats/group-contributions.ts';
import type { PairedMetric } from '../../stats/paired-metric.ts';
import type { LoggedRows } from './logged-rows.ts';
import type { RowPair } from './pair-rows.ts';

interface MetricSettings<Metric = DatasetMetric> {
  readonly metric: Metric;
  readonly a: LoggedRows;
  readonly b: LoggedRows;
}

/** What paired rows add to a measure of all of them; nothing if the logs do not say. */
export function pairDatasetMetric(
  pairs: readonly RowPair[],
  { metric: ofOneRound, a, b }: MetricSettings,
): PairedMetric | undefined {
  const rounds = Math.max(a.rounds ?? 0, b.rounds ?? 0);
  const metric = rounds === 0 ? ofOneRound : meanOfRounds(ofOneRound, rounds);
  return metric.type === 'cells'
    ? pairCells(pairs, { metric, a, b })
    : pairSums(pairs, { metric, a, b });
}

function pairCells(
  pairs: readonly RowPair[],
  { metric, a, b }: MetricSettings<Extract<DatasetMetric, { type: 'cells' }>>,
): PairedMetric | undefined {
  const hasRounds = a.rounds !== undefined || b.rounds !== undefined;
  const [namesOfA, namesOfB] = [a, b].map(({ cellNames, rounds }) =>
    hasRounds && rounds === undefined ? cellNames.map((cell) => JSON.stringify([cell])) : cellNames,
  );
  if (!namesOfA?.length || !namesOfB?.length) return undefined;
  const names = [...new Set([...namesOfA, ...namesOfB])].sort();
  const places = new Map(names.map((name, place) => [name, place]));
  const placesOf = (own: readonly string[]) => own.map((name) => places.get(name) ?? 0);
  return {
    a: cellsOf(a, { ids: pairs.map((pair) => pair.a), placeOf: placesOf(namesOfA) }),
    b: cellsOf(b, { ids: pairs.map((pair) => pair.b), placeOf: placesOf(namesOfB) }),
    length: names.length,
    measure: metric.measure(names),
  };
}

function cellsOf(
  rows: LoggedRows,
  { ids, placeOf }: { readonly ids: readonly number[]; readonly placeOf: readonly number[] },
): Contributions {
  return { type: 'cells', cells: Uint32Array.from(ids, (id) => placeOf[rows.cellOf(id)] ?? 0) };
}

function pairSums(
  pairs: readonly RowPair[],
  { metric, a, b }: MetricSettings<Extract<DatasetMetric, { type: 'sums' }>>,
): PairedMetric | undefined {
  const [size, other] = [a, b].map(({ countLength, rounds = 1 }) => countLength / rounds);
  if (!size || size !== other) return undefined;
  const length = Math.max(a.countLength, b.countLength);
  return {
    a: { type: 'sums', sums: sumsOf(a, { ids: pairs.map((pair) => pair.a), length }) },
    b: { type: 'sums', sums: sumsOf(b, { ids: pairs.map((pair) => pair.b), length }) },
    length,
    measure: metric.measure,
  };
}

/** A side with fewer rounds adds nothing to the others. */
function sumsOf(
  rows: LoggedRows,
  { ids, length }: { readonly ids: readonly number[]; readonly length: number },
): Float64Array {
  const { countLength } = rows;
  return Float64Array.from({ length: ids.length * length }, (_, index) => {
    const place = index % length;
    const id = ids[Math.floor(index / length)] ?? 0;
    return place < countLength ? rows.countOf(id, { place, length: countLength }) : 0;
  });
}
