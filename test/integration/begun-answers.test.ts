import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
});

interface Row {
  readonly outcome: string;
  readonly extracted?: string;
  readonly score?: number;
  readonly reason?: string;
}

async function run(config: object) {
  const folder = await writeFolder({ 'c.json': JSON.stringify(config) });
  const out = join(folder, 'run');
  const { code, stderr } = await callCommand(['run', join(folder, 'c.json'), '--out', out]);
  const rowsOf = async (model: string): Promise<Row[]> => {
    const text = await readFile(join(out, model, 'd.jsonl'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return lines.filter(({ id }) => id !== undefined).sort((one, other) => one.id - other.id);
  };
  const rescore = (...args: string[]) => callCommand(['score', out, ...args]);
  return { code, stderr: stderr.replaceAll(/\s+/g, ' '), rowsOf, rescore };
}

const models = () => ({
  text: { abbr: 'text', type: 'OpenAICompletions', base_url: server.url, model: 'm' },
  chat: { abbr: 'chat', type: 'OpenAI', base_url: server.url, model: 'm', prefill: 'last_message' },
});

const datasetOf = (rows: object[], template: unknown, evaluator = 'number') => ({
  abbr: 'd',
  rows,
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template } },
  eval_cfg: { evaluator: { type: evaluator } },
});

const human = { role: 'HUMAN', prompt: '{q}' };
const turns = (prompt: string) => ({ round: [human, { role: 'BOT', prompt }] });

test('columns before the hidden answer are sent to no model, and a warning says so', async () => {
  const rows = [
    { q: 'Pages?', why: '5 * 8 = 40.', a: '40' },
    { q: 'Eggs?', why: '3 * 12 = 36.', a: '36' },
  ];
  const written = turns('{why} The answer is {a}');
  const dataset = {
    ...datasetOf(rows, undefined),
    reader_cfg: { input_columns: ['q', 'why'], output_column: 'a', test_range: '[0:1]' },
    infer_cfg: {
      ice_template: { template: written },
      prompt_template: { template: { begin: ['</E>'], ...written }, ice_token: '</E>' },
      retriever: { type: 'FixKRetriever', fix_id_list: [1] },
    },
  };
  server.answer = () => '40';
  for (const model of [...Object.values(models()), { ...models().text, meta_template: 'chatml' }]) {
    const { code, stderr } = await run({ models: [model], datasets: [dataset] });
    const sent = JSON.stringify(server.asked.splice(0));
    expect(sent).toContain('3 * 12 = 36. The answer is 36');
    expect(sent).not.toContain('5 * 8');
    expect([code, stderr]).toEqual([0, expect.stringContaining('template.answer_start_dropped')]);
  }
});

const begun: readonly (readonly [said: string, gold: string])[] = [
  [' 18 dollars. She sells 9 eggs at 2 dollars each.', '18'],
  ['The answer is 18 dollars. She sells 9 eggs at 2 dollars each.', '18'],
  [' $18, since 9 * 2 = 18 and 16 - 7 = 9', '18'],
  [' 18.\n\nExplanation: 16 - 3 - 4 = 9, 9 * 2 = 18. That is 2 per egg.', '18'],
];

test.each([
  ['The answer is', turns('The answer is {a}')],
  ['The answer is, as text', '{q}\nThe answer is {a}'],
  ['####', '{q}\n#### {a}'],
])('what follows %s is read as the statement that it is', async (_, template) => {
  const rows = begun.map(([, a], index) => ({ q: `Question ${index}`, a }));
  server.answer = (_body, text) => begun[Number(/Question (\d)/.exec(text)?.[1])]?.[0] ?? '';
  const isString = typeof template === 'string';
  const { text, chat } = models();
  const config = {
    models: isString ? [text] : [text, chat],
    datasets: [datasetOf(rows, template)],
  };
  const { rowsOf, rescore } = await run(config);
  for (const name of isString ? ['text'] : ['text', 'chat']) {
    expect((await rowsOf(name)).map(({ extracted }) => extracted)).toEqual(begun.map(() => '18'));
  }
  const again = await rescore();
  expect(again.code).toBe(0);
  expect((await rowsOf('text')).map(({ score }) => score)).toEqual(begun.map(() => 1));
});

test('a solution after `Answer:` is read to its end, an answer alone as it is', async () => {
  const said = ['16 eggs less 7 is 9.\n9 at 2 dollars make 18.', '18 dollars. She sells 9 eggs.'];
  const rows = said.map((_, index) => ({ q: `Question ${index}`, a: '18' }));
  server.answer = (_body, text) => said[Number(/Question (\d)/.exec(text)?.[1])] ?? '';
  const datasets = [datasetOf(rows, '{q}\nAnswer: {a}')];
  const { rowsOf } = await run({ models: [models().text], datasets });
  expect((await rowsOf('text')).map(({ extracted }) => extracted)).toEqual(['18', '18']);
});

test('formulas keep their exact value where an approximation follows', async () => {
  const said: readonly (readonly [said: string, gold: string])[] = [
    [
      String.raw`The area is $\frac{9\pi}{4} \approx 7.07$ square units.`,
      String.raw`\frac{9\pi}{4}`,
    ],
    [String.raw`The area is $\frac{9\pi}{4} \approx 7.07$ square units.`, '7.07'],
    [String.raw`So $x = 2\sqrt{2} \approx 2.83$.`, String.raw`2\sqrt{2}`],
    [String.raw`Therefore it is $5\sqrt{3}$ cm, roughly $8.66$ cm.`, String.raw`5\sqrt{3}`],
    [String.raw`面積は $12\sqrt{3}$ で、およそ $20.8$ である。`, String.raw`12\sqrt{3}`],
    [String.raw`所以周长为 $4\pi$，约为 $12.57$。`, String.raw`4\pi`],
    [String.raw`$\frac{9\pi}{4}$ square units, i.e. about $7.07$`, String.raw`\frac{9\pi}{4}`],
    ['The radius is $2$, so the area is about $12.57$.', '12.57'],
  ];
  const rows = said.map(([reply, a], index) => ({ q: String(index), a, reply }));
  const replay = { abbr: 'text', type: 'Replay', answer_column: 'reply' };
  const { rowsOf } = await run({ models: [replay], datasets: [datasetOf(rows, '{q}', 'math')] });
  expect((await rowsOf('text')).map(({ score }) => score)).toEqual(said.map(() => 1));
});

test.each(['every_with_gt', 'last'])('%s shows no empty answers of the data', async (inferMode) => {
  const rows = [{ turns: ['u1', 'u2'], reference: 'ans' }];
  const dataset = {
    ...datasetOf(rows, undefined),
    type: 'MTBench',
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        type: 'MultiTurnPromptTemplate',
        template: {
          round: [
            { role: 'HUMAN', prompt: '{question}' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
      inferencer: { type: 'MultiTurnGenInferencer', infer_mode: inferMode },
    },
    eval_cfg: { evaluator: { type: 'contains' } },
  };
  const { code, stderr } = await run({ models: [models().chat], datasets: [dataset] });
  expect(code).not.toBe(0);
  expect(stderr).toContain(`row 0 has no answer to turn 1 in \`answer\``);
  expect(server.asked).toEqual([]);
});

test('AISBench sends an empty list for a multimodal row without tags', async () => {
  const part = { text: { type: 'text', text: 'Q {question}' } };
  const dataset = {
    ...datasetOf([{ content: 'no tags', question: 'i', a: 'z' }], undefined, 'AccEvaluator'),
    reader_cfg: { input_columns: ['content'], output_column: 'a' },
    infer_cfg: {
      prompt_template: {
        type: 'MMPromptTemplate',
        template: { round: [{ role: 'HUMAN', prompt_mm: part }] },
      },
    },
  };
  server.answer = () => 'z';
  const { type, base_url, model } = models().chat;
  const chat = { abbr: 'chat', type, base_url, model };
  await run({ compat: 'aisbench', models: [chat], datasets: [dataset] });
  expect(server.asked.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: [] }]]);
});

test('a thought right after another one is a thought, too', async () => {
  const rows = [{ q: '1', a: '9', reply: '<think>x</think><think>The answer is 9' }];
  const replay = { abbr: 'text', type: 'Replay', answer_column: 'reply' };
  const { rowsOf } = await run({ models: [replay], datasets: [datasetOf(rows, '{q}')] });
  expect(await rowsOf('text')).toMatchObject([{ reason: 'unfinished thinking' }]);
});
