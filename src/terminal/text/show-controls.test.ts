import { expect, test } from 'vitest';
import { escapeControls, showControls, showLines, showSpace } from './show-controls.ts';

test.each([
  ['plain text, 日本語, é, 👩‍👧', 'plain text, 日本語, é, 👩‍👧'],
  ['a\tb', 'a⇥b'],
  ['\u001b[31mred', '␛[31mred'],
  ['\u0000\u0007\r\n\u007f', '␀␇␍␊␡'],
  ['\u009b31m', '<U+009B>31m'],
  ['abc\u202edef\u2066', 'abc<U+202E>def<U+2066>'],
  ['zero\u200bwidth\ufeff', 'zero<U+200B>width<U+FEFF>'],
  ['half \ud83d pair', 'half <U+D83D> pair'],
  ['a\u061cb\u200e\u200f\u2066', 'a<U+061C>b<U+200E><U+200F><U+2066>'],
  ['tag\u{e0041}\u{e007f}', 'tag<U+E0041><U+E007F>'],
  ['👩‍👧 👍🏽 ❤️ 🇯🇵 葛\u{e0100}', '👩‍👧 👍🏽 ❤️ 🇯🇵 葛\u{e0100}'],
])('%j is shown as %s', (text, shown) => {
  expect(showControls(text)).toBe(shown);
});

test.each([
  ['  ', '␣␣'],
  [' \t\r', '␣⇥␍'],
  ['\u3000\u00a0', '<U+3000><U+00A0>'],
])('white space %j is shown as %s', (space, shown) => {
  expect(showSpace(space)).toBe(shown);
});

test('JSON stays the same value without characters that a terminal obeys', () => {
  const value = { text: 'a\u009b31m\u202e\u2028 日本 👩‍👧 \ud800 \u{e0041}' };
  const json = escapeControls(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toBe('{\n  "text": "a\\u009b31m\\u202e\\u2028 日本 👩‍👧 \\ud800 \\udb40\\udc41"\n}');
});

test('lines stay lines', () => {
  expect(showLines('a\u001b[31m\nb\u200b\r\nc')).toBe('a␛[31m\nb<U+200B>␍\nc');
});
