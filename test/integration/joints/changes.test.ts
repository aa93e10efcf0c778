import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { InferencerName } from '../../../src/config/type-names.ts';
import { type ConfigInput, evaluate, planRun, rescore } from '../../../src/index.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

let server: RecordingServer;

beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function makeFolder(): Promise<string> {
  server.clear();
  const folder = await mkdtemp(join(tmpdir(), 'typecase-changes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const rows = ['yes', 'no', 'maybe', 'yes', 'no'].map((a, n) => ({ q: `question ${n}`, a }));

function configOf(changes: {
  readonly type?: string;
  readonly judge?: string;
  readonly ranges?: readonly string[];
  readonly inferencer?: InferencerName;
}): ConfigInput {
  const { type = 'OpenAI', judge, ranges = ['[:]'], inferencer = 'GenInferencer' } = changes;
  const base_url = server.url;
  const evaluator =
    judge === undefined
      ? { type: 'exact' as const }
      : { type: 'judge' as const, model: 'j', question_column: 'q' };
  return {
    models: [
      { abbr: 'm', type, base_url, model: 'answering' },
      { abbr: 'j', type: 'OpenAI' as const, base_url, model: judge ?? 'judge-model', judge: true },
    ] as ConfigInput['models'],
    datasets: ranges.map((test_range, index) => ({
      abbr: `d${index}`,
      rows,
      reader_cfg: { input_columns: ['q'], output_column: 'a', test_range },
      infer_cfg: {
        prompt_template: { template: '{q}: {a}' },
        inferencer: { type: inferencer },
      },
      eval_cfg: { evaluator },
    })),
  };
}

const bodies = () => server.requests.map(({ body }) => JSON.parse(body));

test('a selection of rows changes no prompt: labels are those of all rows', async () => {
  const out = await makeFolder();
  const config = configOf({ type: 'OpenAICompletions' as const, inferencer: 'PPLInferencer' });
  await evaluate(config, { out, limit: 1 });
  expect(bodies().at(-1).prompt).toEqual([
    'question 0: yes',
    'question 0: no',
    'question 0: maybe',
  ]);
});

test('another judge judges the answers again, and the plan says so', async () => {
  const out = await makeFolder();
  await evaluate(configOf({ judge: 'judge-model' }), { out });
  const asked = server.requests.length;
  server.clear();
  const config = configOf({ judge: 'judge-model-2' });
  const plan = await planRun(config, { out });
  expect([asked, plan.total.send, plan.tasks[0]?.judge]).toEqual([
    10,
    0,
    { model: 'j', requests: 5, reused: 0, inputTokens: expect.any(Number) },
  ]);
  await evaluate(config, { out });
  expect(bodies().map(({ model }) => model)).toEqual(Array(5).fill('judge-model-2'));
  server.clear();
  await evaluate(config, { out });
  expect(server.requests).toEqual([]);
});

test('what datasets of one model share is sent once, and planned once', async () => {
  const out = await makeFolder();
  const config = configOf({ ranges: ['[:]', '[:3]', '[1:]'] });
  const { total } = await planRun(config, { out });
  await evaluate(config, { out });
  expect([total.rows, total.send, server.requests.length]).toEqual([12, 5, 5]);
});

test('settings of a run are those that it is shown and scored again with', async () => {
  const out = await makeFolder();
  const config = configOf({});
  await evaluate(config, { out, maxOutLen: 7, temperature: 0.5 });
  expect(bodies()[0]).toMatchObject({ max_tokens: 7, temperature: 0.5 });
  const { summary } = await rescore(out, { config });
  expect(summary.results[0]?.rows.total).toBe(5);
});

test('two runs of one process do not write to one folder', async () => {
  const out = await makeFolder();
  const both = await Promise.allSettled([
    evaluate(configOf({}), { out }),
    evaluate(configOf({}), { out }),
  ]);
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(['run.in_use']);
});

test.each([
  [{ concurrency: 0 }, '`concurrency` is 0; it must be a whole number above 0'],
  [{ rps: 0 }, '`rps` is 0; it must be a number above 0'],
  [{ maxOutLen: 1.5 }, '`maxOutLen` is 1.5; it must be a whole number above 0'],
  [{ datasets: [] }, 'No dataset is selected'],
])('%j is refused', async (options, message) => {
  const out = await makeFolder();
  await expect(evaluate(configOf({}), { out, ...options })).rejects.toThrow(message);
});
