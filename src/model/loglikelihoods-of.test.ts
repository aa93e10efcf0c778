import { describe, expect, it, test } from 'vitest';
import type { LoglikelihoodText, TextLogprobs } from './loglikelihood.ts';
import { loglikelihoodsOf, wholeLogprobs } from './loglikelihoods-of.ts';

const text = 'Is it? Yes, it is.';
//            0    5 6   10  13 17
const starts = [0, 2, 5, 6, 10, 11, 14, 17];
const values = [-1, -2, -4, -8, -16, -32, -64, -128];

const read = (asked: LoglikelihoodText, said: TextLogprobs) => loglikelihoodsOf([asked], [said])[0];

test.each([
  { from: 0, logprob: -255, tokens: 8 },
  { from: 2, logprob: -254, tokens: 7 },
  { from: 6, logprob: -248, tokens: 5 },
  { from: 17, logprob: -128, tokens: 1 },
  { from: 18, logprob: 0, tokens: 0 },
  { from: 7, logprob: -248, tokens: 5, spanning: ' Yes' },
  { from: 9, logprob: -248, tokens: 5, spanning: ' Yes' },
  { from: 1, logprob: -255, tokens: 8, spanning: 'Is' },
])('from $from: $logprob over $tokens tokens, spanning $spanning', ({ from, ...found }) => {
  expect(read({ text, from }, { starts, values })).toEqual(found);
});

describe('the first token without a probability does not count', () => {
  const unknown = [null, ...values.slice(1)];

  test.each([
    { from: 0, logprob: -254, tokens: 7, skipped: 2 },
    { from: 2, logprob: -254, tokens: 7 },
    { from: 1, logprob: -254, tokens: 7, skipped: 1, spanning: 'Is' },
  ])('from $from', ({ from, ...found }) => {
    expect(read({ text, from }, { starts, values: unknown })).toEqual(found);
  });

  it('and a text of one token has a loglikelihood of 0', () => {
    expect(read({ text: 'a', from: 0 }, { starts: [0], values: [null] })).toEqual({
      logprob: 0,
      tokens: 0,
      skipped: 1,
    });
  });

  it('and has no characters where a mark stands before the text', () => {
    expect(read({ text: 'ab', from: 0 }, { starts: [0, 0, 1], values: [null, -1, -2] })).toEqual({
      logprob: -3,
      tokens: 2,
    });
  });
});

it('tokens inside one character begin with it', () => {
  const said = { starts: [0, 1, 1, 1, 2], values: [-1, -2, -3, -4, -5] };
  expect(read({ text: 'a日b', from: 1 }, said)).toEqual({ logprob: -14, tokens: 4 });
});

test.each([
  { likely: [0, 0, 0, 1, 1, 1, 1, 1], isGreedy: true },
  { likely: [1, 1, 1, 1, 1, 1, 1, 0], isGreedy: false },
])('greedy if every token that counts was the likeliest: $isGreedy', ({ likely, isGreedy }) => {
  const said = { starts, values, likeliest: likely.map(Boolean) };
  expect(read({ text, from: 6 }, said)?.isGreedy).toBe(isGreedy);
});

it('keeps an impossible token', () => {
  const said = wholeLogprobs(text, { starts, values: values.with(6, Number.NEGATIVE_INFINITY) });
  expect(read({ text, from: 6 }, said)?.logprob).toBe(Number.NEGATIVE_INFINITY);
  expect(read({ text, from: 17 }, said)?.logprob).toBe(-128);
});

test.each([
  { name: 'NaN', value: Number.NaN, place: 6 },
  { name: 'nothing', value: null, place: 6 },
  { name: 'NaN at the start', value: Number.NaN, place: 0 },
])('refuses $name in place of a probability, wherever parts begin', ({ value, place }) => {
  const broken = [...values.slice(0, place), value, ...values.slice(place + 1)];
  expect(() => wholeLogprobs(text, { starts, values: broken })).toThrow(
    `no probability for the token at character ${starts[place]}`,
  );
});

it('refuses what is likelier than certain, but for rounding', () => {
  const said = (value: number) => ({ starts, values: values.with(6, value) });
  expect(() => wholeLogprobs(text, said(0.5))).toThrow('gave 0.5 as the log-probability');
  expect(wholeLogprobs(text, said(1e-7)).values[6]).toBe(1e-7);
});

it('refuses an answer to other texts', () => {
  expect(() => loglikelihoodsOf([{ text, from: 0 }], [])).toThrow('0 answers for 1 texts');
});
