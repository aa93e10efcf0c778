import { describe, expect, it } from 'vitest';
import { compileScorer } from '../compile-scorer.ts';
import { splitAnswer } from '../split-answer.ts';
import type { ScoreFunction } from './function-evaluator.ts';

const signal = new AbortController().signal;

function scoreBy(score: ScoreFunction, answer: string, more: object = {}) {
  const scorer = compileScorer({ evaluator: { type: 'function', score }, ...more });
  const input = { answer: splitAnswer(answer), gold: 'abc', row: { level: 2 } };
  return scorer.scoreLater?.(input, signal);
}

describe('a function of the user scores answers', () => {
  it.each<[string, ScoreFunction, object]>([
    ['a number', () => 0.25, { type: 'scored', value: 0.25, extracted: 'an answer' }],
    ['right', () => true, { value: 1 }],
    ['wrong', () => false, { value: 0 }],
    ['later', async () => 0.5, { value: 0.5 }],
    ['nothing', () => null, { type: 'unscored', reason: 'the function gave no score' }],
    ['too much', () => 2, { type: 'unscored', reason: 'score out of range', detail: '2' }],
    ['no number', () => Number.NaN, { type: 'unscored', reason: 'score out of range' }],
  ])('%s', async (_, score, expected) => {
    expect(await scoreBy(score, ' an answer ')).toMatchObject(expected);
  });

  it('is given the answer without its thinking, the gold answer and the row', async () => {
    const seen: unknown[] = [];
    await scoreBy((...given) => seen.push(...given) / 2, '<think>hm</think> yes');
    expect(seen).toEqual(['yes', { gold: 'abc', row: { level: 2 } }]);
  });

  it('is given what post-processors find, and is not asked where they find nothing', async () => {
    const more = {
      predPostprocessor: { type: 'last-number' },
      datasetPostprocessor: { type: 'regex', pattern: 'b' },
    };
    const score: ScoreFunction = (answer, { gold }) => answer === '7' && gold === 'b';
    expect(await scoreBy(score, '3 + 4 is 7.', more)).toMatchObject({ value: 1, extracted: '7' });
    expect(await scoreBy(score, 'seven', more)).toMatchObject({ reason: 'no answer found' });
  });

  it.each([
    [{ type: 'function' }, 'config.missing_key'],
    [{ type: 'function', score: 'mine' }, 'config.wrong_type'],
    [{ type: 'function', scroe: () => 1 }, 'config.unknown_key'],
  ])('refuses %j', (evaluator, code) => {
    expect(() => compileScorer({ evaluator })).toThrow(expect.objectContaining({ code }));
  });
});
