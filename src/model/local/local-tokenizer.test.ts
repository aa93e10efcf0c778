import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LocalTokenizer } from './local-tokenizer.ts';

const readFixture = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));

const byteLevel = await LocalTokenizer.read(readFixture('causal/tokenizer.json'), {});

/** As the tokenizers of the SentencePiece family: a low line for a space, bytes by number. */
function sentencePiece(overrides: object = {}) {
  const merges = ['▁ H', '▁H e', '▁He l', '▁Hel l', '▁Hell o', '▁ w', '▁w o', '▁wo r', 'l d'];
  const letters = ['▁', ...'Helowrd!é', ...merges.map((merge) => merge.replace(' ', ''))];
  const words = ['<unk>', '<s>', '<end>', ...letters];
  const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase());
  const tokens = [...words, ...bytes.map((byte) => `<0x${byte.padStart(2, '0')}>`)];
  return LocalTokenizer.read(
    {
      version: '1.0',
      added_tokens: ['<s>', '<end>'].map((content) => ({
        id: words.indexOf(content),
        content,
        special: true,
        normalized: false,
        single_word: false,
        lstrip: false,
        rstrip: content === '<end>',
      })),
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'NFC' },
          { type: 'Prepend', prepend: '▁' },
          { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
        ],
      },
      pre_tokenizer: null,
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '<s>', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
        ],
        pair: [],
        special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
      },
      decoder: {
        type: 'Sequence',
        decoders: [
          { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
          { type: 'ByteFallback' },
          { type: 'Fuse' },
        ],
      },
      model: {
        type: 'BPE',
        unk_token: '<unk>',
        byte_fallback: true,
        fuse_unk: true,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges,
      },
      ...overrides,
    },
    {},
  );
}

describe('byte-level', () => {
  it('puts the begin token in front of texts that have none', () => {
    expect(byteLevel.encodePrompt('q')).toEqual([261, 113]);
    expect(byteLevel.encodePrompt('<bos>q')).toEqual([261, 113]);
    expect(byteLevel.encode('q')).toEqual([113]);
    expect(byteLevel.encodePrompt('')).toEqual([261]);
    expect(byteLevel.size).toBe(265);
  });

  test.each([
    { text: 'x A', starts: [0, 1], tokens: 2 },
    { text: 'xabcy', starts: [0, 1, 4], tokens: 3 },
    { text: '日x', starts: [0, 0, 0, 1], tokens: 4 },
    { text: 'あx', starts: [0, 1], tokens: 2 },
    { text: '😀x', starts: [0, 0, 0, 0, 2], tokens: 5 },
    { text: 'a<user>b', starts: [0, 1, 7], tokens: 3 },
    { text: '', starts: [], tokens: 0 },
  ])('tokens of $text begin at $starts', ({ text, starts, tokens }) => {
    const ids = byteLevel.encode(text);
    expect(ids).toHaveLength(tokens);
    expect([...byteLevel.startsOf(text, ids)]).toEqual(starts);
  });

  it('pieces put any text together again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const ids = byteLevel.encode(text);
        const bytes = Buffer.concat(ids.map((id) => byteLevel.pieces.pieceOf(id)));
        expect(bytes.toString()).toBe(text);
        const starts = [...byteLevel.startsOf(text, ids)];
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
    );
  });
});

describe('of the SentencePiece family', async () => {
  const tokenizer = await sentencePiece();

  test.each([
    { text: 'Hello world!', starts: [0, 5, 9, 11] },
    { text: ' Hello', starts: [0, 1] },
    { text: 'Hello<end>  Hello', starts: [0, 5, 10] },
    { text: 'Hello 日', starts: [0, 5, 6, 6, 6] },
    { text: 'e\u0301!', starts: [0, 0, 2] },
  ])('tokens of $text begin at $starts', ({ text, starts }) => {
    expect([...tokenizer.startsOf(text, tokenizer.encode(text))]).toEqual(starts);
  });

  it('spells bytes and spaces', () => {
    const ids = tokenizer.encode('Hello 日');
    expect(Buffer.concat(ids.map((id) => tokenizer.pieces.pieceOf(id))).toString()).toBe(
      ' Hello 日',
    );
  });

  it('refuses a text that its tokens do not spell', async () => {
    const lossy = await sentencePiece({ normalizer: null });
    const ids = lossy.encode('H');
    expect(() => lossy.startsOf('e', ids)).toThrow('the tokenizer cannot take the text "e"');
  });
});

describe('of an encoder', async () => {
  const tokenizer = await LocalTokenizer.read(readFixture('encoder/tokenizer.json'), {});

  it('puts texts between its marks, cut to what fits', () => {
    expect(tokenizer.encodeWhole('The cats sat', 99)).toEqual([2, 4, 5, 11, 6, 3]);
    expect(tokenizer.encodeWhole('The cats sat', 4)).toEqual([2, 4, 5, 3]);
  });

  it('has no pieces', () => {
    expect(() => tokenizer.pieces).toThrow('changes texts');
  });
});
