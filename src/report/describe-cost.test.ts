import { expect, test } from 'vitest';
import { costOf } from './describe-cost.ts';
import { sampleResult } from './sample-summary.ts';
import { usageFacts } from './task-facts.ts';

test('a cost of which a part is not known is the least', () => {
  const priced = sampleResult({ model: 'a', cost: 0.5 });
  const free = sampleResult({ model: 'b' });
  const judged = { ...priced, unpriced: ['judge'] };
  expect(costOf({ total: 0.5 }, [priced])).toBe('0.5');
  expect(costOf({ total: 0.5 }, [priced, free])).toBe('at least 0.5');
  expect(costOf({ total: 0.5 }, [judged])).toBe('at least 0.5');
  expect(costOf({ total: 0.5, untold: 2 }, [priced])).toBe('at least 0.5');
  expect(costOf({ total: 0, untold: 2 }, [priced])).toBe('not known');
});

test('the cost of an evaluation leaves out what has no price', () => {
  const costIn = (change: Parameters<typeof sampleResult>[0]) =>
    new Map(usageFacts(sampleResult({ cost: 0.5, ...change }))).get('cost');
  expect(costIn({})).toBe('0.5');
  expect(costIn({ unpriced: ['judge'] })).toBe('at least 0.5');
  expect(costIn({ tokens: { input: 5, output: 5, untold: 1 } })).toBe('at least 0.5');
  const judge = { requests: 2, cached: 0, tokens: { input: 5, output: 5, untold: 1 } };
  expect(costIn({ judge })).toBe('at least 0.5');
});
