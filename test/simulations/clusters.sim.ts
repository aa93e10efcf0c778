import { afterAll, describe, expect, test } from 'vitest';
import type { Random } from '../../src/base/keyed-random.ts';
import {
  ClusterCellTally,
  ClusterScoreTally,
  ClusterSumTally,
} from '../../src/stats/cluster-tallies.ts';
import { clusteredDifference } from '../../src/stats/clustered-difference.ts';
import { hasInterval } from '../../src/stats/estimate.ts';
import { mcnemar } from '../../src/stats/mcnemar.ts';
import { meanOfDifferences } from '../../src/stats/mean-estimate.ts';
import { compareDatasetMetrics } from '../../src/stats/paired-metric.ts';
import { rateDifference } from '../../src/stats/paired-rates.ts';
import { permutationTest } from '../../src/stats/permutation.ts';
import { ScoreTally } from '../../src/stats/tallies.ts';
import type { RowClusters } from '../../src/study/compare/paired-test.ts';
import { analyzeSweep } from '../../src/study/sweep/analyze-sweep.ts';
import { sheetOf } from '../../src/study/sweep/sample-sheet.fixture.ts';
import { holds, keepTable, normal, percent, shareOf } from './simulate.ts';

/** Rows in groups: how many, and how large a group is. */
const sizes = [
  [50, 5],
  [50, 10],
  [100, 5],
  [100, 10],
  [200, 5],
  [200, 10],
] as const;

const kinds = ['0/1', 'fractions'] as const;
type Kind = (typeof kinds)[number];

interface Setting {
  readonly rows: number;
  readonly size: number;
  readonly kind: Kind;
  /** How easy rows are, and how much groups differ, on the logistic scale. */
  readonly ease: number;
  readonly spread: number;
  /** How much sides differ within groups. */
  readonly own?: number;
  /** Groups of all sizes up to nearly twice as large. */
  readonly isUneven?: boolean;
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** A score at a rate: right or wrong, or a mean of four such. */
function drawScore(random: Random, rate: number, kind: Kind): number {
  const draws = kind === '0/1' ? 1 : 4;
  let right = 0;
  for (let draw = 0; draw < draws; draw += 1) if (random.next() < rate) right += 1;
  return right / draws;
}

/** Scores of several sides on the same rows, alike on average. */
function drawSides(random: Random, count: number, setting: Setting) {
  const { rows, size, kind, ease, spread, own = 0, isUneven } = setting;
  const scores = Array.from({ length: count }, (): number[] => []);
  const names: string[] = [];
  for (let group = 0; group < rows / size; group += 1) {
    const shared = ease + spread * normal(random);
    const rates = scores.map(() => logistic(shared + own * normal(random)));
    const rowsOfGroup = isUneven ? 1 + random.below(2 * size - 1) : size;
    for (let row = 0; row < rowsOfGroup; row += 1) {
      names.push(String(group));
      for (const [side, rate] of rates.entries()) scores[side]?.push(drawScore(random, rate, kind));
    }
  }
  const clusters: RowClusters = { by: 'group', names };
  return { scores: scores.map((own) => Float64Array.from(own)), clusters };
}

/** The mean of the rates that groups have. */
function truthOf({ ease, spread }: Setting): number {
  let sum = 0;
  let weights = 0;
  for (let point = -8; point <= 8; point += 0.005) {
    const weight = Math.exp((-point * point) / 2);
    sum += weight * logistic(ease + spread * point);
    weights += weight;
  }
  return sum / weights;
}

interface Note {
  readonly what: string;
  /** What tells it from others of its kind. */
  readonly detail?: string;
  readonly setting: Pick<Setting, 'rows' | 'size' | 'kind'>;
  readonly byClusters: number;
  readonly byRows?: number | undefined;
}

const notes: Note[] = [];

afterAll(() => {
  keepTable({
    name: 'clusters-in-full',
    head: ['', 'scores', 'rows', 'in groups of', 'by clusters', 'as independent rows'],
    rows: notes.map(({ what, detail, setting: { kind, rows, size }, byClusters, byRows }) => [
      ...[detail ? `${what}, ${detail}` : what, kind, String(rows), String(size)],
      ...[percent(byClusters), byRows === undefined ? '' : percent(byRows)],
    ]),
  });
  const enough = notes.filter(({ setting: { rows, size } }) => rows / size >= 10);
  const nameOf = ({ what, setting: { kind } }: Note) => `${what} | ${kind}`;
  const names = [...new Set(enough.map(nameOf))];
  keepTable({
    name: 'clusters',
    head: ['', 'scores', 'by clusters', 'as independent rows'],
    rows: names.map((name) => {
      const own = enough.filter((note) => nameOf(note) === name);
      return [
        name,
        rangeText(own.map(({ byClusters }) => byClusters)),
        rangeText(own.flatMap(({ byRows }) => byRows ?? [])),
      ];
    }),
  });
});

function rangeText(shares: readonly number[]): string {
  if (shares.length === 0) return '';
  return `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}%`;
}

describe.each(kinds)('a mean of %s', (kind) => {
  describe.each(sizes)('%d rows in groups of %d', (rows, size) => {
    test.each([
      ['in the middle', 0, 1.5, false],
      ['high', 1.5, 1.5, false],
      ['near the ceiling', 3.5, 1.5, false],
      ['groups of all sizes', 1.5, 1.5, true],
      ['a few bad groups', 6, 3, false],
    ])('%s', (name, ease, spread, isUneven) => {
      const setting = { rows, size, kind, ease, spread, isUneven };
      const truth = truthOf(setting);
      const covered = (add: 'cluster' | 'row') =>
        shareOf(1000, (random) => {
          const { scores, clusters } = drawSides(random, 1, setting);
          const tally = add === 'row' ? new ScoreTally() : new ClusterScoreTally([0, 1]);
          for (const [row, score] of (scores[0] ?? []).entries()) {
            tally.add(score, clusters.names[row] ?? '');
          }
          return holds(tally.estimate(), truth);
        });
      const share = covered('cluster');
      // Where a few groups hold nearly all wrong rows, they may not have been seen.
      const isRare = spread > 2;
      notes.push({
        what: isRare ? 'mean held, a few bad groups' : 'mean held',
        detail: isRare ? truth.toFixed(2) : `${name} (${truth.toFixed(2)})`,
        setting,
        byClusters: share,
        byRows: kind === '0/1' ? covered('row') : undefined,
      });
      const isHard = isRare || rows / size < 10;
      expect(share).toBeGreaterThanOrEqual(isHard ? 0.89 : 0.93);
    });
  });
});

test.each([10, 20, 40, 100])('documents of 5 rows of which few are misread: %d', (documents) => {
  for (const share of [0.02, 0.05]) {
    const truth = share * 0.05 + (1 - share) * 0.875;
    const held = shareOf(1000, (random) => {
      const tally = new ClusterScoreTally([0, 1]);
      for (let document = 0; document < documents; document += 1) {
        const isMisread = random.next() < share;
        for (let row = 0; row < 5; row += 1) {
          const part = random.next();
          tally.add(isMisread ? 0.1 * part : 0.8 + 0.15 * part, document);
        }
      }
      return holds(tally.estimate(), truth);
    });
    notes.push({
      what: 'mean held, few documents misread',
      detail: `${share * 100}%`,
      setting: { rows: documents * 5, size: 5, kind: 'fractions' },
      byClusters: held,
    });
    expect(held).toBeGreaterThanOrEqual(0.93);
  }
});

test.each(sizes)('measures of all rows: %d rows in groups of %d', (rows, size) => {
  const setting: Setting = { rows, size, kind: '0/1', ease: 1, spread: 1.5 };
  const truth = truthOf(setting);
  const covered = (type: 'cells' | 'sums') =>
    shareOf(400, (random) => {
      const { scores, clusters } = drawSides(random, 1, setting);
      const cells = new ClusterCellTally();
      const sums = new ClusterSumTally(0);
      for (const [row, score] of (scores[0] ?? []).entries()) {
        const name = clusters.names[row] ?? '';
        cells.add(String(score), name);
        sums.add(name, [score, 1]);
      }
      const rate = (names: readonly string[]) => (counts: ArrayLike<number>) => {
        const right = counts[names.indexOf('1')] ?? 0;
        return right / (right + (counts[names.indexOf('0')] ?? 0));
      };
      const options = { seed: 0, resamples: 300, range: [0, 1] } as const;
      return holds(
        type === 'cells'
          ? cells.estimate(rate, options)
          : sums.estimate(([right = 0, all = 0]) => right / all, options),
        truth,
      );
    });
  const found = { cells: covered('cells'), sums: covered('sums') };
  for (const [detail, byClusters] of Object.entries(found)) {
    notes.push({ what: 'measure of all rows held', detail, setting, byClusters });
  }
  if (rows / size < 10) return;
  expect(found.cells).toBeGreaterThanOrEqual(0.93);
  expect(found.sums).toBeGreaterThanOrEqual(0.93);
});

const level = 0.95;

/** Whether `compare` would call one side better: by its test and its interval. */
function isClaimed(p: number, interval: Parameters<typeof holds>[0]): boolean {
  return p <= 1 - level && interval !== undefined && !holds(interval, 0);
}

function claimsOfRows(differences: readonly number[], kind: Kind): boolean {
  if (kind === 'fractions') {
    const { p } = permutationTest(differences, { seed: 0, resamples: 999 });
    const interval = meanOfDifferences(differences);
    return isClaimed(p, hasInterval(interval) ? interval : undefined);
  }
  const onlyA = differences.filter((one) => one < 0).length;
  const onlyB = differences.filter((one) => one > 0).length;
  const interval = rateDifference({ onlyA, onlyB, pairs: differences.length });
  return isClaimed(mcnemar({ onlyA, onlyB }).exact, interval);
}

describe.each(kinds)('two runs that do not differ, %s', (kind) => {
  test.each(sizes)('%d rows in groups of %d', (rows, size) => {
    const setting: Setting = { rows, size, kind, ease: 0.5, spread: 1, own: 1.5 };
    const draw = (random: Random) => {
      const { scores, clusters } = drawSides(random, 2, setting);
      const [a, b] = scores;
      return {
        differences: Array.from(b ?? [], (score, row) => score - (a?.[row] ?? 0)),
        clusters,
      };
    };
    let covered = 0;
    const runs = 1000;
    const error = shareOf(runs, (random) => {
      const { differences, clusters } = draw(random);
      const { p, difference } = clusteredDifference(differences, {
        clusters: clusters.names,
        largest: 1,
        seed: 0,
        resamples: 999,
        ...(kind === '0/1' && { steps: 1 }),
      });
      if (holds(difference, 0)) covered += 1 / runs;
      return isClaimed(p, difference);
    });
    const plain = shareOf(400, (random) => claimsOfRows(draw(random).differences, kind));
    notes.push(
      { what: '`compare`: false claims', setting, byClusters: error, byRows: plain },
      { what: '`compare`: difference held', setting, byClusters: covered },
    );
    expect(error).toBeLessThanOrEqual(0.07);
    if (rows / size >= 10) expect(covered).toBeGreaterThanOrEqual(0.93);
  });
});

test.each(sizes)('two runs and a measure of all rows: %d in groups of %d', (rows, size) => {
  const setting: Setting = { rows, size, kind: '0/1', ease: 0.5, spread: 1, own: 1.5 };
  const measure = ([wrong = 0, right = 0]: Float64Array) => right / (wrong + right);
  const cells = (scores = new Float64Array()) =>
    ({ type: 'cells', cells: Uint32Array.from(scores) }) as const;
  const error = shareOf(150, (random, run) => {
    const { scores, clusters } = drawSides(random, 2, setting);
    const paired = { a: cells(scores[0]), b: cells(scores[1]), length: 2, measure, largest: 1 };
    const { p = 1 } =
      compareDatasetMetrics({ ...paired, clusters: clusters.names }, { seed: run }) ?? {};
    return p <= 1 - level;
  });
  notes.push({
    what: '`compare`: false claims, measure of all rows',
    setting,
    byClusters: error,
  });
  expect(error).toBeLessThanOrEqual(0.07);
});

describe.each(kinds)('a sweep of five templates that do not differ, %s', (kind) => {
  test.each(sizes)('%d rows in groups of %d', (rows, size) => {
    const setting: Setting = { rows, size, kind, ease: 0.5, spread: 1, own: 1.5 };
    // Templates are alike on average, so that any choice has the same truth.
    const truth = truthOf({ ...setting, spread: Math.hypot(1, 1.5) });
    let covered = 0;
    const claims = (runs: number, isClustered: boolean) =>
      shareOf(runs, (random, run) => {
        const { scores, clusters } = drawSides(random, 5, setting);
        const sheet = sheetOf(scores, isClustered ? { clusters } : {});
        const options = { seed: run, sameTemplate: false, maxRows: 0 };
        const { sheets, best } = analyzeSweep([sheet], options);
        if (isClustered && holds(best[0]?.honest, truth)) covered += 1 / runs;
        return sheets.some(({ comparisons }) => comparisons.some(({ isDifferent }) => isDifferent));
      });
    const error = claims(200, true);
    notes.push({
      what: '`sweep` of five templates: any false claim',
      setting,
      byClusters: error,
      byRows: claims(30, false),
    });
    expect(error).toBeLessThanOrEqual(0.07);
    if (rows / size < 10) return;
    notes.push({ what: '`sweep`: honest score held', setting, byClusters: covered });
    expect(covered).toBeGreaterThanOrEqual(0.93);
  });
});
