import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../../../base/usage-error.ts';
import { preferredWeights } from '../../../../model/local/model-files.ts';
import { requireRuntime } from '../../../../model/local/require-runtime.ts';
import { decodeImage } from './decode-image.ts';
import { fitImage, type ImageFit } from './fit-image.ts';

/** Turns images into vectors. */
export interface ImageEncoder {
  readonly name: string;
  embed(file: string): Promise<Float32Array>;
  close(): Promise<void>;
}

const outputs = ['image_embeds', 'sentence_embedding', 'pooler_output', 'last_hidden_state'];

const side = z.union([
  z.int().transform((edge) => ({ width: edge, height: edge })),
  z.object({ width: z.int(), height: z.int() }),
]);
const settingsSchema = z.object({
  size: z.union([z.int(), z.object({ shortest_edge: z.int() }), side]).default(224),
  crop_size: side.optional(),
  do_center_crop: z.boolean().default(true),
  rescale_factor: z.number().default(1 / 255),
  image_mean: z.array(z.number()).length(3).default([0.48145466, 0.4578275, 0.40821073]),
  image_std: z.array(z.number()).length(3).default([0.26862954, 0.26130258, 0.27577711]),
});

type Settings = z.infer<typeof settingsSchema>;

/** Opens an image encoder in ONNX: its folder has weights and a `preprocessor_config.json`. */
export async function openImageEncoder(folder: string): Promise<ImageEncoder> {
  const weights = weightsIn(folder);
  const settings = readSettings(folder);
  const fit = fitOf(settings);
  requireRuntime();
  const { openSession } = await import('../../../../model/local/engine/runtime.ts');
  const { session, runtime } = await openSession(join(folder, weights));
  const output = outputs.find((name) => session.outputNames.includes(name));
  if (output === undefined || session.inputNames.join() !== 'pixel_values') {
    throw unusable(
      folder,
      `its graph takes ${session.inputNames.join(', ')} and gives ${session.outputNames.join(', ')}`,
    );
  }
  const embed = async (file: string): Promise<Float32Array> => {
    const image = fitImage(await decodeImage(file), fit);
    const numbers = planesOf(image.values, settings);
    const tensor = new runtime.Tensor('float32', numbers, [1, 3, image.height, image.width]);
    const { [output]: vectors } = await session.run({ pixel_values: tensor }, [output]);
    const values = vectors?.data;
    if (!(values instanceof Float32Array)) {
      throw unusable(folder, 'its vectors are not single precision');
    }
    // of states for each patch the first one stands for the whole image
    return values.slice(0, vectors?.dims.at(-1));
  };
  return { name: folder, embed, close: () => session.release() };
}

function weightsIn(folder: string): string {
  const names = ['', 'onnx'].flatMap((inner) => {
    try {
      return readdirSync(join(folder, inner)).map((name) => (inner ? `${inner}/${name}` : name));
    } catch {
      return [];
    }
  });
  const vision = names.find((name) => /(^|\/)vision_model\.onnx$/.test(name));
  const weights = vision ?? preferredWeights(names);
  if (weights !== undefined) return weights;
  throw unusable(folder, 'it has no .onnx file');
}

function readSettings(folder: string): Settings {
  let text = '{}';
  try {
    text = readFileSync(join(folder, 'preprocessor_config.json'), 'utf8');
  } catch {
    throw unusable(folder, 'it has no preprocessor_config.json');
  }
  const read = settingsSchema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw unusable(folder, `preprocessor_config.json: ${issue?.path.join('.')}: ${issue?.message}`);
}

function fitOf({ size, crop_size, do_center_crop }: Settings): ImageFit {
  const resize = typeof size === 'object' && 'shortest_edge' in size ? size.shortest_edge : size;
  return { resize, crop: do_center_crop ? crop_size : undefined };
}

/** Numbers as encoders take them: one colour after the other, of mean 0. */
function planesOf(
  values: Uint8ClampedArray,
  { rescale_factor, image_mean, image_std }: Settings,
): Float32Array {
  const count = values.length / 3;
  const planes = new Float32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const color = index % 3;
    const value = (values[index] as number) * rescale_factor - (image_mean[color] as number);
    planes[color * count + Math.floor(index / 3)] = value / (image_std[color] as number);
  }
  return planes;
}

function unusable(folder: string, problem: string): UsageError {
  return new UsageError(
    'gqa.unknown_encoder',
    `The image encoder ${folder} cannot be used: ${problem}`,
    {
      hint: 'Give the folder of an ONNX vision model that takes `pixel_values`, with its `preprocessor_config.json`.',
    },
  );
}
