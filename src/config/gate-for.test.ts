import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Config } from './config.ts';
import type { ConfigInput } from './config-input.ts';
import { explainConfig } from './explain.ts';
import { isWithin, readRowLimit, readShare, writeRowLimit } from './gate.ts';
import { gateFor } from './gate-for.ts';
import { parseConfig } from './load-config.ts';

const dataset = {
  abbr: 'd',
  rows: [{ question: '1+1', answer: '2' }],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}=' } },
};

function configWith(gates: {
  readonly top?: ConfigInput['gate'];
  readonly model?: ConfigInput['gate'];
  readonly dataset?: unknown;
}): Promise<Config> {
  const config = {
    gate: gates.top,
    models: [{ abbr: 'm', gate: gates.model }, { abbr: 'other' }],
    datasets: [{ ...dataset, gate: gates.dataset }],
  };
  return parseConfig(config as never);
}

test.each([
  [0, { rows: 0 }],
  ['3', { rows: 3 }],
  ['5%', { share: 0.05 }],
  ['12.5%', { share: 0.125 }],
  ['100%', { share: 1 }],
  [0.05, undefined],
  [-1, undefined],
  ['101%', undefined],
  ['', undefined],
  ['many', undefined],
  [true, undefined],
])('the row limit %j is %j', (written, limit) => {
  expect(readRowLimit(written)).toEqual(limit);
  if (limit) expect(readRowLimit(writeRowLimit(limit as never))).toEqual(limit);
});

test.each([
  [0.8, 0.8],
  ['80%', 0.8],
  ['0.8', 0.8],
  ['1e-3', 0.001],
  [80, undefined],
  ['', undefined],
  [Number.NaN, undefined],
  ['1.2.3', undefined],
])('the share %j is %j', (written, share) => {
  expect(readShare(written)).toBe(share);
});

test('a share of rows is within a limit just when the percentage is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.nat(1000),
      fc.nat(100),
      (total, some, percent) => {
        const rows = Math.min(some, total);
        expect(isWithin({ share: percent / 100 }, rows, total)).toBe(rows * 100 <= percent * total);
      },
    ),
  );
});

test('the nearest gate counts, each setting by itself', async () => {
  const config = await configWith({
    top: { fail_under: 0.5, max_unscored: '5%', allow_failed: 1 },
    model: { fail_under: '60%' },
    dataset: { max_unscored: 2, models: { m: { allow_failed: 3 } } },
  });
  const at = { model: 'm', dataset: 'd' };
  expect(gateFor(at, { config })).toEqual({
    failUnder: 0.6,
    maxUnscored: { rows: 2 },
    allowFailed: { rows: 3 },
  });
  expect(gateFor({ ...at, model: 'other' }, { config })).toEqual({
    failUnder: 0.5,
    maxUnscored: { rows: 2 },
    allowFailed: { rows: 1 },
  });
  expect(gateFor(at, { config, given: { failUnder: 0.9 } }).failUnder).toBe(0.9);
  expect(gateFor(at, {})).toEqual({});
});

test.each<[object, code: string, message: string]>([
  [{ fail_under: 80 }, 'config.wrong_type', 'datasets[0].gate.fail_under must be a score from 0'],
  [{ fail_under: {} }, 'config.wrong_type', 'or a mapping of metric to score'],
  [{ max_unscored: 0.1 }, 'config.wrong_type', 'must be a number of rows such as 3, or a share'],
  [{ failunder: 1 }, 'config.unknown_key', 'datasets[0].gate has the unknown key `failunder`'],
  [
    { models: { othr: {} } },
    'config.unknown_model',
    'datasets[0].gate.models names `othr`, which is not a model of this config',
  ],
])('a config refuses the gate %j', async (gate, code, message) => {
  await expect(configWith({ dataset: gate })).rejects.toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test('metrics may have marks of their own, beyond 1 as well; values are explained as written', async () => {
  const gate = { fail_under: { accuracy: '80%', perplexity: 12.5 }, allow_failed: '2.5%' };
  const config = await configWith({ dataset: gate });
  expect(config.datasets[0]?.gate).toEqual({
    failUnder: { accuracy: '80%', perplexity: 12.5 },
    allowFailed: { share: 0.025 },
  });
  const values = explainConfig(config.written as never, config).map(({ path, value }) => [
    path.join('.'),
    value,
  ]);
  expect(values).toContainEqual(['datasets.0.gate.fail_under.perplexity', 12.5]);
  expect(values).toContainEqual(['datasets.0.gate.allow_failed', '2.5%']);
});
