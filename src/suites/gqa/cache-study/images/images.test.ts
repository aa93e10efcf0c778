import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeImage } from './decode-image.ts';
import { fitImage, scaleImage } from './fit-image.ts';
import { openImageEncoder } from './image-encoder.ts';
import fixture from './images.fixture.json' with { type: 'json' };
import { visionDims, writeVisionModel } from './vision-model.fixture.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-images-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function decode(file: string) {
  const path = join(await makeFolder(), 'image');
  await writeFile(path, Buffer.from(file, 'base64'));
  return decodeImage(path);
}

function largestGap(left: ArrayLike<number>, right: readonly number[]): number {
  expect(left.length).toBe(right.length);
  return Math.max(...right.map((value, index) => Math.abs(value - (left[index] ?? Number.NaN))));
}

test.each(fixture.images)(
  '$name is read as Pillow reads it',
  async ({ name, file, ...expected }) => {
    const { values, ...size } = await decode(file);
    expect(size).toEqual({ width: expected.width, height: expected.height });
    // decoders of JPEG may round in other ways
    expect(largestGap(values, expected.values)).toBeLessThanOrEqual(
      name.startsWith('jpeg') ? 6 : 0,
    );
  },
);

test.each(fixture.scaled)(
  'scaled to $width × $height as by Pillow',
  async ({ values, ...target }) => {
    const image = await decode(fixture.images[0]?.file ?? '');
    expect(largestGap(scaleImage(image, target).values, values)).toBeLessThanOrEqual(1);
  },
);

test('the middle is cut out of what was scaled by its shorter side', async () => {
  const image = await decode(fixture.images[0]?.file ?? '');
  const fitted = fitImage(image, { resize: 10, crop: { width: 10, height: 10 } });
  const whole = fitImage(image, { resize: 10 });
  expect([whole.width, whole.height]).toEqual([14, 10]);
  expect([fitted.width, fitted.height]).toEqual([10, 10]);
  expect(fitted.values.slice(0, 3)).toEqual(whole.values.slice(6, 9));
});

test('an encoder turns an image into a vector', async () => {
  const folder = await makeFolder();
  await writeVisionModel(folder);
  const path = join(folder, 'image.png');
  await writeFile(path, Buffer.from(fixture.images[0]?.file ?? '', 'base64'));
  const encoder = await openImageEncoder(folder);
  const vector = await encoder.embed(path);
  await encoder.close();
  expect(vector).toHaveLength(visionDims);
  const [red = 0] = vector;
  expect(red).toBeGreaterThan(-1);
  expect(red).toBeLessThan(1);
  expect(vector[12]).toBe(0);
});

test.each([
  ['nothing', async () => undefined, '.onnx'],
  [
    'no settings',
    async (folder: string) => writeFile(join(folder, 'model.onnx'), ''),
    'preprocessor_config.json',
  ],
])('a folder with %s is refused', async (_, fill, text) => {
  const folder = await makeFolder();
  await fill(folder);
  await expect(openImageEncoder(folder)).rejects.toThrow(text);
});

test('what is no image is named', async () => {
  await expect(decode(Buffer.from('GIF89a').toString('base64'))).rejects.toMatchObject({
    code: 'gqa.bad_image',
    message: expect.stringContaining('neither a PNG nor a JPEG'),
  });
});
