import { expect, test } from 'vitest';
import { compileScorer } from './compile-scorer.ts';
import { evaluatorTypes } from './evaluators/evaluator-types.ts';
import { openScorer } from './open-scorer.ts';
import { splitAnswer } from './split-answer.ts';

test.each(['exact', 'AccEvaluator', 'math', 'bleu', 'classification'])(
  'a scorer that was opened scores as one that was compiled: %s',
  async (type) => {
    const config = { evaluator: { type } };
    const input = { answer: splitAnswer('x'), gold: 'x', row: {} };
    const opened = await openScorer(config);
    expect(opened.score(input)).toEqual(compileScorer(config).score(input));
    expect(opened.metric).toBe(compileScorer(config).metric);
  },
);

test('without a config nothing is scored', async () => {
  const scorer = await openScorer(undefined);
  expect(scorer.metric).toBe('none');
});

test('a name that there is not is refused with all names', async () => {
  const open = openScorer({ evaluator: { type: 'exakt' } });
  await expect(open).rejects.toMatchObject({
    code: 'config.unknown_type',
    hint: `Did you mean \`exact\`? Available: ${Object.keys(evaluatorTypes).join(', ')}.`,
  });
});
