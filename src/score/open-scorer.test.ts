import { expect, test } from 'vitest';
import { compileScorer } from './compile-scorer.ts';
import { evaluatorTypes } from './evaluators/evaluator-types.ts';
import { openScorer, prepareScorer } from './open-scorer.ts';
import { splitAnswer } from './split-thought.ts';

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

test.each([null, 'text', 7])(
  'a schema that is none is refused with its place: %j',
  async (schema) => {
    const config = { evaluator: { type: 'json-schema', schema } };
    expect(await prepareScorer(config)).toEqual([]);
    await expect(openScorer(config)).rejects.toMatchObject({
      code: 'config.wrong_type',
      path: ['eval_cfg', 'evaluator', 'schema'],
    });
  },
);

/** Those that need options, a dictionary, a judge or loglikelihoods are left out. */
const withoutOptions = Object.keys(evaluatorTypes).filter(
  (type) =>
    !/^(?:regex|matches|json-schema|similar|length|latency|cost|checks)$|function|jieba|AUCROC|judge|code|LM|HumanEval|MBPP/i.test(
      type,
    ),
);

test.each(withoutOptions)('white space before an answer changes nothing: %s', async (type) => {
  const scorer = await openScorer({ evaluator: { type } });
  for (const text of ['6', 'yes\nno', 'the answer is 6.', 'A', 'B. two']) {
    const results = ['', ' ', '\n', '\n\n ', '\t', '\u3000'].map((space) => {
      const gold = text.split(/\W/)[0];
      const score = scorer.score({ answer: splitAnswer(space + text), gold, row: {} });
      return JSON.stringify(score, (key, value) => (key === 'place' ? undefined : value));
    });
    expect(new Set(results), text).toEqual(new Set([results[0]]));
  }
});
