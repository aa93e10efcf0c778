import { expect, test } from 'vitest';
import { analyzeSweep } from './analyze-sweep.ts';
import { resamplesFor } from './compare-values.ts';
import { cellOf, drawSheet, sheetOf } from './sample-sheet.fixture.ts';
import type { Sheet } from './sheet.ts';

const options = { seed: 1, sameTemplate: false, maxRows: 5 };
const analyze = (...sheets: Sheet[]) => analyzeSweep(sheets, options);
const ones = (count: number, of: number) =>
  Array.from({ length: of }, (_, row) => (row < count ? 1 : 0));

test('templates come best first, with their spread and the worst one', () => {
  const { sheets } = analyze(sheetOf([ones(10, 40), ones(30, 40), ones(20, 40)]));
  const [sheet] = sheets;
  expect(sheet?.templates.map(({ template }) => template)).toEqual(['b', 'c', 'a']);
  expect(sheet?.spread).toEqual({ range: 0.5, deviation: 0.25, worst: 'a' });
  expect(sheet?.templates[0]?.score).toMatchObject({ value: 0.75, method: 'wilson' });
});

test('where less is better, the lowest is the best', () => {
  const sheet = sheetOf([ones(10, 40), ones(30, 40)], { direction: 'lower' });
  const result = analyze(sheet);
  expect(result.sheets[0]?.templates.map(({ template }) => template)).toEqual(['a', 'b']);
  expect(result.sheets[0]?.spread?.worst).toBe('b');
  expect(result.best[0]).toMatchObject({ settings: { template: 'a' }, naive: 0.25 });
});

test('pairs are tested on the same rows, and all p values of the sweep are adjusted together', () => {
  const sheet = sheetOf([ones(20, 40), ones(28, 40), ones(40, 40)]);
  const alone = analyze(sheet).sheets[0]?.comparisons ?? [];
  expect(alone.map(({ a, b, test: name }) => [a, b, name])).toEqual([
    ['a', 'b', 'mcnemar'],
    ['a', 'c', 'mcnemar'],
    ['b', 'c', 'mcnemar'],
  ]);
  // Eight rows right only in b: 2 × 0.5^8; the largest of three is not raised.
  expect(alone[0]?.p).toBeCloseTo(2 * 0.5 ** 8, 12);
  expect(alone[0]?.adjustedP).toBeCloseTo(2 * 0.5 ** 8, 12);
  const twice = analyze(sheet, { ...sheet, dataset: 'e' }).sheets[0]?.comparisons ?? [];
  expect(twice[0]?.adjustedP).toBeCloseTo(2 * 2 * 0.5 ** 8, 12);
  expect(twice.every(({ isDifferent }) => isDifferent)).toBe(true);
});

test('other axes are averaged, compared by permutation, and share the variance', () => {
  const cells = [
    cellOf({ template: 'a', shots: '0' }, ones(0, 30)),
    cellOf({ template: 'a', shots: '4' }, ones(30, 30)),
    cellOf({ template: 'b', shots: '0' }, ones(0, 30)),
    cellOf({ template: 'b', shots: '4' }, ones(24, 30)),
  ];
  const [sheet] = analyze({ ...sheetOf([ones(1, 30)]), cells }).sheets;
  expect(sheet?.templates.map(({ score }) => score?.value)).toEqual([0.5, 0.4]);
  expect(sheet?.comparisons.map(({ axis, test: name }) => [axis, name])).toEqual([
    ['template', 'permutation'],
    ['shots', 'permutation'],
  ]);
  expect(sheet?.comparisons[1]?.difference.value).toBeCloseTo(0.9);
  const shares = new Map(sheet?.variance?.map(({ source, share }) => [source, share]));
  expect([...shares.keys()]).toEqual(['template', 'shots', 'rows', 'template × shots', 'rest']);
  expect(shares.get('shots')).toBeGreaterThan(0.8);
});

// Squares about the mean of 0.5: templates 1/6 (1 degree of freedom), rows 1 (2), the rest 1/3 (2). So
// the mean squares are 1/6, 1/2 and 1/6, and the parts (1/6 - 1/6) / 3, (1/2 - 1/6) / 2 and 1/6.
test('the variance of two templates on three rows, by hand', () => {
  const [sheet] = analyze(
    sheetOf([
      [1, 1, 0],
      [0, 1, 0],
    ]),
  ).sheets;
  const parts = sheet?.variance?.map(({ source, share }) => [source, Number(share.toFixed(12))]);
  expect(parts).toEqual([
    ['template', 0],
    ['rows', 0.5],
    ['rest', 0.5],
  ]);
});

test('averages of right and wrong are tested exactly: no p value is too large to be adjusted', () => {
  const cells = [
    cellOf({ template: 'a', shots: '0' }, ones(0, 30)),
    cellOf({ template: 'a', shots: '4' }, ones(0, 30)),
    cellOf({ template: 'b', shots: '0' }, ones(30, 30)),
    cellOf({ template: 'b', shots: '4' }, ones(0, 30)),
  ];
  const [sheet] = analyze({ ...sheetOf([ones(1, 30)]), cells }).sheets;
  for (const comparison of sheet?.comparisons ?? []) {
    expect(comparison).toMatchObject({ test: 'permutation', isDifferent: true });
    // Of 30 rows up to 11.57 % may be unlike those seen (Clopper and Pearson, 0 of 30).
    const [low, high] = [0.5 - 1.5 * 0.1157, 0.5 + 0.5 * 0.1157];
    const ends = comparison.axis === 'template' ? [low, high] : [-high, -low];
    expect(comparison.difference.low).toBeCloseTo(ends[0] ?? 0, 2);
    expect(comparison.difference.high).toBeCloseTo(ends[1] ?? 0, 2);
    expect(comparison.p / 0.5 ** 29).toBeCloseTo(1, 9);
    expect(comparison.adjustedP / 0.5 ** 28).toBeCloseTo(1, 9);
  }
});

test.each([1, 100, 1000, 20_000])('drawn p values can be significant among %d', (comparisons) => {
  expect(comparisons / (resamplesFor(comparisons) + 1)).toBeLessThan(0.05);
});

test('seeds share the variance, but none of them is better than another', () => {
  const cells = ['a', 'b'].flatMap((template) =>
    ['1', '2'].map((seed) => cellOf({ template, seed }, ones(Number(seed) * 10, 30))),
  );
  const [sheet] = analyze({ ...sheetOf([ones(1, 30)]), cells }).sheets;
  expect(sheet?.comparisons.map(({ axis }) => axis)).toEqual(['template']);
  expect(sheet?.variance?.map(({ source }) => source)).toContain('seed');
});

test('rows that change with the template are found, evenly split ones first', () => {
  const scores = [
    [1, 1, 1, 0],
    [1, 0, 0, 0],
    [1, 0, 1, 0],
    [1, 0, 1, 0],
  ];
  const [sheet] = analyze(sheetOf(scores.map((own) => [...own, 1, 1, 1]))).sheets;
  expect(sheet?.changing).toMatchObject({ rows: 2, areVerdicts: true, share: { value: 2 / 7 } });
  expect(sheet?.changing?.most.map(({ id }) => id)).toEqual([1, 2]);
  const same = sheetOf([[0.5], [0.5]], {
    cells: [
      cellOf({ template: 'a', shots: '0' }, [0]),
      cellOf({ template: 'a', shots: '1' }, [1]),
      cellOf({ template: 'b', shots: '0' }, [0]),
      cellOf({ template: 'b', shots: '1' }, [1]),
    ],
  });
  expect(analyze(same).sheets[0]?.changing?.rows).toBe(0);
});

test('templates whose order depends on the model, those that are certain first', () => {
  const scores = [ones(10, 40), ones(40, 40), ones(11, 40)];
  const turned = [ones(40, 40), ones(10, 40), ones(9, 40)];
  const { flips } = analyze(sheetOf(scores), sheetOf(turned, { model: 'n' }));
  expect(flips.map(({ templates, isClear }) => [...templates, isClear])).toEqual([
    ['a', 'b', true],
    ['a', 'c', false],
  ]);
  expect(flips[0]).toMatchObject({ models: ['m', 'n'], differences: [0.75, -0.75] });
});

test('one template for all datasets is chosen by the mean of their scores', () => {
  const first = sheetOf([ones(20, 40), ones(30, 40), ones(8, 40)]);
  const second = { ...sheetOf([ones(40, 40), ones(10, 40)]), dataset: 'e' };
  const { best } = analyzeSweep([first, second], { ...options, sameTemplate: true });
  expect(best).toMatchObject([{ datasets: ['d', 'e'], settings: { template: 'a' }, naive: 0.75 }]);
  expect(analyze(first, second).best.map(({ settings }) => settings.template)).toEqual(['b', 'a']);
});

test.each([
  [sheetOf([ones(1, 40)]), /Nothing was varied/],
  [sheetOf([[], []]), /No row is scored in every cell/],
  [sheetOf([ones(0, 5), ones(5, 5)]), /5 rows cannot show any difference.* at least 6 are/],
  [sheetOf([ones(0, 12), ones(12, 12)]), /12 rows are too few to select/],
  // 28 pairs: 28 × 2 × 0.5^10 is more than 0.05.
  [sheetOf(Array(8).fill(ones(1, 10))), /10 rows cannot show any difference.* at least 11 are/],
])('says what cannot be said: %#', (sheet, message) => {
  const result = analyze(sheet);
  expect(result.sheets[0]?.remarks.join()).toMatch(message);
  expect(result.best[0]?.honest).toBeUndefined();
});

test('an axis of one value besides another is no comparison', () => {
  const cells = ['0', '4'].map((shots, place) =>
    cellOf({ template: 'a', shots }, ones(40 * place, 40)),
  );
  const { sheets, best } = analyze({ ...sheetOf([ones(1, 40)]), cells });
  expect(sheets[0]?.comparisons.map(({ axis }) => axis)).toEqual(['shots']);
  expect(sheets[0]?.remarks).toEqual([]);
  expect(best).toMatchObject([{ title: 'Use 4 shots', settings: { shots: '4' }, of: 2 }]);
});

test('the same scores and seed give the same result', () => {
  const sheet = drawSheet([0.5, 0.6, 0.7], 100, 3);
  expect(analyze(sheet)).toEqual(analyze(sheet));
});

test('nothing is said to be told apart, or not, by rows that are too few to tell', () => {
  const { best } = analyze(sheetOf([ones(4, 4), ones(0, 4)]));
  expect(best[0]).toMatchObject({
    title: 'No clear winner',
    text: 'a leads with 100.0, but there are too few rows to tell.',
  });
});

test('which configuration to use, and whether it matters', () => {
  const cells = ['a', 'b', 'c'].flatMap((template, place) => [
    cellOf({ template, shots: '0' }, ones(10 - 5 * place, 60)),
    cellOf({ template, shots: '4' }, ones(60 - (place === 2 ? 1 : 0), 60)),
  ]);
  const { best } = analyze({ ...sheetOf([ones(1, 60)]), cells });
  expect(best[0]).toMatchObject({
    title: 'Use 4 shots',
    text: 'With 4 shots the template hardly matters: 98.3 to 100.0, with no clear difference.',
    settings: { template: 'a', shots: '4' },
    of: 6,
    hasTies: true,
  });
  expect(best[0]?.leaders).toHaveLength(3);
  expect(best[0]?.choices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
});

test('a sweep of equal templates names no winner, whatever their order', () => {
  const same = ones(30, 40);
  const { best } = analyze(sheetOf([same, same, same]));
  expect(best[0]).toMatchObject({ title: 'No clear winner', optimism: expect.closeTo(0, 12) });
  for (const { share } of best[0]?.choices ?? []) expect(share).toBeCloseTo(1 / 3, 12);
});
