import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compareRuns, evaluate, sweep } from '../../../src/index.ts';
import { startFaultServer } from '../../fault-server/index.ts';

/** Three right samples and a wrong one, or a right one and three that cannot be read. */
const samples = { good: ['7', '7', '7', '1'], vague: ['7', 'hm', 'hm', 'hm'] };

async function setUp() {
  const asked = new Map<string, number>();
  const server = await startFaultServer({
    answer: (prompt) => {
      const count = asked.get(prompt) ?? 0;
      asked.set(prompt, count + 1);
      return samples[prompt.includes('vague') ? 'vague' : 'good'][count % 4] ?? '';
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'typecase-samples-'));
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const config = (template: string) => ({
    models: [{ abbr: 'm', type: 'OpenAI', base_url: `${server.url}/v1`, model: 'fault' } as const],
    datasets: [
      {
        abbr: 'd',
        n: 4,
        rows: Array.from({ length: 40 }, (_, id) => ({ id: `row ${id}`, answer: '7' })),
        reader_cfg: { input_columns: ['id'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template } },
        eval_cfg: { evaluator: { type: 'number' } as const },
      },
    ],
  });
  return { folder, config };
}

test('samples without a score count as wrong in comparisons', async () => {
  const { folder, config } = await setUp();
  const [a, b] = [join(folder, 'a'), join(folder, 'b')];
  const good = await evaluate(config('good {id}:'), { out: a });
  const vague = await evaluate(config('vague {id}:'), { out: b });
  const figures = [good, vague].map(({ summary: { results } }) => [
    results[0]?.score?.value,
    results[0]?.allRows?.value,
  ]);
  expect(figures).toEqual([
    [0.75, undefined],
    [1, 0.25],
  ]);
  const [task] = (await compareRuns(a, b)).tasks;
  expect(task?.result?.difference).toBeCloseTo(0.25, 12);
  expect(task?.countedAsWrong).toMatchObject({ a: 0.75, b: 0.25, pairs: 40 });
  expect(task?.regressions).toBe(40);
});

test('a template gains nothing by samples that cannot be read', async () => {
  const { folder, config } = await setUp();
  const templates = ['good', 'vague'].map((name) => ({
    name,
    prompt_template: { template: `${name} {id}:` },
  }));
  const { summary } = await sweep(
    { ...config('{id}'), sweep: { templates } },
    { out: join(folder, 'sweep') },
  );
  const [own] = summary.sheets;
  const scores = own?.templates.map(({ template, score }) => [template, score?.value]);
  expect(Object.fromEntries(scores ?? [])).toEqual({ good: 0.75, vague: 0.25 });
  expect(own?.remarks).toContain('Samples without a score, of 40 rows, counted as wrong.');
});
