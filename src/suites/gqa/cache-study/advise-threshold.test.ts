import { expect, test } from 'vitest';
import { adviseThreshold } from './advise-threshold.ts';
import type { CacheStep } from './simulate.ts';
import { countHits } from './tally.ts';

/** Counts of hits that each return one of so many stored answers; of the judged some are wrong. */
function pointOf(
  threshold: number,
  {
    right = 0,
    wrong = 0,
    open = 0,
    stored = 1000,
  }: { right?: number; wrong?: number; open?: number; stored?: number },
) {
  const answers = Array.from({ length: stored }, () => 'a');
  const steps: CacheStep[] = [];
  const add = (count: number, answer: string) => {
    for (let index = 0; index < count; index++) {
      const from = steps.length % stored;
      steps.push({
        sample: answers.push(answer) - 1,
        source: 'text',
        from,
        score: 1,
        rejected: null,
      });
    }
  };
  add(right, 'a');
  add(wrong, 'b');
  add(open, '');
  return { threshold, ...countHits(steps, answers) };
}

const good = (threshold: number) => pointOf(threshold, { right: 990, wrong: 5 });
const bad = (threshold: number) => pointOf(threshold, { right: 900, wrong: 95 });

test('the lowest threshold above the first that fails', () => {
  const advice = adviseThreshold([good(0.7), bad(0.8), good(0.9), good(0.95)], 0.05);
  expect(advice).toMatchObject({ type: 'keeps', point: { threshold: 0.9, wrong: 5 } });
});

test('hits that could not be judged are neither right nor a reason to go on', () => {
  const open = pointOf(0.95, { open: 500 });
  expect(open).toMatchObject({ hits: 500, judged: 0, wrong: 0, wrongShare: undefined });
  expect(adviseThreshold([open], 0.05)).toEqual({
    type: 'too few',
    maxWrong: 0.05,
    point: undefined,
  });
  expect(adviseThreshold([good(0.9), open], 0.05)).toMatchObject({
    type: 'keeps',
    point: { threshold: 0.9 },
  });
});

test.each([
  ['too few', { right: 20 }],
  ['too few', { right: 60, wrong: 4 }],
  ['too many wrong', { right: 60, wrong: 40 }],
  ['keeps', { right: 300 }],
  // the same hits of three stored answers say no more than three rows
  ['too few', { right: 300, stored: 3 }],
] as const)('%s with %j', (type, counts) => {
  expect(adviseThreshold([pointOf(0.9, counts)], 0.05).type).toBe(type);
});
