import type { SampleVectors } from '../embed-texts.ts';
import { wrongLength } from '../embed-texts.ts';
import { type NormalizeOptions, normalizeVectors } from '../search/vector-table.ts';
import type { ImageEncoder } from './image-encoder.ts';

/** Turns the images of samples into vectors; equal files are encoded once, and none has none. */
export async function embedImages(
  images: readonly (string | undefined)[],
  {
    encoder,
    dims,
    ...normalizing
  }: NormalizeOptions & { readonly encoder: ImageEncoder; readonly dims: number },
): Promise<SampleVectors> {
  const files = [...new Set(images.filter((image) => image !== undefined))];
  const numbers = new Map(files.map((file, index) => [file, index]));
  const values = new Float32Array(files.length * dims);
  for (const [index, file] of files.entries()) {
    const vector = await encoder.embed(file);
    if (vector.length !== dims) throw wrongLength(vector.length, dims);
    values.set(vector, index * dims);
  }
  return {
    table: normalizeVectors(values, dims, normalizing),
    rows: Int32Array.from(images, (image) =>
      image === undefined ? -1 : (numbers.get(image) ?? -1),
    ),
  };
}
