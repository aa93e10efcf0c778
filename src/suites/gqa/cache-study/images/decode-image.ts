import { readFile } from 'node:fs/promises';
import { DataError } from '../../../../errors.ts';
import { decodePng } from './decode-png.ts';
import type { Pixels } from './pixels.ts';

/** Reads an image file: a PNG or a JPEG, whatever its name says. */
export async function decodeImage(file: string): Promise<Pixels> {
  try {
    const content = await readFile(file);
    if (content.toString('latin1', 1, 4) === 'PNG') return decodePng(content);
    if (content.readUInt16BE(0) === 0xffd8) return await decodeJpeg(content);
    throw new Error('it is neither a PNG nor a JPEG');
  } catch (cause) {
    throw new DataError(
      'gqa.bad_image',
      `The image ${file} cannot be read: ${(cause as Error).message}`,
      { cause, hint: 'Convert it to JPEG or to PNG without interlace.' },
    );
  }
}

async function decodeJpeg(content: Buffer): Promise<Pixels> {
  const { default: jpeg } = await import('jpeg-js');
  const { width, height, data } = jpeg.decode(content, {
    useTArray: true,
    formatAsRGBA: false,
    maxMemoryUsageInMB: 1024,
  });
  return { width, height, values: new Uint8ClampedArray(data) };
}
