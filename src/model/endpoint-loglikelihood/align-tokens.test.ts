import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignTokens } from './align-tokens.ts';
import type { ReadTokens } from './read-tokens.ts';

const review = 'Review: good. This review is bad.';

function align(text: string, tokens: readonly string[], read: Partial<ReadTokens> = {}) {
  const logprobs = tokens.map(() => -1);
  return alignTokens(text, { tokens, logprobs, echo: `${text} more`, ...read });
}

/** Offsets as servers make them that add up what their tokens are written with. */
function sums(tokens: readonly string[], first = 0): number[] {
  let offset = first;
  return tokens.map((token) => {
    offset += [...token].length;
    return offset - [...token].length;
  });
}

const words: readonly string[] = review.match(/\S+\s*/g) ?? [];
const places = sums(words);

test.each<[string, readonly string[], readonly number[]]>([
  ['the first two only', words.slice(0, 2), places.slice(0, 2)],
  ['the first two and one of the model', [...words.slice(0, 2), ' more'], [0, 8, review.length]],
  ['the last two', words.slice(-2), places.slice(-2)],
  ['the last two, counted from 0', words.slice(-2), sums(words.slice(-2))],
  ['none in the middle', words.toSpliced(2, 2), places.toSpliced(2, 2)],
  ['tokens that are not in it', words.map(() => 'zz'), places],
  ['one of another text', words.with(3, 'preview '), places],
  ['their numbers', words.map((_, id) => `token_id:${id}`), places],
  ['offsets that go back', words.map((word) => word.toUpperCase()), places.with(2, 1)],
  ['offsets of three further', words.map((word) => word.toUpperCase()), places.map((at) => at + 3)],
  ['offsets that are none', words.map((word) => word.toUpperCase()), places.map(() => Number.NaN)],
])('%s: not the tokens of the text', (_, tokens, offsets) => {
  expect(align(review, tokens, { offsets })).toBeUndefined();
  expect(align(review, tokens)).toBeUndefined();
});

test.each<[string, string, readonly string[], Partial<ReadTokens>, readonly number[]]>([
  ['a mark before it', 'A b', ['<s>', 'A', ' b', '!'], {}, [0, 0, 1]],
  [
    'two marks',
    'A b',
    ['[gMASK]', '<sop>', 'A', ' b', '!'],
    { offsets: [0, 7, 12, 13, 15] },
    [0, 0, 0, 1],
  ],
  ['a mark without a text', 'A b', ['', 'A', ' b', '!'], {}, [0, 0, 1]],
  [
    'a mark that offsets count',
    'Ａ Ｂ',
    ['<s>', 'A', ' B', '!'],
    { offsets: [0, 3, 4, 6] },
    [0, 0, 1],
  ],
  [
    'parts of a character',
    'A😀B',
    ['A', '\ufffd', '\ufffd', 'B', '!'],
    { offsets: [0, 1, 1, 2, 3] },
    [0, 1, 1, 3],
  ],
  [
    'the same with offsets that are sums',
    'A😀B',
    ['A', '\ufffd', '\ufffd', 'B', '!'],
    { offsets: [0, 1, 2, 3, 4] },
    [0, 1, 1, 3],
  ],
  [
    'the same without offsets',
    'A😀B',
    ['A', '\ufffd', '\ufffd', 'B'],
    { isPrompt: true },
    [0, 1, 1, 3],
  ],
  [
    'behind a first token that is not told',
    'It 😀',
    ['', ' ', '\ufffd', '\ufffd'],
    { isPrompt: true },
    [0, 2, 3, 3],
  ],
  [
    'parts without a text',
    'A日本',
    ['A', '', '', '', '', '本', ''],
    { offsets: [0, 1, 1, 1, 2, 2, 3] },
    [0, 1, 1, 1, 2, 2],
  ],
  ['parts as bytes', '日本', ['bytes:\\xe6\\x97', 'bytes:\\xa5', '本', '!'], {}, [0, 0, 1]],
  [
    'parts as numbers of bytes',
    ' 日',
    [' ', '<0xE6>', '<0x97>', '<0xA5>', '!'],
    { offsets: [0, 1, 7, 13, 19] },
    [0, 1, 1, 1],
  ],
  ['a part that begins with a space', 'A 日', ['A', ' \ufffd', '\ufffd', '!'], {}, [0, 1, 2]],
  ['offsets in UTF-16 units', '😀Ａ', ['😀', 'a', '!'], { offsets: [0, 2, 3] }, [0, 2]],
  ['offsets in bytes', '日Ａ', ['日', 'a', '!'], { offsets: [0, 3, 6] }, [0, 1]],
  [
    'other letters of the same size',
    'ＡＢ Good',
    ['A', 'B', ' good', '!'],
    { offsets: [0, 1, 2, 7] },
    [0, 1, 2],
  ],
  [
    'spaces as a tokenizer writes them',
    'It is',
    ['It', '▁is', '!'],
    { offsets: [0, 2, 5] },
    [0, 2],
  ],
  [
    'a character that it does not know',
    '薔薇の',
    ['<unk>', 'の', '!'],
    { offsets: [0, 2, 3] },
    [0, 2],
  ],
])('%s: located', (_, text, tokens, read, starts) => {
  expect(align(text, tokens, read)).toEqual(starts);
});

/** How servers write what is no text. */
const spellings: Readonly<Record<string, (bytes: Buffer) => string>> = {
  replaced: (bytes) => bytes.toString(),
  listed: (bytes) => {
    const hex = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    return bytes.toString().includes('\ufffd') ? `bytes:${hex.join('')}` : bytes.toString();
  },
};

test.each(Object.entries(spellings))('tokens cut anywhere are found (%s)', (_, spell) => {
  const unit = fc.constantFrom('a', ' ', 'é', '日', '本', '😀', '🏴');
  const texts = fc.string({ unit, minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), fc.nat(), (text, cuts, gone) => {
      const bytes = Buffer.from(text);
      const ends = [...new Set([0, bytes.length, ...cuts.map((cut) => cut % bytes.length)])];
      const edges = ends.sort((a, b) => a - b);
      const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
      const tokens = pieces.map(spell);
      const starts = align(text, tokens, { isPrompt: true, echo: text });
      expect(starts).toHaveLength(tokens.length);
      for (const [index, start] of (starts ?? []).entries()) {
        const isWhole = bytes.subarray(0, edges[index]).toString() === text.slice(0, start);
        const isLiteral =
          !tokens[index]?.includes('\ufffd') && !tokens[index - 1]?.includes('\ufffd');
        if (isLiteral && !tokens[index]?.startsWith('bytes:')) expect(isWhole).toBe(true);
      }
      const left = tokens.toSpliced(gone % tokens.length, 1);
      const lost = pieces[gone % tokens.length] ?? Buffer.alloc(0);
      if (left.join('') === text || lost.toString().includes('\ufffd')) return;
      if (left.length > 0 && !left.join('').includes('\ufffd')) {
        expect(align(text, left, { isPrompt: true, echo: text })).toBeUndefined();
      }
    }),
  );
});
