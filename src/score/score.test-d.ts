import { expectTypeOf } from 'vitest';
import { type Comparison, exact, numberEqual } from './compare/compare.ts';
import { compileScorer } from './compile-scorer.ts';
import { createScorer } from './create-scorer.ts';
import type { Extraction } from './extract/extractor.ts';
import { lastNumber } from './extract/number-extractors.ts';
import { bleu } from './metrics/bleu.ts';
import type { CorpusMetric, TextMetric } from './metrics/metric.ts';
import { tokenF1 } from './metrics/token-f1.ts';
import { isRight } from './row-score.ts';
import type { RowScore, Scored, Scorer } from './scorer.ts';
import { splitAnswer } from './split-thought.ts';

const scorer = compileScorer({ evaluator: { type: 'exact' } });
expectTypeOf(scorer).toEqualTypeOf<Scorer>();

const score = scorer.score({ answer: splitAnswer('42'), gold: 42, row: {} });
expectTypeOf(score).toEqualTypeOf<RowScore>();
// @ts-expect-error a row may have no score
score.value;
if (score.type === 'scored') {
  expectTypeOf(score).toEqualTypeOf<Scored>();
  expectTypeOf(isRight(score)).toBeBoolean();
} else expectTypeOf(score.reason).toBeString();
// @ts-expect-error an answer comes in parts
scorer.score({ answer: '42', gold: 42, row: {} });

expectTypeOf(exact()).toEqualTypeOf<Comparison>();
expectTypeOf(lastNumber.extract('')).toEqualTypeOf<Extraction | undefined>();
createScorer({
  metric: 'accuracy',
  methodOf: () => ({ extractors: [lastNumber], compare: numberEqual({ tolerance: 0.1 }) }),
});

expectTypeOf(tokenF1()).toEqualTypeOf<TextMetric>();
expectTypeOf(bleu()).toExtend<CorpusMetric>();
// @ts-expect-error only tokenizers that are there
bleu({ tokenize: 'words' });
