import { meanOfRounds } from '../../score/repeats/rounds.ts';
import type { Whole } from '../../score/scorer.ts';
import type { Contributions, PairedWholes } from '../../stats/paired-whole.ts';
import type { LoggedRows } from './logged-rows.ts';
import type { RowPair } from './pair-rows.ts';

interface WholeSettings<AnyWhole = Whole> {
  readonly whole: AnyWhole;
  readonly a: LoggedRows;
  readonly b: LoggedRows;
}

/** What paired rows add to a measure of all of them; nothing if the logs do not say. */
export function pairWholes(
  pairs: readonly RowPair[],
  { whole: ofOneRound, a, b }: WholeSettings,
): PairedWholes | undefined {
  const rounds = Math.max(a.rounds ?? 0, b.rounds ?? 0);
  const whole = rounds === 0 ? ofOneRound : meanOfRounds(ofOneRound, rounds);
  return whole.type === 'cells'
    ? pairCells(pairs, { whole, a, b })
    : pairSums(pairs, { whole, a, b });
}

function pairCells(
  pairs: readonly RowPair[],
  { whole, a, b }: WholeSettings<Extract<Whole, { type: 'cells' }>>,
): PairedWholes | undefined {
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
    measure: whole.measure(names),
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
  { whole, a, b }: WholeSettings<Extract<Whole, { type: 'sums' }>>,
): PairedWholes | undefined {
  const [size, other] = [a, b].map(({ countLength, rounds = 1 }) => countLength / rounds);
  if (!size || size !== other) return undefined;
  const length = Math.max(a.countLength, b.countLength);
  return {
    a: { type: 'sums', sums: sumsOf(a, { ids: pairs.map((pair) => pair.a), length }) },
    b: { type: 'sums', sums: sumsOf(b, { ids: pairs.map((pair) => pair.b), length }) },
    length,
    measure: whole.measure,
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
