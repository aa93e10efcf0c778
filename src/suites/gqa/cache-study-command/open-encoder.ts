import { statSync } from 'node:fs';
import { nearestName } from '../../../base/nearest-name.ts';
import { UsageError } from '../../../base/usage-error.ts';
import type { EmbeddingModel } from '../../../model/embedding-model.ts';
import { type Model, requireAbilities } from '../../../model/model.ts';
import { hashingEncoder } from '../cache-study/hashing-encoder.ts';
import type { GqaCompat } from '../compat.ts';
import type { StudyOptions } from './study-options.ts';

/** Turns texts into vectors. */
export interface Encoder {
  /** What the log of summaries calls it. */
  readonly name: string;
  /** Whether it tells images apart by their names alone. */
  readonly isHashing: boolean;
  /** For vectors of this length; one that has its own pays no heed to it. */
  embedder(dims: number): EmbeddingModel;
  close?(): Promise<void>;
}

const hashing = 'hashing';

/** The encoder that the command line names. */
export async function openEncoder(options: StudyOptions, compat?: GqaCompat): Promise<Encoder> {
  const { encoder = originalEncoder(options), encoderModel, apiKeyEnv } = options;
  if (encoder === hashing) {
    return { name: hashing, isHashing: true, embedder: (dims) => hashingEncoder(dims, compat) };
  }
  if (/^https?:\/\//i.test(encoder)) {
    if (encoderModel === undefined) {
      throw new UsageError('gqa.encoder_model_missing', 'The endpoint needs a model name', {
        hint: 'Add `--encoder-model NAME`.',
      });
    }
    const { openAiEmbedder } = await import('../../../model/openai-embedder.ts');
    const settings = { baseUrl: encoder, model: encoderModel, apiKeyEnv, source: ['--encoder'] };
    const embedder = openAiEmbedder(settings);
    return { name: encoderModel, isHashing: false, embedder: () => embedder };
  }
  return openFolder(encoder);
}

/** The encoder that the original's option names, where it is one that can be used. */
function originalEncoder({ indexEncoder = hashing }: StudyOptions): string {
  const isUsable = /^https?:\/\//i.test(indexEncoder) || isFolder(indexEncoder);
  return isUsable ? indexEncoder : hashing;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function openFolder(path: string): Promise<Encoder> {
  if (!isFolder(path)) {
    const near = nearestName(path, [hashing]);
    throw new UsageError('gqa.unknown_encoder', `Unknown encoder \`${path}\``, {
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Write \`${hashing}\`, the address of an endpoint, or the folder of a model.`,
    });
  }
  const { localModel } = await import('../../../model/local/local-model.ts');
  const model = await localModel({ path });
  requireAbilities(model, ['embed'], 'a cache study');
  const { embedder, name } = model as Model & { readonly embedder: EmbeddingModel };
  return { name, isHashing: false, embedder: () => embedder, close: () => model.close() };
}
