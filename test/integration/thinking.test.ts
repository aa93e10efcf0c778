import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluate, loadConfig, planRun, rescore } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, type JudgeServer, type Said, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
});

const jinja =
  "{% for m in messages %}<u>{{ m['content'] }}</u>{% endfor %}{% if add_generation_prompt %}<b><think>\n{% endif %}";
const meta = (begin: string) => ({
  round: [
    { role: 'HUMAN', begin: '<u>', end: '</u>' },
    { role: 'BOT', begin, generate: true },
  ],
});
const text = { type: 'OpenAICompletions' };
const own = { begin: '{{', end: '}}' };

/** How models are asked, and whether their answers start in a thought that is known to be open. */
const models: Readonly<Record<string, readonly [config: object, opened: boolean]>> = {
  chat: [{ type: 'OpenAI' }, false],
  told: [{ type: 'OpenAI', thinking: { opened: true } }, true],
  meta: [{ ...text, meta_template: meta('<b><THINK>\n') }, true],
  closed: [{ ...text, meta_template: meta('<b><think>\n\n</think>\n\n') }, false],
  template: [{ ...text, chat_template: 'open.jinja' }, true],
  own: [{ ...text, meta_template: meta('<b>{{'), thinking: own }, true],
  'own-chat': [{ type: 'OpenAI', thinking: own }, false],
};

const unfinished = 'unfinished thinking';
const cut = `${unfinished}, cut off at the length limit`;
type Reply = (open: string, close: string) => Said;
type Ends = number | string;

/** Replies, and how they count: where no thought is known to be open before them, and where one is. */
const replies: readonly (readonly [Reply, plain: Ends, opened: Ends])[] = [
  [() => ({ content: '42' }), 1, unfinished],
  [() => ({ content: '7' }), 0, unfinished],
  [() => ({ content: 'So 6 × 7 is 42', finish: 'length' }), 1, cut],
  [(_, close) => ({ content: `41?${close}\n42` }), 1, 1],
  [(_, close) => ({ content: `42?${close}\n41` }), 0, 0],
  [(open) => ({ content: `${open}it is 42`, finish: 'length' }), cut, cut],
  [(open) => ({ content: `Sure. ${open}it is 42`, finish: 'length' }), cut, cut],
  [(open, close) => ({ content: `${open}41${close}42` }), 1, 1],
  [(open) => ({ content: `${open}42` }), unfinished, unfinished],
  [() => ({ content: '', finish: 'length', thoughts: { reasoning_content: '42' } }), cut, cut],
  [() => ({ content: '42', thoughts: { reasoning: '41' } }), 1, 1],
];

const marksOf = ({ model }: AskedBody): [string, string] =>
  model.startsWith('own') ? ['{{', '}}'] : ['<think>', '</think>'];

const dialogue = {
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '{a}' },
  ],
};

async function writeConfig(config: object): Promise<{ file: string; out: string }> {
  const folder = await writeFolder({ 'open.jinja': jinja, 'c.json': JSON.stringify(config) });
  return { file: join(folder, 'c.json'), out: join(folder, 'run') };
}

const modelConfigs = () =>
  Object.entries(models).map(([abbr, [config]]) => ({
    ...{ abbr, model: abbr, base_url: server.url, max_out_len: 20 },
    ...config,
  }));

test('a thought that the prompt opens, or that is cut off, is never scored as an answer', async () => {
  const { file, out } = await writeConfig({
    models: modelConfigs(),
    datasets: [
      {
        abbr: 'sums',
        rows: replies.map((_, index) => ({ q: `q${index}.`, a: '42' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { template: dialogue },
          inferencer: { type: 'GenInferencer' },
        },
        eval_cfg: { evaluator: { type: 'number' } },
      },
    ],
  });
  server.answer = (body, text) => {
    const [reply] = replies[Number(/q(\d+)\./.exec(text)?.[1])] ?? [];
    return reply?.(...marksOf(body)) ?? { content: '' };
  };
  const expected = Object.entries(models).map(([model, [, isOpened]]) => [
    model,
    replies.map(([, plain, opened]) => (isOpened ? opened : plain)),
  ]);
  const { summary, rows } = await evaluate(await loadConfig(file), { out });
  expect(await endsOf(rows)).toEqual(expected);
  expect(server.asked).toHaveLength(expected.length * replies.length);
  const results = summary.results.map(({ model, reasons, rows, score, allRows }) => {
    const counts = reasons.map(({ reason, rows: count }) => `${count} ${reason}`);
    return { model, counts, rows: rows.unscored, score: score?.value, all: allRows?.value };
  });
  expect(results.find(({ model }) => model === 'template')).toEqual({
    ...{ model: 'template', rows: 7, score: 3 / 4, all: 3 / 11 },
    counts: [`4 ${cut}`, `3 ${unfinished}`],
  });
  // From the log alone, by the config, and by the command.
  expect(await endsOf((await rescore(out)).rows)).toEqual(expected);
  expect(await endsOf((await rescore(out, { config: await loadConfig(file) })).rows)).toEqual(
    expected,
  );
  const scored = await callCommand(['score', out, '--evaluator', 'contains']);
  expect(scored.stdout).toContain(cut);
  expect((await planRun(await loadConfig(file), { out })).tasks.map(({ send }) => send)).toEqual(
    expected.map(() => 0),
  );
  const shown = await callCommand(['show', out, '--row', '2', '--model', 'own']);
  expect(shown.stdout).toContain('ends while the model is still thinking');
  expect(server.asked).toHaveLength(expected.length * replies.length);
}, 60_000);

async function endsOf(rows: Awaited<ReturnType<typeof evaluate>>['rows']) {
  const ends = new Map(Object.keys(models).map((model): [string, Ends[]] => [model, []]));
  for await (const { model, id, score, reason = '' } of rows()) {
    const own = ends.get(model);
    if (own) own[id] = score ?? reason;
  }
  return [...ends];
}

test('marks that a config changes are read anew, and nothing is asked again', async () => {
  const config = (thinking: object) => ({
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm', ...thinking }],
    datasets: [
      {
        abbr: 'd',
        rows: [{ q: 'x', a: '42' }],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'GenInferencer' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  });
  const { file, out } = await writeConfig(config({}));
  server.answer = () => '{{41}}42';
  const score = async () =>
    (await evaluate(await loadConfig(file), { out })).summary.results[0]?.score?.value;
  expect(await score()).toBe(0);
  await writeFile(file, JSON.stringify(config({ thinking: own })));
  expect(await score()).toBe(1);
  expect(server.asked).toHaveLength(1);
  for (const [thinking, problem] of [
    [{ begin: '<x>' }, 'has `begin` but no `end`'],
    [{ begin: '<x>', end: '<X>' }, 'has the same tag'],
    [{ begin: ' ', end: '<x>' }, 'text that is not blank'],
    [{ start: 'a' }, 'start'],
  ] as const) {
    await writeFile(file, JSON.stringify(config({ thinking })));
    await expect(loadConfig(file)).rejects.toThrow(problem);
  }
}, 60_000);

const turns = {
  abbr: 'talk',
  rows: [{ q: ['one?', 'two?', 'three?'], a: ['1', '2', '3'] }],
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: {
    prompt_template: { type: 'MultiTurnPromptTemplate', template: dialogue },
    inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
  },
  eval_cfg: { evaluator: { type: 'number' } },
};

test.each([
  ['', ['<b><think>', 'one?', '', 'two?', '2', 'three?']],
  ['keep', ['<b><think>', 'one?', '<think>so 1 and', 'two?', '<think>a</think>2', 'three?']],
])(
  'later turns see no thoughts unless they are kept: %s',
  async (keep, [open, ...said]) => {
    const thinking = { thinking: { keep: keep !== '' } };
    const { file, out } = await writeConfig({
      models: [{ ...modelConfigs()[4], ...thinking }],
      datasets: [turns],
    });
    server.answer = (_, text) =>
      text.includes('three?') ? 'c</think>3' : text.includes('two?') ? 'a</think>2' : 'so 1 and';
    const { summary } = await evaluate(await loadConfig(file), { out });
    const last = server.asked.at(-1)?.prompt as string;
    const sent = said.map((part) => `<u>${part}</u>`).join('');
    expect(last).toBe(`${sent}${open}\n`);
    const reasons = [{ reason: 'turn 1: unfinished thinking', rows: 1 }];
    expect(summary.results[0]?.reasons).toEqual(reasons);
    const viewed = await callCommand(['view', file, '--run', out, '--json']);
    expect(JSON.stringify(JSON.parse(viewed.stdout))).toContain(JSON.stringify(last).slice(1, -1));
    expect((await planRun(await loadConfig(file), { out })).tasks[0]?.send).toBe(0);
    for (const options of [{}, { config: await loadConfig(file) }]) {
      const { summary: again } = await rescore(out, options);
      expect(again.results[0]?.reasons).toEqual(reasons);
    }
  },
  60_000,
);

test('a judge that thinks is read by what it says', async () => {
  const verdicts: readonly (readonly [Said, Ends])[] = [
    [{ content: 'wrong?</think>{"verdict": "A"}' }, 1],
    [{ content: 'A thought. {"verdict": "A"}' }, 'unreadable verdict: unfinished thinking'],
    [{ content: '{"verdict": "A"}' }, 'unreadable verdict: unfinished thinking'],
    [
      { content: '', thoughts: { reasoning_content: '{"verdict": "A"}' } },
      'unreadable verdict: unfinished thinking',
    ],
    [{ content: '{"verdict": "B"}', thoughts: { reasoning: 'A' } }, 0],
  ];
  const { file, out } = await writeConfig({
    models: [
      { abbr: 'chat', type: 'OpenAI', base_url: server.url, model: 'chat' },
      {
        ...{ abbr: 'strong', ...text, base_url: server.url, model: 'judge', judge: true },
        chat_template: 'open.jinja',
      },
    ],
    datasets: [
      {
        ...{ abbr: 'd', rows: verdicts.map((_, index) => ({ q: `q${index}.`, a: 'x' })) },
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'GenInferencer' } },
        eval_cfg: { evaluator: { type: 'judge', model: 'strong', question_column: 'q' } },
      },
    ],
  });
  server.answer = ({ model }, text) =>
    model === 'chat' ? 'x' : (verdicts[Number(/q(\d+)\./.exec(text)?.[1])]?.[0] ?? '');
  const ends = async ({ rows }: { rows: Awaited<ReturnType<typeof evaluate>>['rows'] }) => {
    const found: Ends[] = [];
    for await (const { id, score, reason = '' } of rows()) found[id] = score ?? reason;
    return found;
  };
  const expected = verdicts.map(([, end]) => end);
  expect(await ends(await evaluate(await loadConfig(file), { out }))).toEqual(expected);
  expect(await ends(await rescore(out))).toEqual(expected);
  expect(await ends(await rescore(out, { config: await loadConfig(file) }))).toEqual(expected);
  expect(server.asked).toHaveLength(2 * verdicts.length);
}, 60_000);
