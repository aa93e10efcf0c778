import { expect, it } from 'vitest';
import { splitWords } from './split-words.ts';

it.each([
  ['', []],
  ['The cat, the CAT!', ['the', 'cat', 'the', 'cat']],
  ["It's 3.5 o’clock", ["it's", '3', '5', 'o’clock']],
  ['Straße naïve', ['straße', 'naïve']],
  ['nai\u0308ve ＡＢＣ１２', ['naïve', 'abc12']],
  ['中文测试', ['中文', '文测', '测试']],
  ['日', ['日']],
  ['サーバー', ['サー', 'ーバ', 'バー']],
  ['한국어 text', ['한국', '국어', 'text']],
  ['GPT4は速い', ['gpt4', 'は速', '速い']],
  ['𠮷野家', ['𠮷野', '野家']],
  ['🙂 -- …', []],
])('%j gives %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

it('takes texts of any length without spaces', () => {
  expect(splitWords('日本'.repeat(150_000))).toHaveLength(299_999);
});
