import { describe, expect, it } from 'vitest';
import { Float } from '../../prompt/values.ts';
import { compileScorer } from '../compile-scorer.ts';
import { splitAnswer } from '../split-thought.ts';
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
    ['a reason', () => ({ score: 0.5, reason: 'half' }), { value: 0.5, detail: 'half' }],
    ['whether it passes', () => ({ pass: false }), { value: 0, isRight: false }],
    ['a pass with a score', () => ({ pass: true, score: 0.4 }), { value: 0.4, isRight: true }],
    ['measures', () => ({ score: true, metrics: { tone: 0.5 } }), { metrics: { tone: 0.5 } }],
    [
      'measures that are none',
      () => ({ score: 1, metrics: { tone: 5 } }),
      { reason: 'score out of range', detail: 'the metric tone is 5' },
    ],
    [
      'a misspelt verdict',
      () => ({ score: 1, passed: false }) as never,
      {
        reason: 'the function gave a key that is not known',
        detail: '`passed`; did you mean `pass`?',
      },
    ],
    [
      'a verdict that is none',
      () => ({ score: 1, pass: 'no' }) as never,
      {
        type: 'unscored',
        reason: 'the function gave a `pass` that is neither true nor false',
        detail: '`pass` must be true or false, not a string',
      },
    ],
    [
      'further keys, as other tools have them',
      () => ({ name: 'x', score: 1, metadata: { rationale: 'fine' }, namedScores: {} }),
      { value: 1 },
    ],
    [
      'measures that are true',
      () => ({ score: 1, metrics: { tone: true, short: false } }),
      { metrics: { tone: 1, short: 0 } },
    ],
    ...(
      [
        [[1], '`metrics` must be an object of numbers, not a list'],
        ['x', '`metrics` must be an object of numbers, not a string'],
        [{ '': 0.1 }, 'a metric has an empty name'],
        [{ a: '0.5' }, 'the metric a must be a number from 0 to 1, true or false, not a string'],
        [{ score: 0.1 }, 'the metric `score` has the name of the score itself'],
      ] as const
    ).map(([metrics, detail]): [string, ScoreFunction, object] => [
      `metrics ${JSON.stringify(metrics)}`,
      () => ({ score: 1, metrics }) as never,
      { type: 'unscored', reason: 'the function gave metrics that cannot be used', detail },
    ]),
    ['an object of nothing', () => ({ score: null }), { reason: 'the function gave no score' }],
  ])('%s', async (_, score, expected) => {
    expect(await scoreBy(score, ' an answer ')).toMatchObject(expected);
  });

  it('is told what is known of the answer', () => {
    const scorer = compileScorer({ evaluator: { type: 'function', score: () => 1 } });
    expect(scorer.readsFacts).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a string', '1'],
    ['an empty string', ''],
    ['a bigint', 1n],
    ['a boxed number', Object(1)],
    ['a boxed boolean', Object(false)],
    ['a date', new Date(1)],
    ['a list', [1]],
    ['an empty list', []],
    ['an object', { grade: 1 }],
    ['an object with a text', { score: '1' }],
    ['an object with a value', { valueOf: () => 1 }],
    ['a match', /1/.exec('1')],
    ['a symbol', Symbol('1')],
    ['a function', () => 1],
  ])('takes %s for no score', async (_, value) => {
    const score = (() => value) as unknown as ScoreFunction;
    const reason = 'the function gave no number';
    expect(await scoreBy(score, 'x')).toMatchObject({ type: 'unscored', reason });
  });

  it('changes no row', async () => {
    const row = {
      list: [1],
      mapping: { deep: [2] },
      map: new Map([['key', [3]]]),
      float: new Float(1),
    };
    const gold = ['x'];
    const score: ScoreFunction = (_, given) => {
      const open = given as unknown as { gold: string[]; row: typeof row & { seen?: boolean } };
      open.row.seen = true;
      open.row.list.push(9);
      open.row.mapping.deep.push(9);
      open.row.map.get('key')?.push(9);
      open.gold.push('y');
      return open.row.float instanceof Float;
    };
    const scorer = compileScorer({ evaluator: { type: 'function', score } });
    const scored = await scorer.scoreLater?.({ answer: splitAnswer('x'), gold, row }, signal);
    expect(scored).toMatchObject({ value: 1, compared: { want: '["x"]' } });
    expect({ row, gold }).toEqual({
      row: { list: [1], mapping: { deep: [2] }, map: new Map([['key', [3]]]), float: new Float(1) },
      gold: ['x'],
    });
  });

  it('is given the answer without its thinking, the gold answer and the row', async () => {
    const seen: unknown[] = [];
    await scoreBy((...given) => seen.push(...given) / 2, '<think>hm</think> yes');
    const unknown = { tokens: { input: null, output: null }, latencyMs: 0, cost: null };
    const asked = { messages: [], toolCalls: [], finish: 'stop' };
    expect(seen).toEqual(['yes', { gold: 'abc', row: { level: 2 }, ...asked, ...unknown }]);
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
