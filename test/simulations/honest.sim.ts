import { afterAll, expect, test } from 'vitest';
import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { hasInterval } from '../../src/stats/estimate.ts';
import { findBest } from '../../src/study/sweep/best-configuration.ts';
import { crossFit } from '../../src/study/sweep/cross-fit.ts';
import { meanScore } from '../../src/study/sweep/mean-score.ts';
import { cellOf, sheetOf } from '../../src/study/sweep/sample-sheet.fixture.ts';
import { averageRows, type Sheet } from '../../src/study/sweep/sheet.ts';
import { type Coverage, coverageOf, keepCoverage, percent } from './simulate.ts';

const templates = ['a', 'b', 'c', 'd', 'e'];

interface Ceiling {
  /** The share of rows that are wrong in every cell. */
  readonly hard: number;
  /** How often the others are right. */
  readonly ease: number;
  readonly shots: number;
}

/** Equal templates by numbers of examples: all of them score (1 − hard) · ease in truth. */
function drawSheet(random: Random, { hard, ease, shots }: Ceiling, rows: number): Sheet {
  const isHard = Array.from({ length: rows }, () => random.next() < hard);
  const cells = templates.flatMap((template) =>
    Array.from({ length: shots }, (_, count) =>
      cellOf(
        { template, shots: String(count) },
        isHard.map((own) => (!own && random.next() < ease ? 1 : 0)),
      ),
    ),
  );
  return sheetOf([new Float64Array(rows)], { cells });
}

const ceilings = [
  [0.05, 0.98],
  [0.025, 0.975],
  [0.03, 0.995],
  [0.02, 0.99],
  [0, 0.98],
  [0.01, 1],
].flatMap(([hard = 0, ease = 1]) => [1, 2, 3, 4].map((shots) => ({ hard, ease, shots })));
const cases = ceilings.flatMap((ceiling) => [20, 40, 100].map((n) => ({ ...ceiling, n })));

const tables = { template: [] as Coverage[], cell: [] as Coverage[], all: [] as Coverage[] };
afterAll(() => {
  keepCoverage('honest-template', tables.template);
  keepCoverage('honest-configuration', tables.cell);
  keepCoverage('one-template', tables.all);
});

test.each(cases)('near the ceiling: $hard, $ease, $shots × $n', ({ n, ...ceiling }) => {
  const { hard, ease, shots } = ceiling;
  const truth = (1 - hard) * ease;
  const base = { n, runs: 400, truth };
  const name = (what: string) => `${percent(truth)}, ${what}`;
  const rowsOf = (sheet: Sheet) => templates.map((name) => averageRows(sheet, 'template', name));
  const template = coverageOf({
    ...base,
    setting: name(`${shots} averaged`),
    interval: (random, run) =>
      crossFit([{ metric: 'accuracy', scores: rowsOf(drawSheet(random, ceiling, n)) }], run)?.score,
  });
  const cell = coverageOf({
    ...base,
    setting: name(`best of ${templates.length * shots}`),
    interval: (random, seed) =>
      findBest([drawSheet(random, ceiling, n)], { seed, comparisons: [] })?.honest,
  });
  const all = coverageOf({
    ...base,
    setting: name(`one template, ${shots} averaged`),
    interval: (random) => meanScore(averageRows(drawSheet(random, ceiling, n), 'template', 'a')),
  });
  tables.template.push(template);
  tables.cell.push(cell);
  tables.all.push(all);
  expect(template.coverage).toBeGreaterThanOrEqual(0.93);
  expect(cell.coverage).toBeGreaterThanOrEqual(0.93);
  // Of right and wrong it is Wilson's, which is right on average over rates.
  const isWilson = shots === 1 || ease === 1;
  expect(all.coverage).toBeGreaterThanOrEqual(isWilson ? 0.88 : 0.93);
});

test('never narrower than one template of the same mean', () => {
  for (let run = 0; run < 300; run += 1) {
    const random = keyedRandom(run, 'widths');
    const ceiling = { hard: 0.1 * random.next(), ease: 0.9 + 0.1 * random.next() };
    const sheet = drawSheet(
      random,
      { ...ceiling, shots: 1 + random.below(4) },
      20 + random.below(80),
    );
    const scores = templates.map((name) => averageRows(sheet, 'template', name));
    const fitted = crossFit([{ metric: 'accuracy', scores }], run)?.score;
    if (!hasInterval(fitted)) throw new Error('no interval');
    for (const single of scores.map((rows) => meanScore(rows)).filter(hasInterval)) {
      if (Math.abs(single.value - fitted.value) > 1e-9) continue;
      expect(fitted.high - fitted.low).toBeGreaterThanOrEqual(single.high - single.low - 1e-9);
    }
  }
});
