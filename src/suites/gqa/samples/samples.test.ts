import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NumpyGenerator } from '../../../python/random/numpy-generator.ts';
import { buildPrompt } from '../prompts/build-prompt.ts';
import { renderChunkText } from '../prompts/chunk-text.ts';
import { defaultSettings, type GqaSettings } from '../settings/settings.ts';
import { checkImageRoot, findImage } from './image-files.ts';
import { readSamples } from './read-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'typecase-gqa-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

async function ids(settings: Partial<GqaSettings>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { row, sample } of readSamples({ ...defaultSettings, ...settings })) {
    found.push(`${row}:${sample.id}`);
  }
  return found;
}

describe('samples', () => {
  const rows = Array.from({ length: 10 }, (_, id) => ({ id: String(id), question: 'Q' }));
  const data = write('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const conversations = [
    { from: 'human', value: 'Q <image>' },
    { from: 'gpt', value: 'A' },
  ];
  const llava = write('llava.json', [
    { id: 'no', conversations: [] },
    { id: 'yes', image: 'a.jpg', conversations },
    { id: 'late', conversations },
  ]);

  test.each<[string, Partial<GqaSettings>, string[]]>([
    ['in the order of the data', { data, max_samples: 3 }, ['0:0', '1:1', '2:2']],
    [
      'below zero is all',
      { data, max_samples: -1, shuffle_seed: -1 },
      rows.map(({ id }) => `${id}:${id}`),
    ],
    ["in NumPy's order", { data, max_samples: 4, shuffle_seed: 7 }, ['8:8', '0:0', '7:7', '1:1']],
    [
      "video in Python's order",
      { data, dataset: 'video', max_samples: 4, shuffle_seed: 7 },
      ['8:8', '3:3', '1:1', '4:4'],
    ],
    [
      'limited before those without answers are left out',
      { data: llava, dataset: 'llava', max_samples: 2 },
      ['1:yes'],
    ],
    [
      'synthetic, never shuffled',
      { dataset: 'synthetic', max_samples: 2, shuffle_seed: 7 },
      ['0:exact-1', '1:exact-2'],
    ],
  ])('%s', async (_, settings, expected) => {
    expect(await ids(settings)).toEqual(expected);
  });

  test('video needs a file', async () => {
    await expect(ids({ dataset: 'video' })).rejects.toThrow(
      expect.objectContaining({ code: 'gqa.no_data' }),
    );
  });
});

// numpy.random.default_rng(seed).permutation(n) of NumPy 2.4.6
test.each([
  [0, 0, []],
  [0, 8, [2, 4, 3, 6, 5, 0, 1, 7]],
  [12345678901, 8, [4, 3, 1, 6, 0, 7, 5, 2]],
  [2 ** 53 - 1, 8, [7, 2, 0, 3, 6, 1, 4, 5]],
])('seed %d, %d numbers', (seed, count, expected) => {
  expect(new NumpyGenerator(seed).permutation(count)).toEqual(expected);
});

test('a permutation that needs more than 16 bits', () => {
  const drawn = new NumpyGenerator(7).permutation(70_000);
  expect([...drawn.slice(0, 3), ...drawn.slice(-3)]).toEqual([
    15808, 48179, 11705, 63842, 27285, 16809,
  ]);
  expect(new Set(drawn).size).toBe(70_000);
});

describe('images', () => {
  const root = join(folder, 'images');
  for (const file of ['240/2407890.jpg', '869.jpg', 'clip/f1.png', 'f2.jpeg', 'coco.jpg']) {
    write(join('images', file), '');
  }
  write('own.png', '');

  test.each([
    [{ imageId: '2407890' }, 'images/240/2407890.jpg'],
    [{ imageId: 869 }, 'images/869.jpg'],
    [{ imageId: 'f1', metadata: { video_id: 'clip' } }, 'images/clip/f1.png'],
    [{ imageId: 'f2', metadata: { video_id: 'clip' } }, 'images/f2.jpeg'],
    [{ imageId: 'coco.jpg' }, 'images/coco.jpg'],
    [{ imageId: '869', imagePath: 'own.png' }, 'own.png'],
    [{ imageId: '869', metadata: { image_path: 'own.png' } }, 'own.png'],
    [{ imageId: '869', imagePath: 'gone.png' }, 'images/869.jpg'],
    [{ imageId: 'nothing' }, undefined],
    [{ imageId: '869.jpg/x' }, undefined],
    [{ imageId: 'a\0b', metadata: 'none' }, undefined],
    [{ imageId: '' }, undefined],
    [{}, undefined],
  ])('%j', (sample, expected) => {
    expect(findImage(sample, { root, folder })).toBe(expected && join(folder, expected));
  });

  test('without a root only what a sample names', () => {
    expect(findImage({ imageId: '869' }, { folder })).toBeUndefined();
  });

  test.each([
    ['imags', 'images'],
    ['far-away', 'val_balanced_images'],
  ])('the folder %s', (name, near) => {
    const path = ['defaults', 'image_root'];
    const check = () =>
      checkImageRoot(join(folder, name), { config: 'val_balanced_instructions', path });
    expect(check).toThrow(
      expect.objectContaining({
        code: 'gqa.no_image_root',
        path,
        hint: expect.stringContaining(near),
      }),
    );
  });
});

test('chunk text of numbers and blanks', () => {
  expect(renderChunkText({ question: 7, groups: { global: 1, local: null } }, 'group')).toBe(
    '1 None',
  );
  expect(renderChunkText({ question: ' q ', semantic: [{ operation: null }] }, 'semantic')).toBe(
    ':',
  );
  expect(renderChunkText({ question: ' q ', semanticStr: '(1) ' }, 'semantic')).toBe(' q ');
});

test.each([
  [{ id: 'x', groups: 'vehicles' }, 'group'],
  [{ id: 'x', semantic: ['select'] }, 'semantic'],
  [{ id: 'x', semantic: 3 }, 'combined'],
])('%j has no chunk text', (sample, chunkSource) => {
  const fill = () => '';
  expect(() => buildPrompt(sample, { fill, chunkSource })).toThrow(
    expect.objectContaining({ code: 'data.bad_value', message: expect.stringContaining('`x`') }),
  );
  expect(() => buildPrompt(sample, { fill, chunkSource, compat: '48bab23' })).toThrow(
    expect.objectContaining({ pythonType: expect.stringMatching(/^(Attribute|Type)Error$/) }),
  );
});
