import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../prompt/prompt.ts';
import type { GenerateRequest } from './model.ts';
import { replayModel } from './replay-model.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function replay(lines: readonly (object | string)[], end = '\n') {
  const file = join(folder, 'answers.jsonl');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, texts.join('\n') + end);
  return replayModel(file);
}

const { signal } = new AbortController();
const ask = (text: string): Prompt => ({ type: 'text', text });
const turns: Prompt = {
  type: 'messages',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'q' },
  ],
};
const logged = { id: 7, n: 0, key: 'k7', prompt: 'hash7', outcome: 'scored' };

test.each<[object, GenerateRequest, string]>([
  [{ prompt: 'q', answer: 'a' }, { prompt: ask('q') }, 'a'],
  [
    { prompt: 'q', answer: 'a' },
    { prompt: { type: 'messages', messages: [{ role: 'user', content: 'q' }] } },
    'a',
  ],
  [{ prompt: turns.type === 'messages' && turns.messages, answer: 'a' }, { prompt: turns }, 'a'],
  [{ id: 7, answer: 'a' }, { prompt: ask('any'), id: '7' }, 'a'],
  [{ key: 'k', answer: 'a' }, { prompt: ask('any'), key: 'k' }, 'a'],
  [{ ...logged, answer: 'a' }, { prompt: ask('any'), key: 'k7' }, 'a'],
  [{ ...logged, answer: 'a' }, { prompt: ask('any'), key: 'of another model', id: 7 }, 'a'],
])('%j answers %j', async (line, request, text) => {
  const model = await replay([{ prompt: 'other', answer: 'wrong' }, line]);
  await expect(model.generate(request, { signal })).resolves.toMatchObject({ text, totalMs: 0 });
});

test('all that was recorded comes back', async () => {
  const usage = { inputTokens: 3, outputTokens: 1 };
  const model = await replay([
    { ...logged, answer: 'a', reasoning: 'why', finish: 'length', tokens: [3, 1] },
    { prompt: 'p', answer: { text: 'a', reasoning: 'why', finishReason: 'length', usage } },
    { prompt: 'plain', answer: 'a' },
  ]);
  const whole = { text: 'a', reasoning: 'why', finishReason: 'length', usage, totalMs: 0 };
  expect(await model.generate({ prompt: ask('x'), key: 'k7' }, { signal })).toEqual(whole);
  expect(await model.generate({ prompt: ask('p') }, { signal })).toEqual(whole);
  expect(await model.generate({ prompt: ask('plain') }, { signal })).toMatchObject({
    finishReason: 'stop',
  });
});

test.each<[string, GenerateRequest]>([
  ['another prompt', { prompt: ask('q2') }],
  ['the same row with another prompt', { prompt: ask('q2'), id: 1 }],
])('no answer to %s', async (_name, request) => {
  const model = await replay([{ prompt: 'q', id: 1, answer: 'a' }]);
  await expect(model.generate(request, { signal })).rejects.toMatchObject({
    code: 'model.not_recorded',
    retryable: false,
    message: 'answers.jsonl has no answer to the prompt',
    hint: expect.stringContaining('"q2"'),
  });
});

test('the later of two answers counts, and rows without one are passed over', async () => {
  const failed = { ...logged, id: 8, key: 'k8', outcome: 'failed' };
  const model = await replay([{ ...logged, answer: 'old' }, failed, { ...logged, answer: 'new' }]);
  const request = { prompt: ask('x'), id: 7 };
  expect(await model.generate(request, { signal })).toMatchObject({ text: 'new' });
  await expect(model.generate({ ...request, id: 8 }, { signal })).rejects.toMatchObject({
    hint: expect.stringContaining('row 8'),
  });
});

test('a torn last line is dropped, any other bad line is named', async () => {
  const good = { prompt: 'q', answer: 'a' };
  const model = await replay([good, '{"prompt":"r","ans'], '');
  expect(await model.generate({ prompt: ask('q') }, { signal })).toMatchObject({ text: 'a' });
  for (const bad of ['{"prompt":', { answer: 'a' }, { prompt: 'q' }, '5']) {
    await expect(replay([good, bad, good])).rejects.toMatchObject({
      code: 'model.bad_replay_line',
      at: { line: 2 },
    });
  }
});

test('a missing file is an error that says so', async () => {
  await expect(replayModel(join(folder, 'none.jsonl'))).rejects.toMatchObject({
    code: 'model.replay_file',
    message: expect.stringContaining('none.jsonl'),
  });
});

test('the identity is that of the answers, and rows may differ in them', async () => {
  const [a, same, other] = [
    await replay([{ prompt: 'q', answer: 'a' }]),
    await replay([{ prompt: 'q', answer: 'a' }]),
    await replay([{ prompt: 'q', answer: 'b' }]),
  ];
  expect(a.identity).toEqual(same.identity);
  expect(a.identity).not.toEqual(other.identity);
  expect(a.encode({ prompt: ask('q'), id: 1 })).not.toBe(a.encode({ prompt: ask('q'), id: 2 }));
});

const sample = (name: number, isLast = false) =>
  ({ kind: 'sample', name, isFirst: name === 1, isLast }) as const;
const turn = (name: number, isFirst = name === 1, isLast = isFirst && name > 1) =>
  ({ kind: 'turn', name, isFirst, isLast }) as const;
const ofLog = (part: number | undefined, answer: string) => ({ ...logged, part, answer });
const whole = { ...logged, parts: ['k1', 'k2'], answer: 'whole' };

test.each<[string, readonly object[], Partial<GenerateRequest>, string]>([
  ['samples of a log', [ofLog(1, 'a'), ofLog(2, 'b'), whole], { part: sample(2) }, 'b'],
  ['fewer samples than a log has', [ofLog(1, 'a'), ofLog(2, 'b')], { part: sample(1, true) }, 'a'],
  ['turns of a log', [ofLog(2, 'b'), ofLog(1, 'a'), whole], { part: turn(1) }, 'a'],
  ['the last turn of a log', [ofLog(1, 'a'), ofLog(2, 'b')], { part: turn(2, true) }, 'b'],
  ['the later of two parts of a log', [ofLog(2, 'old'), ofLog(2, 'b')], { part: turn(2) }, 'b'],
  ['parts by hand', [{ id: 7, part: 2, answer: 'b' }], { part: sample(2) }, 'b'],
  ['a list', [{ id: 7, answer: ['a', 'b'] }], { part: turn(2) }, 'b'],
  ['a list of a prompt', [{ prompt: 'x', answer: ['a', 'b'] }], { part: sample(2) }, 'b'],
  [
    'lines of one prompt',
    ['a', 'b'].map((answer) => ({ prompt: 'x', answer })),
    { part: sample(2) },
    'b',
  ],
  ['a prompt of a later turn', [{ prompt: 'x', answer: 'a' }], { part: turn(2) }, 'a'],
  ['one answer for the last turn', [{ id: 7, answer: 'a' }], { part: turn(3, true) }, 'a'],
  ['the same answer twice', [1, 2].map(() => ({ id: 7, answer: 'a' })), {}, 'a'],
  [
    'the line of the row among those of a prompt',
    [
      { prompt: 'x', id: 7, answer: 'a' },
      { prompt: 'x', id: 8, answer: 'b' },
    ],
    {},
    'a',
  ],
])('%s', async (_name, lines, request, text) => {
  const model = await replay(lines);
  const asked = { prompt: ask('x'), id: 7, ...request };
  expect(await model.generate(asked, { signal })).toMatchObject({ text });
});

test.each<[readonly object[], Partial<GenerateRequest>, string]>([
  [[ofLog(1, 'a'), whole], { part: sample(2) }, 'no answer to sample 2 of the row'],
  [[ofLog(1, 'a'), whole], {}, 'has answers to turns or samples of the row, but it is asked once'],
  [[{ id: 7, answer: 'a' }], { part: turn(2) }, 'no answer to turn 2 of the row'],
  [[{ prompt: 'x', answer: 'a' }], { part: sample(2) }, 'no answer to sample 2 of the row'],
  [[{ id: 7, answer: ['a', 'b'] }], {}, 'has 2 different answers, but the row is asked once'],
  [['a', 'b'].map((answer) => ({ prompt: 'x', answer })), {}, 'has 2 different answers'],
  [
    [{ id: 7, answer: ['a', 'b', 'c'] }],
    { part: turn(2, false, true) },
    'answers.jsonl has 3 answers, and the row has 2 turns',
  ],
  [
    [{ id: 7, answer: ['a', 'b'] }],
    { part: turn(1, true, true) },
    'answers.jsonl has 2 answers, and the row has 1 turn',
  ],
  [[ofLog(1, 'a'), ofLog(2, 'b')], { part: turn(1, true, true) }, '2 answers, and the row has 1'],
  [
    [{ prompt: 'x', answer: ['a', 'b', 'c'] }],
    { part: sample(2, true) },
    '3 answers, and the row has 2 samples',
  ],
])('%j do not answer %j', async (lines, request, message) => {
  const model = await replay(lines);
  const asked = { prompt: ask('x'), id: 7, ...request };
  await expect(model.generate(asked, { signal })).rejects.toMatchObject({
    code: 'model.not_recorded',
    message: expect.stringContaining(message),
  });
});

test.each([
  { id: 7, part: 0, answer: 'a' },
  { id: 7, part: 1, answer: ['a', 'b'] },
  { id: 7, part: 1, answer: 'other' },
  { id: 7, answer: [] },
  { id: 7, answer: ['a', 4] },
  { part: 1, answer: 'a' },
])('%j is refused', async (line) => {
  await expect(replay([{ id: 7, part: 1, answer: 'a' }, line])).rejects.toMatchObject({
    code: 'model.bad_replay_line',
    at: { line: 2 },
  });
});
