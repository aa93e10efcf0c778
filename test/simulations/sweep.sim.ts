import { afterAll, describe, expect, test } from 'vitest';
import { keyedRandom, type Random } from '../../src/base/keyed-random.ts';
import { analyzeSweep } from '../../src/study/sweep/analyze-sweep.ts';
import { findBest } from '../../src/study/sweep/best-configuration.ts';
import { runRace } from '../../src/study/sweep/budget-race.ts';
import { meanScore } from '../../src/study/sweep/mean-score.ts';
import { cellOf, drawScores, sheetOf } from '../../src/study/sweep/sample-sheet.fixture.ts';
import { averageRows, type Sheet } from '../../src/study/sweep/sheet.ts';
import type { BestConfiguration } from '../../src/study/sweep/sweep-summary.ts';
import {
  type Coverage,
  coverageOf,
  type Finding,
  holds,
  keepCoverage,
  keepFindings,
  keepTable,
  meanOf,
  shareOf,
  studentMean,
} from './simulate.ts';

const equal = Array<number>(8).fill(0.7);
const spread = [0.62, 0.65, 0.67, 0.7, 0.7, 0.72, 0.74, 0.76];
const shots = ['0', '1', '4'];

/** Templates by numbers of examples, with rows that are hard for all of them. */
function drawSweep(random: Random, rates: readonly number[], rows: number): Sheet {
  const scores = drawScores(random, { rates: rates.flatMap((rate) => [rate, rate, rate]), rows });
  const cells = scores.map((own, place) =>
    cellOf({ template: String(Math.floor(place / 3)), shots: shots[place % 3] ?? '' }, own),
  );
  return { ...sheetOf(scores.slice(0, 1)), cells };
}

const widths: Coverage[] = [];
const findings: Finding[] = [];
const biases: string[][] = [];
afterAll(() => {
  keepCoverage('sweep-intervals', widths);
  keepFindings('sweep', findings);
  keepTable({ name: 'sweep-bias', head: ['points too good', 'honest', 'naive'], rows: biases });
});

const points = (share: number) => (share * 100).toFixed(2);

test.each([0.5, 0.9])('intervals of templates over numbers of examples, rate %f', (rate) => {
  const rowsOf = (random: Random) => averageRows(drawSweep(random, [rate], 100), 'template', '0');
  const settings = { setting: `rate ${rate * 100}`, n: 100, runs: 2000, truth: rate };
  const found = coverageOf({ ...settings, interval: (random) => meanScore(rowsOf(random)) });
  const student = coverageOf({
    ...settings,
    interval: (random) => studentMean(rowsOf(random)),
  });
  widths.push(found, { ...student, setting: `${student.setting}, Student’s` });
  expect(found.coverage).toBeGreaterThanOrEqual(0.93);
  expect(found.width / student.width).toBeLessThanOrEqual(1.2);
});

test.each([
  ['templates alone', (random: Random) => sheetOf(drawScores(random, { rates: equal, rows: 150 }))],
  ['templates and examples', (random: Random) => drawSweep(random, equal.slice(0, 4), 80)],
])('no difference: %s are told apart in at most 5 of 100 sweeps', (name, draw) => {
  const error = shareOf(400, (random) => {
    const { sheets, best } = analyzeSweep([draw(random)], {
      seed: 0,
      sameTemplate: false,
      maxRows: 0,
    });
    const isNamed = best.some(({ title }) => title !== 'No clear winner');
    return isNamed || sheets.some(({ comparisons }) => comparisons.some((one) => one.isDifferent));
  });
  findings.push({ what: `false claim or winner, ${name}`, share: error, runs: 400 });
  expect(error).toBeLessThanOrEqual(0.05);
});

/** The truth that an honest score is about: of the templates chosen, by how often they were. */
function chosenRate(
  { choices }: Pick<BestConfiguration, 'choices'>,
  rates: readonly number[],
): number {
  return choices.reduce(
    (sum, { settings, share }) => sum + share * rateOf(settings.template, rates),
    0,
  );
}

function rateOf(template = '', rates: readonly number[]): number {
  return rates[template.charCodeAt(0) - 97] ?? 0;
}

describe.each([
  ['equal templates', equal, 200],
  ['templates of a spread', spread, 200],
  ['templates of a spread, few rows', spread, 60],
])('%s', (name, rates, rows) => {
  const best = (random: Random, run: number) => {
    const sheet = sheetOf(drawScores(random, { rates, rows }));
    const found = findBest([sheet], { seed: run, comparisons: [] });
    if (!found) throw new Error('no template was chosen');
    return found;
  };

  test('the honest score is right on average, the naive one is not', () => {
    const bias = meanOf(1000, (random, run) => {
      const found = best(random, run);
      return (found.honest?.value ?? 0) - chosenRate(found, rates);
    });
    const naiveBias = meanOf(1000, (random, run) => {
      const { naive, settings } = best(random, run);
      return naive - rateOf(settings.template, rates);
    });
    biases.push([name, points(bias), points(naiveBias)]);
    expect(Math.abs(bias)).toBeLessThan(0.005);
    expect(naiveBias).toBeGreaterThan(0.02);
  });

  test('its interval holds the truth in 93 of 100 sweeps or more', () => {
    const share = shareOf(1000, (random, run) => {
      const found = best(random, run);
      return holds(found.honest, chosenRate(found, rates));
    });
    findings.push({ what: `honest score held, ${name}`, share, runs: 1000 });
    expect(share).toBeGreaterThanOrEqual(0.93);
  });
});

test.each([
  ['nearly equal', [0.7, 0.7, 0.7, 0.7, 0.72]],
  ['spread', spread],
])('a budget drops the best template in at most 5 of 100 sweeps: %s', async (name, rates) => {
  let lost = 0;
  let bias = 0;
  const runs = 500;
  for (let run = 0; run < runs; run += 1) {
    const random = keyedRandom(run, 'budget');
    const scores = drawScores(random, { rates, rows: 400 });
    const result = await runRace({
      templates: rates.map((__, place) => String(place)),
      ids: Array.from({ length: 400 }, (__, id) => id),
      cost: 1,
      budget: 1000,
      kind: { metric: 'accuracy' },
      seed: run,
      ask: async (names, ids) => ({
        scores: new Map(
          names.map((name) => [
            name,
            Float64Array.from(ids, (id) => scores[Number(name)]?.[id] ?? 0),
          ]),
        ),
      }),
    });
    const top = String(rates.indexOf(Math.max(...rates)));
    if (!result.left.includes(top)) lost += 1;
    bias += ((result.score?.value ?? 0) - (rates[Number(result.winner)] ?? 0)) / runs;
  }
  findings.push({ what: `a budget drops the best, ${name}`, share: lost / runs, runs });
  biases.push([`winner of a budget, ${name}`, points(bias), '']);
  expect(lost / runs).toBeLessThanOrEqual(0.05);
  expect(Math.abs(bias)).toBeLessThan(0.005);
});
