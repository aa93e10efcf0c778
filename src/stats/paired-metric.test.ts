import { expect, test } from 'vitest';
import { keyedRandom } from '../base/keyed-random.ts';
import { bootstrapMeanBca } from './bca.ts';
import { compareDatasetMetrics, type PairedMetric } from './paired-metric.ts';
import { permutationTest } from './permutation.ts';

/** Right answers of two sides as cells, so that the measure is the rate, whose tests are known. */
function rates(seed: number, count: number, [first, second]: readonly [number, number]) {
  const random = keyedRandom(seed, 'rates');
  const draw = (rate: number) => () => (random.next() < rate ? 1 : 0);
  const a = Uint32Array.from({ length: count }, draw(first));
  const b = Uint32Array.from({ length: count }, draw(second));
  const measure = ([wrong = 0, right = 0]: Float64Array) => right / (wrong + right);
  const paired: PairedMetric = {
    a: { type: 'cells', cells: a },
    b: { type: 'cells', cells: b },
    length: 2,
    measure,
  };
  return { paired, differences: Array.from(b, (right, index) => right - (a[index] ?? 0)) };
}

test('a rate as a whole agrees with the tests for means', () => {
  const { paired, differences } = rates(1, 400, [0.6, 0.67]);
  const found = compareDatasetMetrics(paired, { seed: 0 });
  const mean = bootstrapMeanBca(differences, { seed: 0 });
  expect(found?.difference?.value).toBeCloseTo(mean?.value ?? 0, 12);
  expect(found?.difference?.low).toBeCloseTo(mean?.low ?? 0, 1.7);
  expect(found?.difference?.high).toBeCloseTo(mean?.high ?? 0, 1.7);
  expect(Math.abs((found?.p ?? 0) - permutationTest(differences, { seed: 0 }).p)).toBeLessThan(
    0.04,
  );
  expect(found?.method).toBe('sampled');
});

test('sums: the ratio of two sums', () => {
  const random = keyedRandom(2, 'sums');
  const side = (shift: number) =>
    Float64Array.from({ length: 600 }, (_, index) =>
      index % 2 === 0 ? random.next() + shift : 1 + random.next(),
    );
  const measure = ([top = 0, bottom = 0]: Float64Array) => top / bottom;
  const a = side(0);
  const b = side(0.2);
  const sides = { a: { type: 'sums', sums: a }, b: { type: 'sums', sums: b } } as const;
  const found = compareDatasetMetrics({ ...sides, length: 2, measure }, { seed: 0 });
  const total = (sums: Float64Array, position: number) =>
    sums.reduce((sum, value, index) => sum + (index % 2 === position ? value : 0), 0);
  expect(found?.a).toBeCloseTo(total(a, 0) / total(a, 1), 12);
  expect(found?.b).toBeCloseTo(total(b, 0) / total(b, 1), 12);
  expect(found?.p).toBeLessThan(0.01);
  expect(found?.difference?.low).toBeGreaterThan(0);
});

test('few rows that differ are swapped in all ways, whatever the others are', () => {
  const random = keyedRandom(4, 'few');
  for (let run = 0; run < 30; run += 1) {
    const changed = random.below(13);
    const equal = random.below(40);
    const a = Array.from({ length: changed + equal }, () => random.below(2));
    const b = a.map((cell, row) => (row < changed ? 1 - cell : cell));
    if (a.length === 0) continue;
    const differences = b.map((cell, row) => cell - (a[row] ?? 0));
    const { length, measure } = rates(1, 0, [1, 1]).paired;
    const cells = (side: readonly number[]) =>
      ({ type: 'cells', cells: Uint32Array.from(side) }) as const;
    const sums = (side: readonly number[]) =>
      ({
        type: 'sums',
        sums: Float64Array.from(side.flatMap((cell) => [1 - cell, cell])),
      }) as const;
    const { p } = permutationTest(differences, { seed: 0 });
    const clusters = a.map((_, row) => `c${row}`);
    for (const paired of [
      { a: cells(a), b: cells(b), length, measure },
      { a: sums(a), b: sums(b), length, measure },
      { a: cells(a), b: cells(b), length, measure, clusters },
      { a: sums(a), b: sums(b), length, measure, clusters },
    ]) {
      const found = compareDatasetMetrics(paired, { seed: 0 });
      expect(found?.method).toBe('exact');
      expect(found?.p).toBeCloseTo(p, 12);
    }
  }
});

test('the exact p value of a ratio is the share of all swaps that are as large', () => {
  for (let run = 0; run < 20; run += 1) {
    const random = keyedRandom(run, 'ratio');
    const draw = () => [random.below(5), 1 + random.below(20)];
    // The first and the last unit are the same on both sides.
    const a = Array.from({ length: 7 }, draw);
    const b = a.map((unit, place) => (place % 3 === 0 ? unit : draw()));
    const ratio = (units: readonly (readonly number[])[]) => {
      const [top, bottom] = [0, 1].map((at) => units.reduce((sum, one) => sum + (one[at] ?? 0), 0));
      return (top ?? 0) / (bottom ?? 1);
    };
    const swaps = Array.from({ length: 2 ** a.length }, (_, choice) => {
      const isSwapped = (place: number) => Math.floor(choice / 2 ** place) % 2 === 1;
      const [left, right] = [a, b].map((side) =>
        side.map((unit, place) => (isSwapped(place) ? ((side === a ? b : a)[place] ?? []) : unit)),
      );
      return ratio(right ?? []) - ratio(left ?? []);
    });
    const value = ratio(b) - ratio(a);
    const hits = swaps.filter((one) => Math.abs(one) >= Math.abs(value) - 1e-12).length;
    const sums = (units: readonly (readonly number[])[]) =>
      ({ type: 'sums', sums: Float64Array.from(units.flat()) }) as const;
    const measure = ([top = 0, bottom = 0]: Float64Array) => top / bottom;
    const found = compareDatasetMetrics(
      { a: sums(a), b: sums(b), length: 2, measure },
      { seed: 0 },
    );
    expect(found?.p).toBeCloseTo(hits / swaps.length, 12);
  }
});

test('clusters of one row: the same values, and the standard error of a sample', () => {
  const { paired } = rates(5, 60, [0.4, 0.7]);
  const plain = compareDatasetMetrics(paired, { seed: 3 });
  const clusters = Array.from({ length: 60 }, (_, row) => row);
  const found = compareDatasetMetrics({ ...paired, clusters: clusters.map(String) }, { seed: 3 });
  expect(found?.a).toBe(plain?.a);
  expect(found?.b).toBe(plain?.b);
  expect(found?.difference?.value).toBeCloseTo((plain?.b ?? 0) - (plain?.a ?? 0), 12);
  expect(found?.standardError).toBeCloseTo((plain?.standardError ?? 0) * Math.sqrt(60 / 59), 12);
});

test('clusters of several rows are drawn and swapped as wholes', () => {
  // Rows 0 to 2 are one cluster, 3 and 4 another: only two swaps are possible for either.
  const side = (cells: readonly number[]) =>
    ({ type: 'cells', cells: Uint32Array.from(cells) }) as const;
  const { measure, length } = rates(1, 0, [1, 1]).paired;
  const clusters = ['x', 'x', 'x', 'y', 'y'];
  const found = compareDatasetMetrics(
    { a: side([0, 0, 1, 0, 1]), b: side([1, 1, 1, 1, 1]), length, measure, clusters },
    { seed: 0 },
  );
  expect([found?.a, found?.b, found?.method]).toEqual([0.4, 1, 'exact']);
  // The differences are 0.6, 0.2, -0.2 and -0.6: two of four are as large.
  expect(found?.p).toBe(0.5);
});

test('very many rows: as wide as theory says', () => {
  const { paired } = rates(3, 20_000, [0.5, 0.5]);
  const found = compareDatasetMetrics(paired, { seed: 0 });
  expect(found?.method).toBe('normal');
  expect((found?.standardError ?? 0) / Math.sqrt(0.5 / 20_000)).toBeCloseTo(1, 1);
});

test('without a difference it is significant about 5 times in 100', () => {
  const runs = 80;
  let errors = 0;
  for (let run = 0; run < runs; run += 1) {
    const { paired } = rates(run, 40, [0.6, 0.6]);
    if ((compareDatasetMetrics(paired, { seed: run })?.p ?? 1) <= 0.05) errors += 1;
  }
  expect(errors / runs).toBeLessThan(0.1);
});

test('resamples that are mostly alike make no interval', () => {
  const intervalOf = (b: readonly number[], a = Array<number>(b.length).fill(1)) => {
    const { measure, length } = rates(1, 0, [1, 1]).paired;
    const cells = (side: readonly number[]) =>
      ({ type: 'cells', cells: Uint32Array.from(side) }) as const;
    const paired = { a: cells(a), b: cells(b), length, measure };
    return compareDatasetMetrics(paired, { seed: 0 })?.difference;
  };
  expect(intervalOf(Array(8).fill(1))).toBeUndefined();
  expect(intervalOf([0, ...Array(19).fill(1)])).toBeUndefined();
  expect(intervalOf([0, 0, 0, 0, 0, 0, ...Array(30).fill(1)])).toMatchObject({
    method: 'bootstrap',
  });
});

test('odd input', () => {
  const { paired } = rates(1, 0, [0.5, 0.5]);
  expect(compareDatasetMetrics(paired, { seed: 0 })).toBeUndefined();
  const equal = rates(1, 10, [1, 1]).paired;
  expect(compareDatasetMetrics(equal, { seed: 0 })).toMatchObject({ p: 1, standardError: 0 });
  const other = { type: 'cells', cells: new Uint32Array(3) } as const;
  expect(() => compareDatasetMetrics({ ...equal, b: other }, { seed: 0 })).toThrow(
    'different rows',
  );
});
