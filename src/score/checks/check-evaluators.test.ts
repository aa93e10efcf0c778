import { expect, test } from 'vitest';
import { compileScorer } from '../compile-scorer.ts';
import { prepareScorer } from '../open-scorer.ts';
import type { AnswerFacts } from '../scorer.ts';
import { splitAnswer } from '../split-thought.ts';

await prepareScorer({ evaluator: { type: 'json-schema', schema: {} } });

const facts: AnswerFacts = {
  messages: [],
  toolCalls: [
    { name: 'weather', arguments: { city: 'Paris', days: [1, 2], near: { km: 5, by: 'rail' } } },
    { name: 'clock', arguments: {} },
  ],
  finish: 'stop',
  tokens: { input: 10, output: 5 },
  latencyMs: 120,
  cost: 0.25,
};

function scoreOf(
  { type, ...options }: { type: string } & Record<string, unknown>,
  raw: string,
  { gold, ...known }: { gold?: unknown; facts?: AnswerFacts } = {},
) {
  const scorer = compileScorer({ evaluator: { type, ...options } });
  return scorer.score({ answer: splitAnswer(raw), gold, row: {}, ...known });
}

const long = 'x'.repeat(81);
type Case = [check: { type: string } & Record<string, unknown>, answer: string, wrong?: string];

test.each<Case>([
  [{ type: 'length', min: 3, max: 5 }, 'abc'],
  [{ type: 'length', min: 3, max: 5 }, 'abcde'],
  [{ type: 'length', min: 3, max: 5 }, 'ab', 'it has 2 characters, fewer than 3'],
  [{ type: 'length', min: 3, max: 5 }, 'abcdef', 'it has 6 characters, more than 5'],
  [{ type: 'length', max: 2 }, '😀é'],
  [{ type: 'length', min: 3, unit: 'words' }, 'one  two\nthree'],
  [{ type: 'length', max: 2, unit: 'words' }, 'a b c', 'it has 3 words, more than 2'],
  [{ type: 'length', min: 2, max: 2, unit: 'lines' }, 'a\r\nb'],
  [{ type: 'length', min: 3, unit: 'lines' }, 'a\nb', 'it has 2 lines, fewer than 3'],
  [{ type: 'length', min: 2, unit: 'lines' }, 'a b', 'it has 1 line, fewer than 2'],
  [{ type: 'equals', value: ' Rome ' }, 'Rome'],
  [{ type: 'equals', value: 'Rome' }, 'rome', 'it is "rome", not "Rome"'],
  [{ type: 'equals', value: 'ROME', ignore_case: true }, 'rome'],
  [{ type: 'equals', value: 7 }, '7'],
  [{ type: 'equals', value: 'a' }, long, `it is "${'x'.repeat(80)}…", not "a"`],
  [{ type: 'equals', value: 'a' }, long.slice(1), `it is "${'x'.repeat(80)}", not "a"`],
  [{ type: 'equals', value: { a: 1, b: [2, null] } }, '{"b": [2, null], "a": 1}'],
  [
    { type: 'equals', value: { a: 1 } },
    '{"a": 1, "b": 2}',
    String.raw`it is "{\"a\": 1, \"b\": 2}", not "{\"a\":1}"`,
  ],
  [{ type: 'equals', value: { a: 1 } }, 'a: 1', 'it is not JSON: "a: 1"'],
  [{ type: 'equals', value: [1, 2] }, '[2, 1]', 'it is "[2, 1]", not "[1,2]"'],
  [
    { type: 'equals', value: { a: {} } },
    '{"a": []}',
    String.raw`it is "{\"a\": []}", not "{\"a\":{}}"`,
  ],
  [
    { type: 'equals', value: { a: null } },
    '{"b": null}',
    String.raw`it is "{\"b\": null}", not "{\"a\":null}"`,
  ],
  [{ type: 'contains-all', value: ['a', 'b'] }, 'b and a'],
  [{ type: 'contains-all', value: ['a', 'b', 'c'] }, 'a', 'it does not contain "b", "c"'],
  [{ type: 'starts-with', value: ['To', 'From'] }, 'From Rome'],
  [
    { type: 'starts-with', value: 'To' },
    `${'y'.repeat(41)}`,
    `it begins with "${'y'.repeat(40)}", not "To"`,
  ],
  [{ type: 'matches', pattern: '^a.b$' }, 'axb'],
  [{ type: 'matches', pattern: '^a.b$' }, 'axbc', 'it does not match /^a.b$/'],
  [{ type: 'matches', pattern: 'ROME', flags: 'i' }, 'in rome'],
  [{ type: 'is-json' }, '3'],
  [{ type: 'is-json' }, 'So: {"a": 1}', String.raw`it is not JSON: "So: {\"a\": 1}"`],
  [{ type: 'is-json', anywhere: true }, 'So: {"a": 1} and {"b": 2}.'],
  [{ type: 'is-json', anywhere: true }, '3', 'it contains no JSON object'],
  [{ type: 'is-json', anywhere: true }, 'null', 'it contains no JSON object'],
  [{ type: 'is-json', anywhere: true }, '[1, 2]', 'it contains no JSON object'],
  [{ type: 'is-json', anywhere: true }, '[{"a": 1}]'],
  [{ type: 'json-schema', schema: { required: ['b'] }, anywhere: true }, '{"a":1} then {"b":2}'],
  [{ type: 'json-schema', schema: true }, '"text"'],
  [{ type: 'json-schema', schema: {} }, 'text', 'it is not JSON: "text"'],
  [{ type: 'latency', max: 120 }, 'a'],
  [{ type: 'latency', max: 119 }, 'a', 'it took 120 ms, more than 119 ms'],
  [{ type: 'cost', max: 0.25 }, 'a'],
  [{ type: 'cost', max: 0.2 }, 'a', 'it cost 0.25, more than 0.2'],
  [{ type: 'tool-called' }, ''],
  [{ type: 'tool-called', tool: ['clock', 'weather'] }, ''],
  [
    { type: 'tool-called', tool: ['clock', 'maps'] },
    '',
    '`maps` was not called; called: weather, clock',
  ],
  [
    { type: 'tool-called', tool: ['maps', 'clock', 'mail'] },
    '',
    '`maps`, `mail` were not called; called: weather, clock',
  ],
  [{ type: 'tool-called', tool: 'weather', arguments: { city: 'Paris' } }, ''],
  [{ type: 'tool-called', tool: 'weather', arguments: { near: { km: 5 } } }, ''],
  [{ type: 'tool-called', tool: 'weather', exactly: true }, '', '`clock` was also called'],
  [{ type: 'tool-called', tool: ['weather', 'clock'], exactly: true }, ''],
])('%j of %j: %j', (check, answer, wrong) => {
  const score = scoreOf(check, answer, { facts });
  expect(score).toMatchObject({ type: 'scored', value: wrong === undefined ? 1 : 0 });
  expect(score.detail).toBe(wrong);
});

test.each([
  [{ city: 'Rome' }, false],
  [{ days: [1] }, false],
  [{ days: [1, 2] }, true],
  [{ days: [2, 1] }, false],
  [{ near: { km: 5, by: 'car' } }, false],
  [{ near: 5 }, false],
  [{ other: null }, false],
])('a call with the arguments %j: %j', (wanted, isRight) => {
  const check = { type: 'tool-called', tool: 'weather', arguments: wanted };
  expect(scoreOf(check, '', { facts })).toMatchObject({ value: Number(isRight) });
});

test.each<[{ type: string } & Record<string, unknown>, object, string]>([
  [{ type: 'latency', max: 1 }, {}, 'only the text of the answer is known'],
  [{ type: 'cost', max: 1 }, { facts: { ...facts, cost: null } }, 'no price or token counts'],
  [{ type: 'equals' }, { gold: '' }, 'no gold answer'],
  [{ type: 'contains-all' }, { gold: [] }, 'no gold answer'],
])('%j without what it needs: unscored', (check, known, reason) => {
  expect(scoreOf(check, 'a', known)).toMatchObject({ type: 'unscored', reason });
});

test('the gold answer is wanted where the check names nothing', () => {
  expect(scoreOf({ type: 'equals' }, 'Rome', { gold: ['Roma', 'Rome'] })).toMatchObject({
    value: 1,
    compared: { got: 'Rome', want: 'Roma | Rome' },
  });
});

test.each([
  [{ type: 'length' }, 'has no `min` and no `max`'],
  [{ type: 'length', min: 3, max: 2 }, 'has a `min` of 3 above its `max` of 2'],
  [{ type: 'similar', value: 'a' }, 'has no `embedder`'],
])('%j is refused', (evaluator, message) => {
  expect(() => compileScorer({ evaluator })).toThrow(message);
});

test('bounds may be equal', () => {
  expect(scoreOf({ type: 'length', min: 2, max: 2 }, 'ab')).toMatchObject({ value: 1 });
});

test.each([
  ["I'm sorry, but I can't help with that.", facts.toolCalls, 1],
  ['Paris', facts.toolCalls, 0],
  ['', [], 1],
  ['', facts.toolCalls, 0],
])('%j refuses: %j', (answer, toolCalls, value) => {
  const score = scoreOf({ type: 'refusal' }, answer, { facts: { ...facts, toolCalls } });
  expect(score).toMatchObject({ value, ...(value === 0 && { detail: 'it does not refuse' }) });
});

test('similarity is the cosine of embeddings, the best of what is wanted', async () => {
  const vectors: Readonly<Record<string, number[]>> = {
    up: [0, 2, 0],
    right: [3, 0, 0],
    slope: [3, 4, 0],
    down: [0, -5, 0],
    nothing: [0, 0, 0],
  };
  const scorer = (value: unknown) =>
    compileScorer(
      { evaluator: { type: 'similar', value, embedder: { path: 'encoder' } } },
      {
        embedWith: () => async (texts) =>
          texts.map((text) => Float32Array.from(vectors[text] ?? [])),
      },
    );
  const { signal } = new AbortController();
  for (const [answer, value, wanted] of [
    ['up', 'slope', 0.8],
    ['right', ['up', 'slope'], 0.6],
    ['slope', ['slope', 'up'], 1],
    ['up', 'down', 0],
    ['up', 'right', 0],
    ['nothing', 'up', 0],
  ] as const) {
    const input = { answer: splitAnswer(answer), gold: undefined, row: {} };
    const score = await scorer(value).scoreLater?.(input, signal, signal);
    expect(score).toMatchObject({ value: expect.closeTo(wanted, 6) });
    expect(score?.detail).toContain(`is ${wanted.toFixed(2)}`);
  }
});
