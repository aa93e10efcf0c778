import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns, openRun, planRun } from '../../src/index.ts';
import { summaryCsv } from '../../src/report/summary-csv.ts';
import { summaryMarkdown } from '../../src/report/summary-markdown.ts';
import { terminalTable } from '../../src/report/terminal-table.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type Changes, runTask, train } from './small-task.ts';

const table = { width: 100, color: false };

async function rowsOf(folder: string) {
  const rows = [];
  for await (const row of (await openRun(folder)).rows()) rows.push(row);
  return rows.sort((one, other) => one.id - other.id);
}

test('rows name the examples that stand in their prompts, and the run its seed', async () => {
  const server = await startModelServer();
  const { out, result } = await runTask(server.url, { config: { seed: 7 } });
  for (const { examples = [], id } of await rowsOf(out)) {
    expect(examples).toHaveLength(2);
    const [body = ''] = server.bodies.filter((one) => one.includes(`user\\n${id} + 1 =`));
    const shown = examples.map((example) => body.indexOf(`user\\n${train[Number(example)]?.q} =`));
    expect(shown.every((place) => place > 0)).toBe(true);
    expect(shown[0]).toBeLessThan(shown[1] ?? 0);
  }
  const { file } = await openRun(out);
  expect(file).toMatchObject({
    seed: 7,
    harness: expect.stringMatching(/^typecase \d+$/),
    models: [
      {
        name: 'm',
        format: { type: 'text', name: 'chatml', hash: expect.stringMatching(/^[0-9a-f]{32}$/) },
        config: { type: 'OpenAICompletions', metaTemplate: 'chatml', maxOutLen: 4 },
      },
    ],
    data: [{ dataset: 'sums', seed: 7, pool: { rows: 9 } }],
  });
  const { summary } = result;
  expect(summary.results[0]?.seed).toBe(7);
  expect(terminalTable(summary, table)).toContain('Examples drawn with seed 7.');
  expect(summaryMarkdown(summary)).toContain('Examples drawn with seed 7.');
  expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('drawn with seed 7');
});

test('no secret of a model is on record', async () => {
  const server = await startModelServer();
  const address = server.url.replace('//', '//user:hidden1@');
  const { out } = await runTask(`${address}/v1?token=hidden2`, {
    model: { headers: { 'x-key': 'hidden3' } },
  });
  const text = await readFile(join(out, 'run.json'), 'utf8');
  expect(text).toContain('"headers"');
  expect(text).not.toMatch(/hidden\d/);
});

const template = (text: string) => ({
  template: {
    begin: ['</E>'],
    round: [
      { role: 'HUMAN', prompt: text },
      { role: 'BOT', prompt: '{a}' },
    ],
  },
  ice_token: '</E>',
});
const jinja =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}';

/** What is changed, and what `compare` has to name. */
const changes: [name: string, change: Changes, cause: string, before?: Changes][] = [
  ['seed', { config: { seed: 1 } }, 'seed'],
  [
    'seed of the retriever',
    { inference: { retriever: { type: 'RandomRetriever', ice_num: 2, seed: 3 } } },
    'seed',
  ],
  [
    'shots',
    { inference: { retriever: { type: 'RandomRetriever', ice_num: 1 } } },
    'number of examples',
  ],
  ['retriever', { inference: { retriever: { type: 'BM25Retriever', ice_num: 2 } } }, 'retriever'],
  ['template', { inference: { prompt_template: template('Sum: {q} =') } }, 'template'],
  ['meta template', { model: { meta_template: 'zephyr' } }, 'model format'],
  [
    'chat template',
    {
      model: { meta_template: undefined, chat_template: 'chat.jinja' },
      files: { 'chat.jinja': jinja },
    },
    'model format',
  ],
  [
    'text of the chat template',
    {
      model: { meta_template: undefined, chat_template: 'chat.jinja' },
      files: { 'chat.jinja': `${jinja} ` },
    },
    'model format',
    {
      model: { meta_template: undefined, chat_template: 'chat.jinja' },
      files: { 'chat.jinja': `${jinja}!` },
    },
  ],
  ['max_seq_len', { model: { max_seq_len: 60 } }, 'max_seq_len'],
  ['examples', { train: train.map(({ q, a }) => ({ q: `${q} `, a })) }, 'data'],
];

test.each(changes)('compare names another %s', async (...[, change, cause, before]) => {
  const server = await startModelServer();
  const a = await runTask(server.url, before);
  const b = await runTask(server.url, change);
  const { differences } = await compareRuns(a.out, b.out);
  const prompts = differences.find(({ kind }) => kind === 'prompts');
  expect(prompts?.isSame).toBe(false);
  expect(prompts?.causes).toContain(cause);
  expect(prompts?.note).toMatch(/^in \d of 6 rows, by /);
});

test('the same config twice has the same prompts, and nothing to name', async () => {
  const server = await startModelServer();
  const [a, b] = [await runTask(server.url), await runTask(server.url)];
  const { differences } = await compareRuns(a.out, b.out);
  expect(differences.filter(({ isSame }) => !isSame)).toEqual([]);
});

test('examples that are dropped and prompts that do not fit are counted', async () => {
  const server = await startModelServer();
  const long = { q: `${'1 + '.repeat(80)}1`, a: '81' };
  const rows = [{ q: '1 + 1', a: '2' }, long, { q: '2 + 1', a: '3' }];
  const { result, config, out } = await runTask(server.url, { rows, model: { max_seq_len: 60 } });
  const [task] = result.summary.results;
  expect(task).toMatchObject({ dropped: 3, tooLong: 1, estimatedLengths: true });
  const records = await rowsOf(out);
  expect(records.map(({ tooLong }) => tooLong)).toEqual([undefined, true, undefined]);
  const told =
    '3 rows lost examples to fit max_seq_len, 1 row does not fit even without examples (estimated';
  expect(terminalTable(result.summary, table)).toContain(told);
  expect(summaryMarkdown(result.summary)).toContain('3 rows lost examples');
  expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('3 rows lost examples');
  const plan = await planRun(config, { out });
  expect(plan.tasks[0]).toMatchObject({ dropped: 3, tooLong: 1 });
});

const usages: readonly (readonly [string, object, number])[] = [
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 5 } }, 30],
  ['DeepSeek', { prompt_cache_hit_tokens: 4 }, 24],
  ['Anthropic', { cache_read_input_tokens: 3 }, 18],
  ['Moonshot', { cached_tokens: 2 }, 12],
  ['a server that had none', { prompt_tokens_details: { cached_tokens: 0 } }, 0],
];

test.each(usages)('tokens that %s had cached are summed', async (_, details, sum) => {
  const server: ModelServer = await startModelServer(() => ({
    text: '42',
    usage: { prompt_tokens: 10, completion_tokens: 1, ...details },
  }));
  const { result, out } = await runTask(server.url);
  const { summary } = result;
  expect(summary.results[0]?.tokens).toEqual({ input: 60, output: 6, cachedInput: sum });
  expect((await rowsOf(out))[0]?.tokens).toEqual([10, 1, sum / 6]);
  expect(summaryCsv(summary)).toMatch(new RegExp(`cached_input_tokens[^]*,${sum},`));
  const said = terminalTable(summary, table).includes('input tokens');
  expect(said).toBe(sum > 0);
});

test('a server that says nothing of its cache leaves it out', async () => {
  const server = await startModelServer(() => ({
    text: '42',
    usage: { prompt_tokens: 10, completion_tokens: 1 },
  }));
  const { result } = await runTask(server.url);
  expect(result.summary.results[0]?.tokens).toEqual({ input: 60, output: 6 });
});
