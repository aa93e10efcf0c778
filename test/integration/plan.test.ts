import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { beforeAll, expect, test } from 'vitest';
import { planRun } from '../../src/api/plan-run.ts';
import { studyPrefixCache } from '../../src/api/study-prefix-cache.ts';
import { renderPlan } from '../../src/cli/plan/render-plan.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { type FaultServer, startFaultServer } from '../fault-server/index.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rows = [1, 2, 3, 4, 2]
  .map((n) => `${JSON.stringify({ question: `${n}+${n}=?`, answer: String(n + n) })}\n`)
  .join('');

const config = (url: string, model = 'model: x') => `models:
  - { abbr: m, type: OpenAI, base_url: ${url}, ${model}, max_out_len: 16 }
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "Solve this sum: {question}" } }
    eval_cfg: { evaluator: { type: number } }
`;

async function setUp({ url }: FaultServer, model?: string) {
  const cwd = await writeFolder({ 'c.yaml': config(url, model), 'rows.jsonl': rows });
  const call = (...args: string[]) => runCli(args, { cwd });
  const plan = async (...args: string[]) => {
    const { code, stdout, stderr } = await call('plan', 'c.yaml', '--json', ...args);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  return { cwd, call, plan };
}

test('counts what a run would send, sends nothing and writes nothing', async () => {
  await using server = await startFaultServer();
  const { cwd, plan } = await setUp(server);
  const { tasks, total, exactTokens } = await plan();
  const start = 'Solve this sum: '.length;
  expect(tasks).toEqual([
    {
      model: 'm',
      dataset: 'sums',
      rows: 5,
      distinct: 4,
      reused: { log: 0, row: 0, cache: 0 },
      send: 4,
      characters: 4 * (start + 5),
      inputTokens: 4 * Math.floor((start + 5) / 4),
      sharedTokens: 0,
      outputTokens: 64,
      sharedPrefix: 0,
      dropped: 0,
      tooLong: 0,
    },
  ]);
  expect([total.rows, total.send, exactTokens]).toEqual([5, 4, false]);
  expect(await server.stats()).toMatchObject({ requests: 0, connections: 0 });
  expect(existsSync(join(cwd, 'runs'))).toBe(false);
});

test('what is planned is what is sent, also after a run that stopped half-way', async () => {
  await using server = await startFaultServer();
  const { call, plan } = await setUp(server);
  expect((await call('run', 'c.yaml', '--limit', '3')).code).toBe(0);
  const { requests: before } = await server.stats();
  const { total } = await plan();
  expect(total).toMatchObject({ rows: 5, send: 1, reused: { log: 3, row: 1, cache: 0 } });
  expect((await server.stats()).requests).toBe(before);
  await call('run', 'c.yaml');
  expect((await server.stats()).requests - before).toBe(total.send);
  expect((await plan()).total).toMatchObject({ send: 0, reused: { log: 5 }, sharedPrefix: null });
});

test('the log of a run under way is only read', async () => {
  await using server = await startFaultServer();
  const { cwd, call, plan } = await setUp(server);
  await call('run', 'c.yaml', '--limit', '2');
  const log = join(cwd, 'runs/c/m/sums.jsonl');
  const torn = `${await readFile(log, 'utf8')}{"id": 4, "ke`;
  await writeFile(log, torn);
  expect((await plan()).total.reused.log).toBe(2);
  expect(await readFile(log, 'utf8')).toBe(torn);
});

test('a model without a name is not asked for it, nor is a key needed', async () => {
  await using server = await startFaultServer();
  const { cwd, call, plan } = await setUp(server, 'api_key_env: TYPECASE_TEST_NO_SUCH_KEY');
  expect((await plan()).total.send).toBe(4);
  expect((await server.stats()).connections).toBe(0);
  const env = { TYPECASE_TEST_NO_SUCH_KEY: 'secret' };
  expect((await runCli(['run', 'c.yaml'], { cwd, env })).code).toBe(0);
  expect((await plan()).total, 'the name that the run found counts').toMatchObject({ send: 0 });
  expect((await call('plan', 'c.yaml', '--out', 'elsewhere')).stdout).toContain('nothing to reuse');
});

test('answers in the cache are counted with --cache only', async () => {
  await using server = await startFaultServer();
  const { call, plan } = await setUp(server);
  await call('run', 'c.yaml', '--cache', '--limit', '1');
  const other = ['--out', 'runs/other'];
  expect((await plan(...other)).total.send).toBe(4);
  expect((await plan(...other, '--cache')).total).toMatchObject({ send: 3, reused: { cache: 1 } });
});

test.each<[string[], number]>([
  [[], 2],
  [['--concurrency', '2'], 4],
  [['--concurrency', '3', '--latency', '0.5'], 1],
  [['--rps', '0.5'], 8],
])('time with %j', async (args, seconds) => {
  await using server = await startFaultServer();
  const { plan } = await setUp(server);
  expect((await plan(...args)).time.seconds).toBe(seconds);
});

test('prices per million tokens: the total, what is sent, and at most for answers', async () => {
  await using server = await startFaultServer();
  const { call, plan } = await setUp(server);
  const prices = ['--price-in', '1000', '--price-out', '10000'];
  expect((await plan(...prices)).price).toEqual({ input: 0.02, output: 0.64 });
  expect((await plan()).price).toBeUndefined();
  const { stdout } = await call('plan', 'c.yaml', ...prices);
  expect(stdout).toContain('Cost: up to 0.66 (input 0.02, output up to 0.64).\n');
});

test('a tokenizer counts tokens', async () => {
  await using server = await startFaultServer();
  const { cwd, plan } = await setUp(server, 'model: x, tokenizer: tokenizer.json');
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab: { sum: 0, '[UNK]': 1 }, unk_token: '[UNK]' },
  };
  await writeFile(join(cwd, 'tokenizer.json'), JSON.stringify(tokenizer));
  const { total, exactTokens } = await plan();
  expect([total.inputTokens, exactTokens]).toEqual([16, true]);
});

test('a data file and flags, as for a run', async () => {
  await using server = await startFaultServer();
  const { call } = await setUp(server);
  const flags = ['--model', server.url, '--template', 'Q: {question}\\nA:', '--retries', '2'];
  const { code, stdout } = await call('plan', 'rows.jsonl', ...flags);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^rows +5 +4 +0 +4 +\d+% +≈\d+ +no limit$/m);
  expect((await server.stats()).connections).toBe(0);
});

test('help has all options, and wrong ones are refused', async () => {
  const { stdout } = await runCli(['plan', '--help']);
  for (const flag of ['--where', '--price-in', '--latency']) expect(stdout).toContain(flag);
  for (const args of [['c.yaml', '--latncy', '1'], ['c.yaml', '--latency', '0'], []]) {
    const { code, stderr } = await runCli(['plan', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error\[usage\./)]);
  }
});

test('earlier answers of a dialogue are counted at their most, or have no limit', async () => {
  const configOf = (model: object): ConfigInput => ({
    models: [{ abbr: 'm', type: 'OpenAI', model: 'm', base_url: 'http://127.0.0.1:9', ...model }],
    datasets: [
      {
        abbr: 'd',
        rows: [
          { question: ['Who is it?  ', 'Where was it', 'When was it?'], answer: ['', '', ''] },
        ],
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
          inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
        },
      },
    ],
  });
  const out = join(tmpdir(), 'typecase-no-run');
  const plainTerminal = { colors: pc.createColors(false), hasColors: false, width: 80 };
  const price = { in: 1e6, out: 0 };
  const limited = configOf({ max_out_len: 100, price });
  const plan = await planRun(limited, { out });
  const known = 3 + 6 + 9;
  expect(plan.total).toMatchObject({ inputTokens: known, earlierAnswers: 300 });
  expect(plan.price).toMatchObject({ input: known + 300, inputBound: 'most' });
  const text = renderPlan(plan, plainTerminal).join('\n');
  expect(text).toContain(`≤${known + 300}`);
  expect(text).toContain('%, earlier answers not counted)');
  expect((await studyPrefixCache(limited))[0]?.savings.tokens).toBe(known);
  const open = await planRun(configOf({ price }), { out });
  expect(open.total).toMatchObject({ inputTokens: known, unlimitedAnswers: true });
  expect(open.price).toMatchObject({ input: known, inputBound: 'least' });
  expect(renderPlan(open, plainTerminal).join('\n')).toMatch(/≥18 .*at least 18 input tokens/s);
});
