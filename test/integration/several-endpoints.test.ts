import { expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, runArguments, sums } from './run-task.ts';

function configOf(urls: readonly string[], model: object = {}, dataset: object = {}): string {
  return configFor('', { base_url: urls.map((url) => `${url}/v1`), ...model }, dataset);
}

it('a model behind two endpoints is asked at both, and more where answers come sooner', async () => {
  await using fast = await startFaultServer({ latencyMs: 10 });
  await using slow = await startFaultServer({ latencyMs: 200 });
  const cwd = await writeFolder({
    'config.json': configOf([slow.url, fast.url], { batch_size: 8 }),
    'rows.jsonl': sums(200),
  });
  const { code, stdout } = await runCli(runArguments(), { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results[0].rows.scored).toBe(200);
  const [quick, late] = [(await fast.stats()).requests, (await slow.stats()).requests];
  expect(quick + late).toBe(200);
  expect(late).toBeGreaterThan(0);
  expect(quick).toBeGreaterThan(3 * late);
});

it('an endpoint that fails is left alone, and its rows are answered elsewhere without a new attempt', async () => {
  const broken = { rates: [{ rate: 1, fault: { type: 'status', status: 500 } as const }] };
  await using well = await startFaultServer({});
  await using ill = await startFaultServer(broken);
  const gone = 'http://127.0.0.1:1';
  const cwd = await writeFolder({
    'config.json': configOf([ill.url, gone, well.url], { retries: 1, batch_size: 4 }),
    'rows.jsonl': sums(200),
  });
  const { code, stdout } = await runCli(runArguments(), { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results[0].rows).toMatchObject({ scored: 200, failed: 0 });
  expect((await well.stats()).requests).toBe(200);
  expect((await ill.stats()).requests).toBeLessThan(20);
});

it('without an endpoint that answers, rows fail as they do with one', async () => {
  const broken = { rates: [{ rate: 1, fault: { type: 'status', status: 400 } as const }] };
  await using one = await startFaultServer(broken);
  await using other = await startFaultServer(broken);
  const cwd = await writeFolder({
    'config.json': configOf([one.url, other.url], { retries: 2 }),
    'rows.jsonl': sums(3),
  });
  const { code } = await runCli(runArguments(), { cwd });
  expect(code).toBe(3);
  // A request that is refused is refused everywhere.
  expect((await one.stats()).requests + (await other.stats()).requests).toBe(3);
});

it('prompts that begin alike go to one endpoint', async () => {
  await using one = await startRecordingServer();
  await using other = await startRecordingServer();
  const rows = Array.from({ length: 120 }, (_, id) => {
    const topic = 'abcdef'[id % 6] ?? '';
    return `${JSON.stringify({ topic: topic.repeat(300), question: `${id}`, answer: '1' })}\n`;
  });
  const cwd = await writeFolder({
    'config.json': configOf(
      [one.url, other.url],
      { batch_size: 4 },
      {
        reader_cfg: { input_columns: ['topic', 'question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{topic} {question}' } },
      },
    ),
    'rows.jsonl': rows.join(''),
  });
  expect((await runCli(runArguments(), { cwd })).code).toBe(0);
  const share = [...'abcdef'].map((topic) => {
    const about = (server: typeof one) =>
      server.requests.filter(({ body }) => body.includes(topic.repeat(300))).length;
    return Math.max(about(one), about(other)) / (about(one) + about(other));
  });
  expect(share.reduce((sum, part) => sum + part, 0) / share.length).toBeGreaterThan(0.85);
});

it('answers are known by the first address: further ones change nothing', async () => {
  await using one = await startFaultServer({});
  await using other = await startFaultServer({});
  const files = { 'config.json': configOf([one.url]), 'rows.jsonl': sums(20) };
  const cwd = await writeFolder({ ...files, 'two.json': configOf([one.url, other.url]) });
  expect((await runCli(runArguments(), { cwd })).code).toBe(0);
  const again = await runCli(['run', 'two.json', '--out', 'out', '--json'], { cwd });
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout).results[0].requests).toMatchObject({ sent: 0 });
  const shown = await runCli(['explain', 'two.json'], { cwd });
  expect(shown.stdout).toContain(`${other.url}/v1`);
});

it('loglikelihoods come from all of them as well', async () => {
  await using one = await startRecordingServer();
  await using other = await startRecordingServer();
  const dataset = {
    infer_cfg: {
      prompt_template: { template: { 1: '{question} one', 2: '{question} two' } },
      inferencer: { type: 'PPLInferencer' },
    },
    eval_cfg: { evaluator: { type: 'AccEvaluator' } },
  };
  const model = { type: 'OpenAICompletions', batch_size: 2 };
  const rows = Array.from({ length: 30 }, (_, id) =>
    JSON.stringify({ question: `Row ${id}`, answer: 1 + (id % 2) }),
  ).join('\n');
  const cwd = await writeFolder({
    'config.json': configOf([one.url, other.url], model, dataset),
    'alone.json': configOf([one.url], model, dataset),
    'rows.jsonl': rows,
  });
  const both = await runCli(runArguments(), { cwd });
  expect(both.code).toBe(0);
  expect(Math.min(one.requests.length, other.requests.length)).toBeGreaterThan(0);
  const alone = await runCli(['run', 'alone.json', '--out', 'alone', '--json'], { cwd });
  const scores = [both, alone].map(({ stdout }) => JSON.parse(stdout).results[0].score);
  expect(scores[0]).toEqual(scores[1]);
});
