import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import vectors from '../../../test/vectors/metrics/segments.json' with { type: 'json' };
import { splitWords } from '../metrics/split-words.ts';
import { hasDictionary, isWord, loadSegmenter, segmenterOf } from './segmenter.ts';

test('a dictionary must be loaded first', async () => {
  vi.resetModules();
  const fresh = await import('./segmenter.ts');
  expect(() => fresh.segmenterOf('ja')('東京')).toThrow(
    expect.objectContaining({ code: 'score.segmenter_not_loaded' }),
  );
  expect(hasDictionary('zh-Hans')).toBe(true);
  expect(hasDictionary('en')).toBe(false);
});

beforeAll(async () => {
  await loadSegmenter('zh-CN');
});

test.each(vectors.ja as [string, string[]][])('Japanese as MeCab: %s', async (text, words) => {
  expect((await loadSegmenter('ja'))(text)).toEqual(words);
});

test.each(vectors.zh as [string, string[]][])('Chinese as jieba: %s', (text, words) => {
  expect(segmenterOf('zh')(text)).toEqual(words);
});

test('other languages by the rules of Unicode', () => {
  expect(segmenterOf('en')("It isn't 3.5,  is it?")).toEqual([
    ...['It', "isn't", '3.5', ',', 'is', 'it', '?'],
  ]);
  expect(segmenterOf('th')('สวัสดีชาวโลก').filter(isWord)).toEqual(['สวัสดี', 'ชาว', 'โลก']);
});

test.each(['ja', 'zh', 'en', 'ko'])('%s: nothing is lost but white space', async (language) => {
  const segment = await loadSegmenter(language);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'東京は雨。ひらカタ漢字ーabc12 ，！我们的人\n😀ｱ') }),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(segment(text).join('').replaceAll('\0', '')).toBe(withoutSpace(text));
    }),
  );
});

function withoutSpace(text: string): string {
  return splitWords(text).join('').replaceAll('\0', '');
}
