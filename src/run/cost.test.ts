import { expect, test } from 'vitest';
import type { ModelConfig } from '../config/config.ts';
import { costOf, priceOf } from './cost.ts';

const tokens = { input: 2_000_000, output: 500_000 };
const priced = { in: 3, out: 8 };

test.each<[config: object | undefined, cost: number | undefined]>([
  [{ type: 'Local' }, 0],
  [{ type: 'Replay' }, 0],
  [{ type: 'OpenAI' }, undefined],
  [{ type: 'function' }, undefined],
  [undefined, undefined],
  [{ type: 'OpenAI', price: priced }, 10],
  [{ type: 'Local', price: priced }, 10],
])('answers of %j cost %j', (config, cost) => {
  expect(costOf(tokens, priceOf(config as ModelConfig | undefined))).toBe(cost);
});
