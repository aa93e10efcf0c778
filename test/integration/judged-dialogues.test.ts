import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
});

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const models = () => [
  { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm', max_out_len: 9 },
  { abbr: 'j', type: 'OpenAI', base_url: server.url, model: 'judge', judge: true },
];
const grade = { type: 'grade', scale: [1, 10], pattern: '\\[\\[([\\d.]+)\\]\\]' };
const turns = (human: object) => ({
  prompt_template: {
    type: 'MultiTurnPromptTemplate',
    template: {
      round: [
        { role: 'HUMAN', ...human },
        { role: 'BOT', prompt: '{a}' },
      ],
    },
  },
  inferencer: { type: 'MultiTurnGenInferencer' },
});

async function inFolder(rows: readonly object[], infer: object, evaluator: object, own = {}) {
  const folder = await writeFolder({
    'c.json': JSON.stringify({
      models: models(),
      datasets: [
        {
          abbr: 'd',
          rows,
          reader_cfg: { input_columns: ['q'], output_column: 'a' },
          infer_cfg: infer,
          eval_cfg: { evaluator: { type: 'judge', model: 'j', ...evaluator } },
          ...own,
        },
      ],
    }),
  });
  const out = join(folder, 'o');
  const bundle = () => callCommand(['bundle', out, join(folder, 'o.zip')]);
  const call = (command: string, ...flags: string[]) =>
    callCommand([command, join(folder, 'c.json'), '--out', out, ...flags]);
  return { call, bundle, log: async () => readFile(join(out, 'm', 'd.jsonl'), 'utf8') };
}

const isJudge = ({ model }: AskedBody) => model === 'judge';
const said = ({ messages }: AskedBody) =>
  (messages as { content: unknown }[]).map(({ content }) => content);

test('grades of samples are not counted as right or wrong', async () => {
  server.answer = (body, text) => (isJudge(body) ? `[[${/low/.test(text) ? 1 : 10}]]` : 'whatever');
  const { call, log } = await inFolder(
    [
      { q: 'low', a: '1' },
      { q: 'high', a: '1' },
    ],
    { prompt_template: { template: '{q}' } },
    { verdict: grade, prompt: '{q} {prediction}' },
    { n: 4 },
  );
  const { code, stdout } = await call('run');
  expect(code).toBe(0);
  expect(stdout).toContain('avg@4');
  expect(stdout).not.toContain('pass');
  expect(await log()).not.toContain('pass@');
  const gated = await call('run', '--fail-under', 'pass@1=0.4');
  expect([gated.code, gated.stderr]).toEqual([2, expect.stringContaining('pass@1')]);
});

test('a run of judged dialogues is bundled as it is', async () => {
  server.answer = (body) => (isJudge(body) ? '[[7]]' : 'fine');
  const { call, bundle } = await inFolder(
    [{ q: ['one', 'two'], a: ['x', 'y'] }],
    turns({ prompt: '{q}' }),
    { verdict: grade, prompt: '{q} {prediction}' },
  );
  expect((await call('run')).code).toBe(0);
  const { code, stdout } = await bundle();
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Everything that can be verified is correct'),
  ]);
});

test('a list that a judge reads has an element for each turn, or the row fails', async () => {
  server.answer = (body) => (isJudge(body) ? '[[A]]' : 'mine');
  const lists = [['a'], ['a', 'b', 'c'], [], ['a', 'b'], ['a', null]];
  const { call } = await inFolder(
    lists.map((other, id) => ({ q: [`q${id}`, 'r'], a: ['x', 'y'], other })),
    turns({ prompt: '{q}' }),
    {
      against: 'other',
      verdict: { type: 'pair', first: 'A', second: 'B', tie: 'C', pattern: '\\[\\[([ABC])\\]\\]' },
      prompt: '{q} <F>{first}</F> <S>{second}</S>',
    },
  );
  const { code, stdout } = await call('run');
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'the scorer failed: `other` has 1 element, and the dialogue 2 turns',
  );
  const shown = server.asked.filter(isJudge).flatMap(said).join('\n');
  expect(shown).not.toMatch(/\[("|\])/);
  expect(shown).toMatch(/q3.*\bmine\b.*\ba\b/);
});

const shows = (text: string) => ({
  type: 'MMPromptTemplate',
  template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text } }] },
});
const media = (body: AskedBody) =>
  said(body)
    .flat()
    .filter((part) => (part as { type?: string }).type === 'image_url').length;

test.each([
  ['C[{conversation}] {prediction}', [1, 1, 1]],
  ['{q} {prediction}', [1, 0, 0]],
])('one picture of a dialogue is shown to a judge once: %s', async (text, counts) => {
  server.answer = (body) => (isJudge(body) ? '[[7]]' : 'fine');
  const { call } = await inFolder(
    [{ image: picture, q: ['one', 'two', 'three'], a: ['x', 'y', 'z'] }],
    turns({ prompt_mm: { image: '{image}', text: '{q}' } }),
    { verdict: grade, prompt: shows(text), question_column: 'q' },
  );
  expect((await call('run')).code).toBe(0);
  expect(server.asked.filter(isJudge).map(media).toSorted().toReversed()).toEqual(counts);
});

test('what an answer says of pictures moves none in the prompt of its judge', async () => {
  server.answer = (body) => (isJudge(body) ? '[[7]]' : 'look <image> there <AIS_IMAGE_START>');
  const { call } = await inFolder(
    [
      { image: picture, q: 'one', a: 'x' },
      { image: [picture, picture], q: 'two', a: 'x' },
    ],
    {
      prompt_template: {
        type: 'MMPromptTemplate',
        template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text: '{q}' } }] },
      },
    },
    { verdict: grade, prompt: shows('A {prediction}') },
  );
  expect((await call('run')).code).toBe(0);
  const judged = server.asked.filter(isJudge);
  expect(judged.map(media).toSorted()).toEqual([1, 2]);
  for (const body of judged) {
    const texts = said(body)
      .flat()
      .filter((part) => (part as { type?: string }).type === 'text');
    expect(texts).toEqual([{ type: 'text', text: 'A look <image> there <AIS_IMAGE_START>' }]);
  }
});

const chats = [
  'assistant a0, user u1, user u2, assistant a1',
  'system s1, user u1, user u2, assistant a1, assistant a2, user u3, assistant a3',
  'user u1, assistant a1, user u2, system s2',
].map((chat) => ({
  dialogue: chat.split(', ').map((message) => {
    const [role, content] = message.split(' ');
    return { role, content };
  }),
}));
const ofChats = { reader_cfg: { input_columns: ['dialogue'], output_column: null } };

test.each(['last', 'every_with_gt', 'every'])(
  'a judge is told the messages that were sent, in their order (infer_mode: %s)',
  async (infer_mode) => {
    server.answer = (body) => (isJudge(body) ? '[[7]]' : 'mine');
    const rows = infer_mode === 'last' ? chats : chats.slice(1);
    const { call } = await inFolder(
      rows,
      { inferencer: { type: 'ChatInferencer', infer_mode } },
      {
        verdict: grade,
        prompt: [{ expand_column: 'conversation_messages' }, { role: 'user', content: 'Grade.' }],
      },
      ofChats,
    );
    expect((await call('run')).code).toBe(0);
    const sent = server.asked.filter((body) => !isJudge(body)).map(({ messages }) => messages);
    const told = server.asked.filter(isJudge).map(({ messages }) => messages);
    const expected = (sent as { role: string }[][]).map((messages) => [
      ...messages.slice(messages[0]?.role === 'system' ? 1 : 0),
      { role: 'assistant', content: 'mine' },
      { role: 'user', content: 'Grade.' },
    ]);
    expect(told.map((one) => JSON.stringify(one)).sort()).toEqual(
      expected.map((one) => JSON.stringify(one)).sort(),
    );
  },
);

test('questions of a chat are the messages of its user, in prompts of our own too', async () => {
  server.answer = (body) => (isJudge(body) ? '{"reason": "r", "grade": 7}' : 'mine');
  const chat = { inferencer: { type: 'ChatInferencer', infer_mode: 'last' } };
  const own = await inFolder(chats, chat, { verdict: { type: 'grade', scale: [1, 10] } }, ofChats);
  expect((await own.call('run')).code).toBe(0);
  const told = server.asked.filter(isJudge).map((body) => said(body).join());
  for (const question of ['u1\n\nu2', 'u3', 'u2']) {
    expect(told).toContainEqual(expect.stringContaining(`\n${question}\n`));
  }
  server.asked.length = 0;
  server.answer = (body) => (isJudge(body) ? '[[7]]' : 'mine');
  const prompt = '<{question}> {prediction}';
  const { call } = await inFolder(chats, chat, { verdict: grade, prompt }, ofChats);
  expect((await call('run')).code).toBe(0);
  expect(server.asked.filter(isJudge).flatMap(said).sort()).toEqual([
    '<u1\n\nu2> mine',
    '<u2> mine',
    '<u3> mine',
  ]);
});

test('a question of several segments stands once in a judge prompt with media', async () => {
  server.answer = (body) => (isJudge(body) ? '[[7]]' : 'mine');
  const image = `<AIS_IMAGE_START>data:image/png;base64,${picture}<AIS_CONTENT_TAG>`;
  const text = (words: string) => `<AIS_TEXT_START>${words}<AIS_CONTENT_TAG>`;
  const shown = (words: string) => ({
    type: 'MMPromptTemplate',
    template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text: words } }] },
  });
  const { call } = await inFolder(
    [{ q: text('Compare') + image + text('with') + image + text('Which?'), a: 'x' }],
    { prompt_template: shown('{q}') },
    {
      verdict: grade,
      question_column: 'q',
      prompt: shown('Judge. <{question}> {prediction} [[n]]'),
    },
  );
  expect((await call('run')).code).toBe(0);
  const [content] = server.asked.filter(isJudge).flatMap(said) as {
    type: string;
    text?: string;
  }[][];
  const texts = (content ?? []).map((part) => part.text ?? `(${part.type})`).join('');
  expect(texts.split('Judge.')).toHaveLength(2);
  expect(texts.match(/\(image_url\)/g)).toHaveLength(2);
  expect(texts.replaceAll('(image_url)', '')).toMatch(
    /^Judge\. <Compare\s*with\s*Which\?> mine \[\[n\]\]$/,
  );
});
