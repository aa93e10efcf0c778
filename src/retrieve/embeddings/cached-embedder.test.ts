import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedEmbedder } from './cached-embedder.ts';
import { knownEmbedder, textEmbedder } from './text-embedder.fixture.ts';

const { signal } = new AbortController();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-vectors-'));
});
afterEach(() => rm(folder, { recursive: true }));

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
const files = async () => (await readdir(folder)).map((name) => join(folder, name));

const bytesOf = (vectors: readonly Float32Array[]) =>
  Buffer.concat(vectors.map((vector) => new Uint8Array(vector.buffer)));

/** Embeds with a cache that is opened anew, and says what was asked for. */
async function embed(wanted: readonly string[], inner = textEmbedder()) {
  const vectors = await cachedEmbedder(inner, folder).embed(wanted, { signal });
  return { vectors, asked: inner.asked };
}

describe('cachedEmbedder', () => {
  it('asks for a text once, and gives its vector wherever it is wanted', async () => {
    const plain = await textEmbedder().embed(['b', 'a', 'b'], { signal });
    const first = await embed(['b', 'a', 'b']);
    expect(first).toEqual({ vectors: plain, asked: ['b', 'a'] });
    const second = await embed(['c', 'b', 'a']);
    expect(second.asked).toEqual(['c']);
    expect(second.vectors.slice(1)).toEqual(plain.slice(0, 2));
    expect(await embed(['a', 'b', 'c'])).toMatchObject({ asked: [] });
  });

  it('keeps more than fits into one request or one read', async () => {
    const wanted = texts(2500);
    const inner = textEmbedder(512);
    const { vectors } = await embed(wanted, inner);
    expect(inner.asked).toEqual(wanted);
    const again = await embed(wanted.toReversed(), textEmbedder(512));
    expect(again.asked).toEqual([]);
    expect(bytesOf(again.vectors.toReversed()).equals(bytesOf(vectors))).toBe(true);
  });

  it('serves calls at the same time', async () => {
    const inner = textEmbedder();
    const cached = cachedEmbedder(inner, folder);
    const both = await Promise.all([
      cached.embed(['a', 'b'], { signal }),
      cached.embed(['b', 'c'], { signal }),
    ]);
    expect(inner.asked).toEqual(['a', 'b', 'c']);
    expect(both[0]?.[1]).toEqual(both[1]?.[0]);
  });

  it('lets several write to one folder, and reads what all of them wrote', async () => {
    const [one, other] = [textEmbedder(), textEmbedder()].map((inner) =>
      cachedEmbedder(inner, folder),
    );
    await Promise.all([one?.embed(texts(20), { signal }), other?.embed(texts(30), { signal })]);
    await Promise.all([one?.embed(['x'], { signal }), other?.embed(['y'], { signal })]);
    expect(await files()).toHaveLength(2);
    expect((await embed([...texts(30), 'x', 'y'])).asked).toEqual([]);
  });

  it('tells embedders apart', async () => {
    await embed(['a']);
    expect((await embed(['a'], textEmbedder(4))).asked).toEqual(['a']);
  });

  it('goes on after a request that failed', async () => {
    const inner = textEmbedder();
    let isBroken = true;
    const flaky = {
      ...inner,
      embed: async (...given: Parameters<typeof inner.embed>) => {
        if (isBroken) throw new Error('down');
        return inner.embed(...given);
      },
    };
    const cached = cachedEmbedder(flaky, folder);
    await expect(cached.embed(['a'], { signal })).rejects.toThrow('down');
    isBroken = false;
    expect(await cached.embed(['a'], { signal })).toHaveLength(1);
  });

  it.each([1, 3, 19, 35, 36, 37, 51])('drops a tail that is torn by %d bytes', async (bytes) => {
    const { vectors } = await embed(texts(3), textEmbedder(4));
    const [file = ''] = await files();
    const { length } = await readFile(file);
    await truncate(file, length - bytes);
    const again = await embed(texts(3), textEmbedder(4));
    expect(again.vectors).toEqual(vectors);
    expect(again.asked).toEqual(texts(3).slice(3 - Math.ceil(bytes / 36)));
  });

  it('drops what does not fit its checksum, and files that are something else', async () => {
    const { vectors } = await embed(texts(3), textEmbedder(4));
    const [file = ''] = await files();
    const bytes = await readFile(file);
    bytes[12 + 36 + 20] = (bytes[12 + 36 + 20] ?? 0) ^ 1;
    await writeFile(file, bytes);
    await appendFile(file.replace(/\.[^.]+\.vectors$/, '.other.vectors'), 'hello');
    const again = await embed(texts(3), textEmbedder(4));
    expect(again).toEqual({ vectors, asked: ['text 1', 'text 2'] });
  });

  it.each([
    ['another length than before', { a: [1, 2], b: [1, 2, 3] }],
    ['not finite', { a: [1, 2], b: [1, Number.NaN] }],
  ])('keeps no vectors that are %s', async (_, vectors) => {
    const open = () => cachedEmbedder(knownEmbedder(vectors), folder);
    await open().embed(['a'], { signal });
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(open().embed(['b'], { signal })).rejects.toMatchObject({
        code: 'retrieve.bad_embedding',
      });
    }
  });

  it('says that a folder cannot be written to', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const cached = cachedEmbedder(textEmbedder(), join(file, 'inside'));
    await expect(cached.embed(['a'], { signal })).rejects.toMatchObject({
      code: 'retrieve.cache_unusable',
    });
  });
});
