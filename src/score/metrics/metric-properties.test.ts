import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadSegmenter } from '../segment/segmenter.ts';
import { bleu } from './bleu.ts';
import { bleuTokenizers } from './bleu-tokenizers.ts';
import { chrf } from './chrf.ts';
import { characterErrorRate, editDistance, editSimilarity } from './edit-distance.ts';
import { countLabels } from './label-counts.ts';
import {
  accuracy,
  balancedAccuracy,
  f1,
  macroF1,
  macroPrecision,
  macroRecall,
  matthewsCorrelation,
  microF1,
  precision,
  recall,
  weightedF1,
} from './label-metrics.ts';
import { type CorpusMetric, corpusScore, type TextMetric } from './metric.ts';
import { rouge, rougeVariants } from './rouge.ts';
import { splitWords } from './split-words.ts';
import { ter } from './ter.ts';
import { tokenF1, tokenMatch } from './token-f1.ts';

beforeAll(async () => {
  await Promise.all(['ja', 'zh'].map(loadSegmenter));
});

const words = [
  'the',
  'cats',
  'sat.',
  '3,5',
  'Mat!',
  'ﬁ',
  '東京に',
  '住む。',
  '我们',
  '😀',
  '\n',
  '-',
  '½',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' ')),
);

const languages = [undefined, 'ja', 'zh', 'en'];
const corpusMetrics: (() => CorpusMetric)[] = [
  ...bleuTokenizers.map((tokenize) => () => bleu({ tokenize })),
  ...(['floor', 'add-k', 'none'] as const).map((type) => () => bleu({ smoothing: { type } })),
  ...[0, 2].flatMap((wordOrder) =>
    [true, false].map((epsilonSmoothing) => () => chrf({ wordOrder, epsilonSmoothing })),
  ),
  () => chrf({ beta: 0, epsilonSmoothing: true }),
  () => characterErrorRate,
  () => ter(),
  () => ter({ normalized: true, noPunctuation: true, asianSupport: true }),
];
const textMetrics: (() => TextMetric)[] = [
  ...corpusMetrics,
  ...languages.flatMap((language) => [
    ...rougeVariants.map((variant) => () => rouge(variant, { language, stem: true })),
    () => tokenF1({ language }),
    () => tokenMatch({ language }),
  ]),
  () => editDistance,
  () => editSimilarity,
];

function expectInRange(value: number, [lowest, highest]: TextMetric['range']): void {
  expect(value).toBeGreaterThanOrEqual(lowest);
  expect(value).toBeLessThanOrEqual(highest);
}

test('any texts have a value in the range', () => {
  const metrics = textMetrics.map((make) => make());
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (answer, golds) => {
      for (const { of, range } of metrics) expectInRange(of(answer, golds), range);
    }),
  );
});

test('any corpus has a value in the range', () => {
  const pairs = fc.array(fc.record({ answer: text, golds: fc.array(text, { minLength: 1 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  const metrics = corpusMetrics.map((make) => make());
  fc.assert(
    fc.property(pairs, (pairs) => {
      for (const metric of metrics) expectInRange(corpusScore(metric, pairs) ?? -1, metric.range);
    }),
    { numRuns: 40 },
  );
});

test('the right answer has the best value, whatever other right answers there are', () => {
  const sentence = fc
    .array(fc.constantFrom('the', 'cats', 'sat', 'on', 'mats'), { minLength: 6, maxLength: 9 })
    .map((parts) => parts.join(' '));
  const metrics = textMetrics.map((make) => make());
  fc.assert(
    fc.property(sentence, fc.array(text, { maxLength: 2 }), (answer, others) => {
      for (const { name, of, range, direction } of metrics) {
        const best = range[direction === 'higher' ? 1 : 0];
        expect([name, of(answer, [...others, answer])]).toEqual([name, expect.closeTo(best, 12)]);
      }
    }),
  );
});

test('any text that is not blank is as good as itself', () => {
  fc.assert(
    fc.property(text, (answer) => {
      const isBlank = splitWords(answer).length === 0;
      for (const { of } of [bleu({ tokenize: 'char' }), chrf(), chrf({ wordOrder: 2 })]) {
        expect(of(answer, [answer])).toBeCloseTo(isBlank ? 0 : 1, 12);
      }
    }),
  );
});

test.each([
  ...rougeVariants.filter((variant) => variant !== 'rougeLsum').map((variant) => rouge(variant)),
  chrf({ beta: 1 }),
  tokenF1(),
  tokenMatch(),
  editDistance,
  editSimilarity,
])('$name is symmetric', ({ of }) => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(of(left, [right])).toBeCloseTo(of(right, [left]), 12);
    }),
  );
});

describe('labels', () => {
  const label = fc.constantFrom('a', 'b', 'c', 'd', '');
  const pairs = fc.array(fc.tuple(label, label), { minLength: 1 });
  const metrics = [
    ...[accuracy, macroF1, microF1, weightedF1, macroPrecision, macroRecall, balancedAccuracy],
    ...[matthewsCorrelation, f1('a'), precision('a'), recall('a')],
  ];

  test('any answers have a value in the range', () => {
    fc.assert(
      fc.property(pairs, fc.option(fc.array(label), { nil: undefined }), (pairs, labels) => {
        const counts = countLabels(pairs, { labels });
        for (const { of, range } of metrics) expectInRange(of(counts), range);
      }),
    );
  });

  test('right answers have the best value if there are two labels', () => {
    fc.assert(
      fc.property(fc.array(label), (labels) => {
        const right = [...labels, 'a', 'b'];
        const counts = countLabels(right.map((label) => [label, label] as const));
        expect(metrics.map(({ of }) => of(counts))).toEqual(
          metrics.map(({ range: [, best] }) => expect.closeTo(best, 12)),
        );
      }),
    );
  });

  test('accuracy and correlation are symmetric', () => {
    fc.assert(
      fc.property(pairs, (pairs) => {
        const turned = countLabels(pairs.map(([right, given]) => [given, right] as const));
        for (const { of } of [accuracy, macroF1, microF1, matthewsCorrelation]) {
          expect(of(turned)).toBeCloseTo(of(countLabels(pairs)), 12);
        }
      }),
    );
  });
});
