import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ConfigInput,
  type EvaluateOptions,
  evaluate,
  planRun,
  sweep,
} from '../../src/index.ts';
import { describeCost } from '../../src/report/describe-cost.ts';
import { exitCodeOf } from '../../src/report/gate.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, sums } from './run-task.ts';

const price = { in: 1_000_000, out: 2_000_000 };
const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** A server that counts what its answers cost, by the prices above. */
async function startTill(faults: Parameters<typeof startFaultServer>[0] = {}) {
  let cost = 0;
  const server = await startFaultServer({
    latencyMs: 2,
    ...faults,
    answer: (prompt) => {
      const answer = 'x'.repeat(1 + (prompt.length % 20));
      cost += tokensOf(prompt) + 2 * tokensOf(answer);
      return answer;
    },
  });
  return { server, url: server.url, paid: () => cost };
}

function configOf(url: string, rows: number, model: object = {}): ConfigInput {
  return {
    models: [
      { abbr: 'm', type: 'OpenAI', base_url: url, model: 'x', max_out_len: 5, price, ...model },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: Array.from({ length: rows }, (_, id) => ({
          text: `${id} ${'word '.repeat(id % 7)}`,
        })),
        reader_cfg: { input_columns: ['text'], output_column: null },
        infer_cfg: { prompt_template: { template: 'Say {text}' } },
        eval_cfg: { evaluator: { type: 'function', score: () => 1 } },
      },
    ],
  };
}

async function newFolder(): Promise<string> {
  return join(await writeFolder({}), 'out');
}

test('a run never pays more than its limit, and goes on with a higher one', async () => {
  const draw = fc.record({
    rows: fc.integer({ min: 1, max: 60 }),
    share: fc.double({ min: 0.05, max: 1.5, noNaN: true }),
    concurrency: fc.constantFrom(1, 3, 64),
  });
  await fc.assert(
    fc.asyncProperty(draw, async ({ rows, share, concurrency }) => {
      const till = await startTill();
      await using _ = till.server;
      const out = await newFolder();
      const config = configOf(till.url, rows);
      const limit = Math.max(1, rows * 12 * share);
      const options = { out, concurrency };
      const { summary } = await evaluate(config, { ...options, maxCost: limit });
      const { cost } = summary;
      expect(till.paid()).toBeLessThanOrEqual(limit);
      expect(cost).toMatchObject({ limit, spent: till.paid(), total: till.paid() });
      expect(exitCodeOf(summary)).toBe(cost?.isReached ? 3 : 0);
      // What is left does not pay for the most that a request may cost.
      if (cost?.isReached) expect(limit - till.paid()).toBeLessThan(64 + 8 + 40 + 10);
      const { summary: again } = await evaluate(config, { ...options, maxCost: limit });
      expect(till.paid()).toBeLessThanOrEqual(limit);
      expect(again.results[0]?.rows.scored).toBeGreaterThanOrEqual(
        summary.results[0]?.rows.scored ?? 0,
      );
      const whole = await evaluate(config, { ...options, maxCost: 1e9 });
      expect(whole.summary).toMatchObject({ complete: true, cost: { spent: till.paid() } });
      expect(whole.summary.results[0]?.cost).toBe(till.paid());
    }),
    { numRuns: 5 },
  );
}, 60_000);

test('what is not known is taken from above: no usage, a request broken off', async () => {
  const rules = [
    { prompt: 'Say 1 ', fault: { type: 'no-usage' } as const },
    { prompt: 'Say 2 ', times: 1, fault: { type: 'reset' } as const },
    { prompt: 'Say 3 ', times: 1, fault: { type: 'status', status: 500 } as const },
  ];
  const till = await startTill({ rules });
  await using _ = till.server;
  const options = { out: await newFolder(), maxCost: 1e9 };
  const { summary } = await evaluate(configOf(till.url, 5), options);
  expect(summary.cost).toMatchObject({ estimated: 1, total: expect.any(Number) });
  // Two of the five are counted with the most they may cost, which is above 72 tokens.
  expect(summary.cost?.spent).toBeGreaterThan((summary.cost?.total ?? 0) + 2 * 72);
});

test('a limit without prices or without a limit for answers is refused before anything is asked', async () => {
  const till = await startTill();
  await using _ = till.server;
  const run = async (model: object, options: EvaluateOptions = {}) =>
    evaluate(configOf(till.url, 2, model), { out: await newFolder(), maxCost: 1, ...options });
  await expect(run({ price: undefined })).rejects.toThrow('`--max-cost` needs the price of m');
  await expect(run({ price: undefined }, { priceIn: 1 })).rejects.toThrow('needs the price of m');
  await expect(run({ max_out_len: undefined })).rejects.toThrow(
    'needs a limit for the answers of m',
  );
  expect(till.paid()).toBe(0);
  const flags = { priceIn: 1, priceOut: 1 };
  expect((await run({ price: undefined }, flags)).summary.complete).toBe(true);
});

test('judges are paid as well, and what a judge was not asked is asked later', async () => {
  const till = await startTill();
  await using _ = till.server;
  const config = configOf(till.url, 6);
  const [first = { abbr: 'none' }] = config.models ?? [];
  const judge = { ...first, abbr: 'judge', judge: true, max_out_len: 5 };
  const [dataset] = config.datasets ?? [];
  const judged: ConfigInput = {
    models: [...(config.models ?? []), judge],
    datasets: [
      {
        ...(dataset as NonNullable<typeof dataset>),
        reader_cfg: { input_columns: ['text'], output_column: 'text' },
        eval_cfg: { evaluator: { type: 'judge', model: 'judge', question_column: 'text' } },
      },
    ],
  };
  const out = await newFolder();
  const left = { judges: [{ model: 'judge', requests: 6, reused: 0 }] };
  expect((await planRun(judged, { out })).price).toMatchObject(left);
  const limit = 1500;
  const { summary } = await evaluate(judged, { out, maxCost: limit });
  expect(till.paid()).toBeLessThanOrEqual(limit);
  expect(summary).toMatchObject({ complete: false, cost: { isReached: true } });
  expect(summary.results[0]?.rows).toMatchObject({ failed: 0, total: 6 });
  expect(summary.results[0]?.scorerFailed).toBeUndefined();
  const whole = await evaluate(judged, { out, maxCost: 1e9 });
  expect(whole.summary).toMatchObject({
    complete: true,
    cost: { total: till.paid(), spent: till.paid() },
  });
  // Verdicts of earlier starts are paid for.
  for (const higher of [1700, 1900]) {
    await evaluate(judged, { out, maxCost: higher });
    expect(till.paid()).toBeLessThanOrEqual(higher);
  }
  const { price: __, ...unpriced } = judge;
  const free: ConfigInput = { ...judged, models: [...(config.models ?? []), unpriced] };
  await expect(evaluate(free, { out, maxCost: limit })).rejects.toThrow('the price of judge');
  const [model] = config.models ?? [];
  const { price: ___, ...gratis } = model as NonNullable<typeof model>;
  const paid = async (models: readonly object[]) => {
    const { summary } = await evaluate({ ...judged, models } as ConfigInput, {
      out: await newFolder(),
    });
    return [summary.results[0]?.unpriced, summary.cost?.total, describeCost(summary)];
  };
  const total = whole.summary.cost?.total ?? 0;
  const [named, answers = 0, said] = await paid(free.models ?? []);
  expect([named, said]).toEqual([
    ['judge'],
    expect.stringMatching(/^Cost: at least .*, without judge\.$/),
  ]);
  const [other, verdicts = 0] = await paid([gratis, judge]);
  expect(other).toEqual([gratis.abbr]);
  expect(Number(answers) + Number(verdicts)).toBeCloseTo(total);
  expect(await paid([gratis, unpriced])).toEqual([undefined, undefined, undefined]);
});

test('sweeps and plans know prices too', async () => {
  const till = await startTill();
  await using _ = till.server;
  const config = configOf(till.url, 20);
  const axes = {
    templates: ['Say {text}', 'Tell {text}'].map((template, index) => ({
      name: `t${index}`,
      prompt_template: { template },
    })),
  };
  const { run } = await sweep(config, { axes, out: await newFolder(), maxCost: 300 });
  expect(till.paid()).toBeLessThanOrEqual(300);
  expect(run).toMatchObject({ complete: false, cost: { limit: 300, isReached: true } });
  const local = { abbr: 'tiny', type: 'Local' as const, path: 'typecase-tiny' };
  const models = [...(config.models ?? []), local];
  const plan = await planRun({ ...config, models }, { out: await newFolder() });
  expect(plan.price).toEqual({ input: expect.any(Number), output: 20 * 5 * 2, unpriced: ['tiny'] });
});

test('the command says what was spent, and how to go on', async () => {
  const till = await startTill();
  await using _ = till.server;
  const cwd = await writeFolder({
    'config.json': configFor(till.url, { price, max_out_len: 5 }),
    'rows.jsonl': sums(40),
  });
  const run = (...flags: string[]) =>
    runCli(['run', 'config.json', '--out', 'out', ...flags], { cwd });
  const { code, stdout, stderr } = await run('--max-cost', '250');
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Cost: [\d.]+\. Spent: [\d.]+ of at most 250\.00\.$/m);
  expect(stderr).toBe(
    'Cost limit reached. Run the same command with a higher --max-cost to resume.\n',
  );
  expect(till.paid()).toBeLessThanOrEqual(250);
  const whole = await run('--max-cost', '5000');
  expect([whole.code, whole.stderr]).toEqual([0, '']);
  const [titles = [], task = []] = (await readFile(join(cwd, 'out/summary.csv'), 'utf8'))
    .split('\r\n')
    .map((line) => line.split(','));
  expect(task[titles.indexOf('cost')]).toBe(String(till.paid()));
  expect((await run('--max-cost', '0')).code).toBe(2);
}, 60_000);
