import { describe, expect, it, test } from 'vitest';
import { sumFrom } from './token-boundary.ts';

const text = 'Is it? Yes, it is.';
//            0    5 6   10  13 17
const starts = [0, 2, 5, 6, 10, 11, 14, 17];
const logprobs = [-1, -2, -4, -8, -16, -32, -64, -128];

test.each([
  { from: 0, logprob: -255, tokens: 8 },
  { from: 2, logprob: -254, tokens: 7 },
  { from: 6, logprob: -248, tokens: 5 },
  { from: 17, logprob: -128, tokens: 1 },
  { from: 18, logprob: 0, tokens: 0 },
  { from: 7, logprob: -248, tokens: 5, spanning: ' Yes' },
  { from: 9, logprob: -248, tokens: 5, spanning: ' Yes' },
  { from: 1, logprob: -255, tokens: 8, spanning: 'Is' },
])('from $from: $logprob over $tokens tokens, spanning $spanning', ({ from, ...weight }) => {
  expect(sumFrom({ text, from, starts, logprobs })).toEqual(weight);
});

describe('the first token without a probability does not count', () => {
  const unknown = [null, ...logprobs.slice(1)];

  test.each([
    { from: 0, logprob: -254, tokens: 7 },
    { from: 2, logprob: -254, tokens: 7 },
    { from: 1, logprob: -254, tokens: 7, spanning: 'Is' },
  ])('from $from', ({ from, ...weight }) => {
    expect(sumFrom({ text, from, starts, logprobs: unknown })).toEqual(weight);
  });

  it('and a text of one token has a loglikelihood of 0', () => {
    expect(sumFrom({ text: 'a', from: 0, starts: [0], logprobs: [null] })).toEqual({
      logprob: 0,
      tokens: 0,
    });
  });
});

it('tokens inside one character begin with it', () => {
  const weight = sumFrom({
    text: 'a日b',
    from: 1,
    starts: [0, 1, 1, 1, 2],
    logprobs: [-1, -2, -3, -4, -5],
  });
  expect(weight).toEqual({ logprob: -14, tokens: 4 });
});

test.each([
  { likeliest: [0, 0, 0, 1, 1, 1, 1, 1], isGreedy: true },
  { likeliest: [1, 1, 1, 1, 1, 1, 1, 0], isGreedy: false },
])('greedy if every token that counts was the likeliest: $isGreedy', ({ likeliest, isGreedy }) => {
  expect(sumFrom({ text, from: 6, starts, logprobs, likeliest }).isGreedy).toBe(isGreedy);
});

it('keeps an impossible token', () => {
  const impossible = logprobs.with(6, Number.NEGATIVE_INFINITY);
  expect(sumFrom({ text, from: 6, starts, logprobs: impossible }).logprob).toBe(
    Number.NEGATIVE_INFINITY,
  );
});

test.each([
  { name: 'NaN', value: Number.NaN },
  { name: 'nothing', value: null },
])('refuses $name in place of a probability', ({ value }) => {
  const broken = [...logprobs.slice(0, 6), value, ...logprobs.slice(7)];
  expect(() => sumFrom({ text, from: 6, starts, logprobs: broken })).toThrow(
    'no probability for the token at character 14',
  );
});
