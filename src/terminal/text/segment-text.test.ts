import { expect, test } from 'vitest';
import { segmentText } from './segment-text.ts';

const graphemes = new Intl.Segmenter();
const words = new Intl.Segmenter('en', { granularity: 'word' });

test.each([
  ['nothing', graphemes, ''],
  ['emoji of several parts', graphemes, '👩‍👧‍👦'.repeat(700)],
  ['combining marks', graphemes, `${'x'.repeat(998)}e\u0301\u0302y`.repeat(3)],
  ['words', words, 'one two  three\n'.repeat(500)],
  ['a word longer than a window', words, `a ${'b'.repeat(2500)} c`],
])('%s: nothing is lost', (_, segmenter, text) => {
  expect([...segmentText(segmenter, text)].join('')).toBe(text);
});

test.each([
  [graphemes, '👩‍👧‍👦'.repeat(700)],
  [graphemes, `${'x'.repeat(998)}e\u0301\u0302y`.repeat(3)],
  [words, 'one two  three\n'.repeat(500)],
])('windows do not show', (segmenter, text) => {
  const whole = Array.from(segmenter.segment(text), ({ segment }) => segment);
  expect([...segmentText(segmenter, text)]).toEqual(whole);
});
