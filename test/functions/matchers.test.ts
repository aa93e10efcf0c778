import { expect, test } from 'vitest';
import '../../src/vitest/matchers.ts';
import { evaluate } from '../../src/api/evaluate.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { capitals, makeFolder } from './run-config.ts';

const wrong = {
  models: [{ abbr: 'app', version: '1', generate: () => 'no' }],
  datasets: [capitals()],
} as unknown as ConfigInput;

const given = <Value>(value: unknown) => value as Value;

test('what a matcher cannot mean fails, after `.not` as well', async () => {
  const run = await evaluate(wrong, { out: await makeFolder() });
  await expect(run).toScore(0);
  await expect(run).not.toScore(0.5, { dataset: 'capitals' });
  for (const atLeast of [undefined, null, -1, 90, Number.NaN, '90%', '0.5']) {
    const told = /toScore is given .*a share from 0 to 1/;
    await expect(expect(run).toScore(given<number>(atLeast))).rejects.toThrow(told);
    await expect(expect(run).not.toScore(given<number>(atLeast))).rejects.toThrow(told);
  }
  for (const selection of [{ dataset: 'zz' }, { model: 'zz' }]) {
    const told = /no (?:dataset|model) `zz`, only (?:capitals|app)/;
    await expect(expect(run).not.toScore(0.5, selection)).rejects.toThrow(told);
  }
  const misspelt = given<object>({ dataste: 'capitals' });
  for (const matching of [expect(run), expect(run).not]) {
    await expect(matching.toScore(0, misspelt)).rejects.toThrow('no option `dataste`');
  }
  for (const none of [{}, undefined, { summary: {} }]) {
    await expect(expect(none).toScore(0.5)).rejects.toThrow('result of `evaluate()`');
    await expect(expect(none).not.toPassGates()).rejects.toThrow('result of `evaluate()`');
  }
});

test('the promise of a run will do', async () => {
  const run = evaluate(wrong, { out: await makeFolder(), failUnder: 0 });
  await expect(run).toScore(0);
  await expect(run).toPassGates();
  await expect(expect(run).toScore(0.5)).rejects.toThrow('Gate failed: app on capitals');
});

test('a run without gates passes none', async () => {
  const run = await evaluate(wrong, { out: await makeFolder() });
  await expect(expect(run).toPassGates()).rejects.toThrow('this one has none');
  await expect(expect(run).not.toPassGates()).rejects.toThrow('this one has none');
});

test('a model and a dataset have to be in one result', async () => {
  const echo = { abbr: 'other', version: '1', generate: () => 'Paris' };
  const config = { models: [...(wrong.models ?? []), echo], datasets: [capitals()] };
  const run = await evaluate(given<ConfigInput>(config), { out: await makeFolder() });
  await expect(run).not.toScore(0.2, { model: 'app', dataset: 'capitals' });
  await expect(run).toScore(0.2, { model: 'other', dataset: 'capitals' });
});
