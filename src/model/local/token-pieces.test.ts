import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { LocalTokenizer } from './local-tokenizer.ts';
import { readByteTokens } from './token-pieces.ts';

const folder = join(import.meta.dirname, '../../../models/typecase-tiny');
const json = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
const { pieces } = await LocalTokenizer.read(json, {});

it('finds the token of every byte', () => {
  expect([...(readByteTokens(json, pieces) ?? [])]).toEqual([...Array(256).keys()]);
});

const { A: _, ...without } = json.model.vocab;
test.each([
  ['merges', { model: { ...json.model, merges: [['a', 'b']] } }],
  ['bytes without a token', { model: { ...json.model, vocab: without } }],
  ['marks at the end of words', { model: { ...json.model, end_of_word_suffix: '</w>' } }],
  ['another kind of model', { model: { ...json.model, type: 'Unigram' } }],
  ['a normalizer', { normalizer: { type: 'NFC' } }],
  ['a space before texts', { pre_tokenizer: { ...json.pre_tokenizer, add_prefix_space: true } }],
  ['other splitting', { pre_tokenizer: { type: 'Metaspace' } }],
])('leaves tokenizers alone that have %s', (_, changes) => {
  expect(readByteTokens({ ...json, ...changes }, pieces)).toBeUndefined();
});

it('gives the tokens that the tokenizer gives', async () => {
  const ours = await LocalTokenizer.read(json, {});
  const theirs = new Tokenizer(json, {});
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<|user|>', '<|end|>', '<|', '\ud83d', '\udc00', '選択肢', ' '),
  );
  fc.assert(
    fc.property(fc.array(piece), (parts) => {
      const text = parts.join('');
      expect(ours.encode(text)).toEqual(theirs.encode(text, { add_special_tokens: false }).ids);
    }),
  );
});
