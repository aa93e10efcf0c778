import { expect, test } from 'vitest';
import r from '../../test/vectors/stats/r.json' with { type: 'json' };
import { keyedRandom } from '../base/keyed-random.ts';
import { varianceComponents } from './variance-components.ts';

const [main, crossed] = r.variance_components.cases;

test('lme4: template, shots, seed, row', () => {
  const found = varianceComponents({
    factors: [
      { name: 'template', levels: 5 },
      { name: 'shots', levels: 4 },
      { name: 'seed', levels: 3 },
      { name: 'row', levels: 25 },
    ],
    values: main?.values ?? [],
  });
  expect(found.map(({ factors }) => factors)).toEqual([
    ...[['template'], ['shots'], ['seed'], ['row']],
    [],
  ]);
  for (const [index, { variance }] of found.entries()) {
    expect(variance).toBeCloseTo(main?.variances[index] ?? 0, 5);
  }
});

test('lme4: with an interaction', () => {
  const found = varianceComponents({
    factors: [
      { name: 'template', levels: 6 },
      { name: 'row', levels: 20 },
      { name: 'seed', levels: 3 },
    ],
    values: crossed?.values ?? [],
    interactions: [['row', 'template']],
  });
  expect(found.map(({ factors }) => factors.join(':'))).toEqual([
    ...['template', 'row', 'seed', 'template:row', ''],
  ]);
  for (const [index, { variance }] of found.entries()) {
    expect(variance).toBeCloseTo(crossed?.variances[index] ?? 0, 5);
  }
  expect(found.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
});

/** Values with effects of known deviations. */
function simulate(seed: number, deviations: readonly [number, number, number]): number[] {
  const random = keyedRandom(seed, 'design');
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const templates = Array.from({ length: 6 }, () => normal() * deviations[0]);
  const rows = Array.from({ length: 30 }, () => normal() * deviations[1]);
  return templates.flatMap((one) => rows.map((row) => one + row + normal() * deviations[2]));
}

const factors = [
  { name: 'template', levels: 6 },
  { name: 'row', levels: 30 },
];

test('on average the truth comes out', () => {
  const runs = 400;
  const sums = [0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const found = varianceComponents({ factors, values: simulate(run, [1, 0.7, 0.5]) });
    for (const [index, { variance }] of found.entries()) {
      sums[index] = (sums[index] ?? 0) + variance / runs;
    }
  }
  expect(sums[0]).toBeCloseTo(1, 0);
  expect(sums[1]).toBeCloseTo(0.49, 1);
  expect(sums[2]).toBeCloseTo(0.25, 2);
});

test('an estimate below 0 counts as 0 and says so', () => {
  const runs = Array.from({ length: 40 }, (_, run) =>
    varianceComponents({ factors, values: simulate(run, [0, 0.7, 0.5]) }),
  );
  const templates = runs.map(([template]) => template);
  expect(templates.some((one) => one?.isClipped)).toBe(true);
  expect(templates.some((one) => one?.isClipped === false)).toBe(true);
  for (const one of templates) expect(one?.isClipped).toBe(one?.variance === 0);
});

test('values that are all equal have no variance', () => {
  const found = varianceComponents({ factors, values: new Float64Array(180).fill(0.5) });
  expect(found.every(({ variance, share }) => variance === 0 && share === 0)).toBe(true);
});

test.each([
  ['needs a factor', { factors: [], values: [] }],
  ['two levels or more', { factors: [{ name: 'a', levels: 1 }], values: [1] }],
  ['has 180 values, not 3', { factors, values: [1, 2, 3] }],
  ['nothing for the residual', { factors: [{ name: 'a', levels: 2 }], values: [1, 2] }],
  [
    'not an interaction of the factors',
    { factors, values: new Float64Array(180), interactions: [['row', 'rwo']] },
  ],
  [
    'nothing for the residual',
    { factors, values: new Float64Array(180), interactions: [['row', 'template']] },
  ],
])('refused: %s', (message, design) => {
  expect(() => varianceComponents(design)).toThrow(message);
});
