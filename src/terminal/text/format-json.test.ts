import { expect, test } from 'vitest';
import { formatJson, shorten } from './format-json.ts';

const body = {
  model: 'm',
  messages: [
    { role: 'user', content: 'What is this?' },
    { role: 'assistant', content: 'A question that is too long for the line.' },
  ],
  stop: [],
};

test('what fits stands on one line', () => {
  expect(formatJson({ a: [1, null], b: {}, c: 'x' }, 80)).toBe(
    '{ "a": [1, null], "b": {}, "c": "x" }',
  );
  expect(formatJson(body, 50)).toBe(`{
  "model": "m",
  "messages": [
    { "role": "user", "content": "What is this?" },
    {
      "role": "assistant",
      "content": "A question that is too long for the line."
    }
  ],
  "stop": []
}`);
});

test.each([10, 40, 200])('at %i columns it is still the same value', (width) => {
  expect(JSON.parse(formatJson(body, width))).toEqual(body);
});

test('long texts are cut by their width as JSON', () => {
  expect(shorten({ a: 'abcdef', b: ['日本語', 'x\ny\n', 'abcd', 5] }, 4)).toEqual({
    a: 'abcd…',
    b: ['日本…', 'x\ny…', 'abcd', 5],
  });
});

test('long lists keep both ends', () => {
  const ids = Array.from({ length: 20 }, (_, index) => index);
  expect(formatJson(shorten(ids, 10), 80)).toBe('[0, 1, 2, 3, … 14 more …, 18, 19]');
  expect(shorten(ids.slice(0, 12), 10)).toEqual(ids.slice(0, 12));
});
