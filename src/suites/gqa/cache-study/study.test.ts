import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sameAnswer } from '../scoring/answers.ts';
import { embedTexts } from './embed-texts.ts';
import { hashingEncoder } from './hashing-encoder.ts';
import { csvLine } from './logs.ts';
import { readVectors } from './read-vectors.ts';
import { samplePrefixes } from './sample-prefixes.ts';
import { countHits } from './tally.ts';

const { signal } = new AbortController();

describe('encoding', () => {
  test('equal texts share a vector, and words decide how near texts are', async () => {
    const texts = ['red car', 'Car, red!', 'red car', 'blue bus', '日本', '日本', ''];
    const { table, rows } = await embedTexts(texts, { embedder: hashingEncoder(64), signal });
    expect([...rows]).toEqual([0, 1, 0, 2, 3, 3, 4]);
    expect(table.count).toBe(5);
    const vector = (row: number) => [...table.values.subarray(row * 64, (row + 1) * 64)];
    expect(vector(0)).toEqual(vector(1));
    expect(vector(3).some((value) => value > 0)).toBe(true);
    expect(vector(4).every((value) => value === 0)).toBe(true);
  });

  test('no two ids of images are near each other', async () => {
    const ids = Array.from({ length: 300 }, (_, id) => `n${2_300_000 + id * 7}`);
    const { table } = await embedTexts(ids, { embedder: hashingEncoder(64), signal });
    const vectors = ids.map((_, row) => table.values.subarray(row * 64, (row + 1) * 64));
    const near = vectors.flatMap((left, row) =>
      vectors
        .slice(row + 1)
        .map((right) => left.reduce((sum, v, at) => sum + v * (right[at] ?? 0), 0)),
    );
    expect(Math.max(...near)).toBeLessThan(0.9);
  });

  test('in compat mode only words of ASCII count', async () => {
    const [vector] = await hashingEncoder(8, '48bab23').embed(['日本'], { signal });
    expect(vector).toEqual(new Float32Array(8));
  });

  test.each([
    [[Float32Array.of(1, 2)], 'gqa.bad_vectors'],
    [[Float32Array.of(1, 2, Number.NaN)], 'retrieve.bad_embedding'],
    [[], 'gqa.bad_vectors'],
  ])('vectors such as %j are refused', async (vectors, code) => {
    const embedder = { embed: async () => vectors };
    await expect(embedTexts(['a'], { embedder, dims: 3, signal })).rejects.toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('files of vectors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-vectors-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const numbers = [3, 4, 0, 0, 5, 12];

  /** What numpy.save writes. */
  function npy(header: string, content: ArrayBufferLike, version = 1): Buffer {
    const text = `${header.padEnd(127 - 10)}\n`;
    const start = Buffer.from(`\x93NUMPY${String.fromCharCode(version)}\0`, 'latin1');
    const length = Buffer.alloc(version === 1 ? 2 : 4);
    length.writeUIntLE(text.length, 0, length.length);
    return Buffer.concat([start, length, Buffer.from(text), Buffer.from(content)]);
  }

  const shape = (type: string, more = '') =>
    `{'descr': '${type}', 'fortran_order': False, 'shape': (3, 2)${more}, }`;
  const floats = Float32Array.from(numbers).buffer;
  const doubles = Float64Array.from(numbers).buffer;

  test.each([
    ['float32', npy(shape('<f4'), floats), undefined],
    ['float64', npy(shape('<f8'), doubles), 2],
    ['version 2', npy(shape('<f4'), floats, 2), 2],
    ['no header', Buffer.from(floats), 2],
  ])('%s', async (name, content, dims) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    const {
      table: { values, ...table },
    } = await readVectors(file, { dims });
    expect(table).toEqual({ dims: 2, count: 3, precision: 'rounded' });
    expect([...values].map((value) => Number(value.toFixed(6)))).toEqual([
      0.6, 0.8, 0, 0, 0.384615, 0.923077,
    ]);
  });

  test.each([
    ['another length', npy(shape('<f4'), floats), 3, 'NAME:2'],
    ['whole numbers', npy(shape('<i8'), doubles), 2, '<i8'],
    ['too short', npy(shape('<f8'), floats), 2, 'cut off'],
    ['columns first', npy(shape('<f4').replace('False', 'True'), floats), 2, 'rows'],
    ['one dimension', npy(shape('<f4').replace('(3, 2)', '(6,)'), floats), 2, 'rows'],
    ['half a vector', Buffer.from(floats).subarray(4), 2, '20 bytes'],
    ['no length', Buffer.from(floats), undefined, '.npy'],
    ['not finite', Buffer.from(Float32Array.of(1, 2, 3, Infinity).buffer), 2, 'row 1'],
  ])('%s', async (name, content, dims, text) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    const error = await readVectors(file, { dims }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'gqa.bad_vectors' });
    const { message, hint } = error as Error & { hint: string };
    expect(`${message} ${hint}`).toContain(text);
  });

  test('a row of NaN is no vector, half a row is an error', async () => {
    const file = join(folder, 'gaps');
    const write = (...values: number[]) => writeFileSync(file, Float32Array.from(values));
    write(3, 4, NaN, NaN, 0, 1);
    expect(await readVectors(file, { dims: 2 })).toMatchObject({
      absent: new Set([1]),
      table: { count: 3 },
    });
    write(3, 4, NaN, 1);
    await expect(readVectors(file, { dims: 2 })).rejects.toThrow('row 1 has a number');
  });

  test('no file', async () => {
    await expect(readVectors(join(folder, 'gone'), { dims: 2 })).rejects.toThrow(
      expect.objectContaining({ code: 'gqa.bad_vectors' }),
    );
  });
});

test('images and prompts in a prefix cache', () => {
  const tokenize = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  const samples = {
    prompts: ['What colour?', 'What size?', 'What colour?', 'What size?'],
    imageIds: ['cat', 'dog', 'dog', 'cat'],
  };
  const settings = { block: 1, imageTokens: 10, tokenize };
  const { savings, partOrders, orders, media } = samplePrefixes(samples, settings);
  // the cat's and the dog's image with "What " after it
  expect(savings).toEqual({ requests: 4, tokens: 40 + 12 * 2 + 10 * 2, saved: 30, tooLong: 0 });
  expect([media, orders.map(({ order }) => order)]).toEqual([
    4,
    ['read', 'sorted', 'random', 'grouped'],
  ]);
  expect(partOrders?.written).toMatchObject({ names: ['image', 'text'], saved: 30 });
  expect(partOrders?.others).toMatchObject([{ names: ['text', 'image'], saved: 5 + 12 + 10 }]);
  expect(samplePrefixes({ prompts: ['a'], imageIds: [''] }, settings)).toMatchObject({
    media: 0,
    savings: { tokens: 1 },
  });
});

test.each([
  ['red', 'Red.', true],
  ['dark  red', 'dark-red', true],
  ['はい', 'はい。', true],
  ['はい', 'いいえ', false],
  ['no', 'not', false],
  ['?', '?', true],
  ['?', '!', false],
])('%j and %j', (left, right, expected) => {
  expect(sameAnswer(left, right)).toBe(expected);
});

test('hits whose answers are not both known are not judged', () => {
  const hit = (sample: number, from: number) => ({
    sample,
    from,
    source: 'text',
    score: 1,
    rejected: null,
  });
  const miss = { sample: 0, from: null, source: null, score: null, rejected: null };
  const answers = ['red', 'Red', 'blue', ''];
  expect(countHits([miss, hit(1, 0), hit(2, 0), hit(3, 0)], answers)).toEqual({
    samples: 4,
    hits: 3,
    judged: 2,
    wrong: 1,
    bySource: { text: { hits: 3, judged: 2, wrong: 1 } },
  });
});

test('lines of CSV are those of Python', () => {
  expect(csvLine(['a', 'b,c', 'say "x"', 'two\nlines', ''])).toBe(
    'a,"b,c","say ""x""","two\nlines",\r\n',
  );
});
