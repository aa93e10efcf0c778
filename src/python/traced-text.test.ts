import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinSpans, type Origin } from '../prompt/origin.ts';
import {
  concatTexts,
  replaceText,
  sliceText,
  splitCharacters,
  splitText,
  TracedText,
  traceText,
} from './traced-text.ts';

const literal = (path: string): Origin => ({ type: 'literal', at: { path: [path], start: 0 } });
const mask: Origin = { type: 'mask', field: 'a', at: { path: [], start: 0 } };

const words = fc.array(fc.constantFrom('a', 'b', 'ab', '{', '}', '😀', ''), { maxLength: 8 });
const plain = words.map((parts) => parts.join(''));
const traced = fc
  .array(fc.tuple(plain, fc.constantFrom(literal('x'), literal('y'), mask)), { maxLength: 5 })
  .map((parts) => concatTexts(parts.map(([text, origin]) => traceText(text, origin))));

/** Literal spans say the truth about where they are when their text is the text of the location. */
function expectTrue(result: TracedText, expected: string, source?: string): void {
  expect(result.text).toBe(expected);
  expect(joinSpans(result.spans)).toBe(expected);
  for (const { text, origin } of result.spans) {
    if (origin.type !== 'literal' || origin.at.path[0] !== 'source') continue;
    expect(source?.slice(origin.at.start, origin.at.start + text.length)).toBe(text);
  }
}

describe('spans follow what strings do', () => {
  test('replace', () => {
    fc.assert(
      fc.property(traced, plain, traced, (text, needle, replacement) => {
        const result = replaceText(text, { needle, replacement });
        const expected =
          needle === ''
            ? [...text.text].reduce(
                (made, each) => made + each + replacement.text,
                replacement.text,
              )
            : text.text.replaceAll(needle, () => replacement.text);
        expectTrue(result, expected);
      }),
    );
  });

  test('split, slice, characters', () => {
    fc.assert(
      fc.property(plain, plain, fc.nat(20), fc.nat(20), (source, separator, one, other) => {
        const text = traceText(source, literal('source'));
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        expectTrue(sliceText(text, { start, end }), source.slice(start, end), source);
        expect(splitCharacters(text).map((each) => each.text)).toEqual([...source]);
        if (separator === '') return;
        const pieces = splitText(text, separator);
        expect(pieces.map((piece) => piece.text)).toEqual(source.split(separator));
        for (const piece of pieces) expectTrue(piece, piece.text, source);
      }),
    );
  });

  test('many steps in a row', () => {
    const step = fc.tuple(
      plain.filter((text) => text !== ''),
      plain,
    );
    fc.assert(
      fc.property(plain, fc.array(step, { maxLength: 6 }), (source, steps) => {
        let expected = source;
        let text = traceText(source, literal('source'));
        for (const [needle, value] of steps) {
          expected = expected.replaceAll(needle, () => value);
          const replacement = traceText(value, { type: 'separator', name: 'line' });
          text = replaceText(text, { needle, replacement });
        }
        expectTrue(text, expected, source);
      }),
    );
  });
});

test('an empty mask stays where it is, next to what is replaced', () => {
  const text = concatTexts([
    traceText('x', literal('x')),
    traceText('', mask),
    traceText('{b}', literal('y')),
  ]);
  const filled = replaceText(text, { needle: '{b}', replacement: traceText('B', literal('z')) });
  expect(filled.spans.map(({ text: each, origin }) => [each, origin.type])).toEqual([
    ['x', 'literal'],
    ['', 'mask'],
    ['B', 'literal'],
  ]);
});

test('a replacement is told the origin of the first character it replaces', () => {
  const text = concatTexts([traceText('12{', literal('x')), traceText('a}', literal('y'))]);
  const origins: unknown[] = [];
  replaceText(text, {
    needle: '{a}',
    replacement: (origin) => {
      origins.push(origin);
      return new TracedText('', []);
    },
  });
  expect(origins).toEqual([{ type: 'literal', at: { path: ['x'], start: 2 } }]);
});
