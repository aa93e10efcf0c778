import { evaluate } from 'typecase';
import 'typecase/vitest';
import { expect, test } from 'vitest';
import { config } from './shout.config.js';

const out = 'runs/in-vitest';

test('shouts', async () => {
  const run = await evaluate(config, { out });
  expect(run.summary.results[0]?.score?.value).toBeCloseTo(2 / 3);
  await expect(run).toScore(0.6);
  await expect(run).toScore(0.6, { dataset: 'shouts' });
  await expect(run).not.toScore(0.7);
  await expect(evaluate(config, { out, failUnder: 0.6 })).toPassGates();
});

test('says which rows are to blame', async () => {
  const run = await evaluate(config, { out, failUnder: 0.9 });
  const blamed =
    /needs at least 90\.0[\s\S]*server on shouts, row 2: wrong: "AGAIN", expected "once more"/;
  await expect(expect(run).toScore(0.9)).rejects.toThrow(blamed);
  await expect(expect(run).toPassGates()).rejects.toThrow(blamed);
  await expect(expect(run).toScore(0.1, { dataset: 'none' })).rejects.toThrow('no dataset `none`');
});
