import { expect, it } from 'vitest';
import { Float } from '../prompt/values.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import { splitAnswer } from '../score/split-thought.ts';
import { saysScorerFailed, scoredFields } from './score-answer.ts';

it.each<[string, string, unknown, readonly [string, string] | undefined]>([
  ['exact', 'yes', 'yes', undefined],
  ['exact', ' yes\n', 'yes', undefined],
  ['exact', 'no', ['yes', 'no'], ['no', 'yes | no']],
  ['number', 'It is 1,000.', '1000', undefined],
  ['number', 'It is 1000.', '1,000.0', ['1000', '1000']],
  ['number', '2', new Float(2), ['2', '2']],
  ['EMEvaluator', 'The tower. It stands.', 'tower', ['tower', 'tower']],
])('%s: %j against %j was compared as %j', (type, text, gold, compared) => {
  const { score } = compileScorer({ evaluator: { type } });
  const fields = scoredFields(score({ answer: splitAnswer(text), gold, row: {} }), gold);
  expect(fields).toMatchObject({ outcome: 'scored', score: 1 });
  expect(fields.compared).toEqual(compared);
});

it.each([
  ['the scorer failed: no', true],
  ['pattern takes too long', true],
  ['judge failed: no answer', true],
  ['no answer found', false],
  ['not scored yet', false],
])('%s: the scorer failed: %j', (reason, expected) => {
  expect(saysScorerFailed(reason)).toBe(expected);
});
