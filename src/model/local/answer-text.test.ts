import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AnswerText } from './answer-text.ts';

/** Tokens are bytes; 256 is special. */
const pieces = {
  pieceOf: (id: number) => Uint8Array.of(id),
  isSpecial: (id: number) => id === 256,
};

function write(text: string, stops: readonly string[] = []) {
  const answer = new AnswerText(pieces, stops);
  const parts: string[] = [];
  for (const byte of Buffer.from(text)) {
    if (answer.isStopped) break;
    parts.push(answer.push(byte));
  }
  return { parts: [...parts, answer.end()], isStopped: answer.isStopped };
}

test('characters come whole', () => {
  expect(write('a日😀').parts).toEqual(['a', '', '', '日', '', '', '', '😀', '']);
});

test('a character that is cut off ends as a replacement', () => {
  const answer = new AnswerText(pieces, []);
  expect([0x61, 0xe6, 0x97].map((byte) => answer.push(byte))).toEqual(['a', '', '']);
  expect(answer.end()).toBe('\ufffd');
});

test('special tokens leave no text', () => {
  const answer = new AnswerText(pieces, []);
  expect([0x61, 256, 0x62].map((id) => answer.push(id))).toEqual(['a', '', 'b']);
});

describe('stop sequences', () => {
  test.each([
    { text: 'yes\nno', stops: ['\n'], expected: 'yes', isStopped: true },
    { text: 'yes\n\nno', stops: ['\n\n'], expected: 'yes', isStopped: true },
    { text: 'yes\nno', stops: ['\n\n'], expected: 'yes\nno', isStopped: false },
    { text: 'aab', stops: ['ab'], expected: 'a', isStopped: true },
    { text: 'ababac', stops: ['abac'], expected: 'ab', isStopped: true },
    { text: 'one two', stops: ['two', 'one t'], expected: '', isStopped: true },
    { text: '答え。次', stops: ['。次'], expected: '答え', isStopped: true },
    { text: 'end', stops: ['ending'], expected: 'end', isStopped: false },
    { text: 'x', stops: [''], expected: 'x', isStopped: false },
  ])('$text is cut before $stops', ({ text, stops, expected, isStopped }) => {
    const { parts, ...answer } = write(text, stops);
    expect({ text: parts.join(''), ...answer }).toEqual({ text: expected, isStopped });
  });

  it('cut at the end of the first one that is complete, wherever tokens end', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '日'), maxLength: 30 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '日'), maxLength: 4 }));
    fc.assert(
      fc.property(letters, stops, (text, stops) => {
        const ends = stops
          .filter((stop) => stop !== '' && text.includes(stop))
          .map((stop) => text.indexOf(stop) + stop.length);
        const seen = text.slice(0, Math.min(text.length, ...ends));
        const cut = Math.min(
          seen.length,
          ...stops
            .filter((stop) => stop !== '' && seen.includes(stop))
            .map((stop) => seen.indexOf(stop)),
        );
        expect(write(text, stops).parts.join('')).toBe(text.slice(0, cut));
      }),
    );
  });
});
