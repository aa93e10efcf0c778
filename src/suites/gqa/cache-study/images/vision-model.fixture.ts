import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Numbers of the vectors that the model gives. */
export const visionDims = 512;

/**
 * Writes an image encoder that looks at the mean colours of the four quarters of an image: an ONNX
 * graph, put together byte by byte, and the settings that belong to it.
 */
export async function writeVisionModel(folder: string): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx/vision_model.onnx'), visionGraph());
  const settings = {
    size: { shortest_edge: 8 },
    crop_size: { width: 8, height: 8 },
    do_center_crop: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  };
  await writeFile(join(folder, 'preprocessor_config.json'), JSON.stringify(settings));
}

function visionGraph(): Buffer {
  const nodes = [
    node('AveragePool', {
      from: 'pixel_values',
      to: 'quarters',
      ints: { kernel_shape: [4, 4], strides: [4, 4] },
    }),
    node('Flatten', { from: 'quarters', to: 'colors' }),
    node('Pad', { from: 'colors', to: 'image_embeds', ints: { pads: [0, 0, 0, visionDims - 12] } }),
  ];
  const graph = [
    ...nodes.map((one) => field(1, one)),
    field(2, 'vision'),
    field(11, valueInfo('pixel_values', [1, 3, 8, 8])),
    field(12, valueInfo('image_embeds', [1, visionDims])),
  ];
  const version = Buffer.concat([field(1, ''), field(2, 9)]);
  return Buffer.concat([field(1, 4), field(7, Buffer.concat(graph)), field(8, version)]);
}

interface Edges {
  readonly from: string;
  readonly to: string;
  readonly ints?: Readonly<Record<string, readonly number[]>>;
}

function node(type: string, { from, to, ints = {} }: Edges): Buffer {
  const attributes = Object.entries(ints).map(([name, values]) =>
    field(
      5,
      Buffer.concat([field(1, name), ...values.map((value) => field(8, value)), field(20, 7)]),
    ),
  );
  return Buffer.concat([field(1, from), field(2, to), field(4, type), ...attributes]);
}

/** A tensor of single precision with its shape. */
function valueInfo(name: string, shape: readonly number[]): Buffer {
  const sizes = Buffer.concat(shape.map((size) => field(1, field(1, size))));
  const tensor = Buffer.concat([field(1, 1), field(2, sizes)]);
  return Buffer.concat([field(1, name), field(2, field(1, tensor))]);
}

/** A field of a protocol buffer: a whole number, or bytes with their length. */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0));
    if (rest <= 127) return Buffer.from(bytes);
  }
}
