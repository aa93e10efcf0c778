import { evaluate } from 'typecase';
import { expect, test } from 'vitest';
import { config } from './shout.config.js';

test('shouts', async () => {
  const { summary } = await evaluate(config, { out: 'runs/in-vitest' });
  expect(summary.complete).toBe(true);
  expect(summary.results[0]?.score?.value).toBeCloseTo(2 / 3);
});
