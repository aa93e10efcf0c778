import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNumberWords } from './read-number-words.ts';

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function spelled(number: number, { and = '', dash = '-' } = {}): string {
  if (number < 20) return small[number] ?? '';
  if (number < 100) {
    const rest = number % 10 === 0 ? '' : `${dash}${small[number % 10]}`;
    return `${tens[Math.floor(number / 10) - 2]}${rest}`;
  }
  const [unit, word] = number < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = number % unit === 0 ? '' : `${and} ${spelled(number % unit, { and, dash })}`;
  return `${spelled(Math.floor(number / unit), { and, dash })} ${word}${rest}`;
}

const digits = '〇一二三四五六七八九';

/** A number below a myriad as it is written in full, without signs for places left empty. */
function hanSection(number: number): string {
  return [...'千百十 ']
    .map((sign, place) => {
      const digit = Math.floor(number / 10 ** (3 - place)) % 10;
      return digit === 0 ? '' : `${digits[digit]}${sign.trim()}`;
    })
    .join('');
}

const valuesOf = (text: string) => readNumberWords(text).map(({ value }) => value);

describe('numbers in words', () => {
  test('every number up to 999,999 reads as itself, however it is spelled', () => {
    const check = (number: number) => {
      for (const [and, dash] of [
        ['', '-'],
        [' and', '-'],
        ['', ' '],
      ] as const) {
        const words = spelled(number, { and, dash });
        expect([words, valuesOf(words)]).toEqual([words, [String(number)]]);
      }
    };
    for (let number = 0; number <= 1100; number += 1) check(number);
    fc.assert(fc.property(fc.integer({ min: 1100, max: 999_999 }), check), { numRuns: 300 });
  });

  test('every number of Chinese numerals reads as itself', () => {
    const check = (number: number) => {
      const myriad = Math.floor(number / 1e4);
      const rest = hanSection(number % 1e4);
      const text = `${myriad === 0 ? '' : `${hanSection(myriad)}万`}${rest}`;
      // A numeral right after a power may stand for a place below it.
      if (/[百千万][一二三四五六七八九]$/.test(text)) {
        expect([text, valuesOf(text)]).toEqual([text, []]);
        return;
      }
      expect([text, valuesOf(text)]).toEqual([text, [String(number)]]);
    };
    for (let number = 1; number <= 1200; number += 1) check(number);
    fc.assert(fc.property(fc.integer({ min: 1, max: 99_999_999 }), check), { numRuns: 500 });
  });

  test.each([
    ['a hundred and five', '105'],
    ['one hundred, then', '100'],
    ['Twelve thousand, three hundred and forty-five', '12345'],
    ['minus three', '-3'],
    ['negative twenty', '-20'],
    ['十', '10'],
    ['一', '1'],
    ['万', '10000'],
    ['一億二千万', '120000000'],
    ['三亿五千萬', '350000000'],
    ['兩千', '2000'],
    ['两百', '200'],
    ['一千零五', '1005'],
    ['二〇二五', '2025'],
    ['零', '0'],
    ['一二三四五六七八九一二三四五六', '123456789123456'],
    ['三个', '3'],
    ['七。', '7'],
    ['五です', '5'],
    ['三。 And twenty', '3', '20'],
  ])('%s', (text, ...expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  test.each([
    ...['two thirds', 'three times', 'the two', 'which one', 'four more', 'six or', 'two-fold'],
    ...['one million', 'two dozen', 'someone', 'one-way', 'three and a half', 'five point'],
    ...['step two', 'each one'],
    ...['第三', '三分の二', '三角形', '一概', '三四', '百二', '二十三四', '十百', '万億', '3万'],
    '一二三四五六七八九一二三四五六七',
  ])('%s: no number by itself', (text) => {
    expect(valuesOf(text)).toEqual([]);
  });

  test('they are found where they stand, from left to right', () => {
    const text = 'It takes twenty-three days, 三千五百 yen and one hundred men.';
    const found = readNumberWords(text).map(({ value, start, end }) => [
      value,
      text.slice(start, end),
    ]);
    expect(found).toEqual([
      ['23', 'twenty-three'],
      ['3500', '三千五百'],
      ['100', 'one hundred'],
    ]);
  });
});
