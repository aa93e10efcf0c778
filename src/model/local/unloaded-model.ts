import { ModelError } from '../../errors.ts';
import type { Model } from '../model.ts';
import type { LocalModelSettings } from './local-model.ts';
import { localIdentity, localRequests, localTarget } from './local-request.ts';
import { hashModel, readModelFolder } from './model-folder.ts';
import { readTokenizer } from './open-local.ts';
import { PromptTokens } from './prompt-tokens.ts';

export interface UnloadedSettings extends LocalModelSettings {
  /** Whether requests must have the identity that they have in a run: the weights are then read. */
  readonly identify: boolean;
}

/** A model on this machine that is not to be asked: its weights are not loaded. */
export async function unloadedModel(settings: UnloadedSettings): Promise<Model> {
  const folder = await readModelFolder(settings);
  const tokenizer = await readTokenizer(folder, settings);
  const { encode, encodeTexts } = localRequests(new PromptTokens({ folder, tokenizer }), settings);
  const refuse = async (): Promise<never> => {
    throw new ModelError('model.unasked', `the weights of \`${folder.name}\` are not loaded`, {
      retryable: false,
    });
  };
  return {
    name: settings.name ?? folder.name,
    abilities: new Set(['generate', 'stream', 'loglikelihood', 'next-token', 'tokenize']),
    identity: localIdentity(settings.identify ? await hashModel(folder) : '', settings),
    target: localTarget(folder),
    encode,
    generate: refuse,
    loglikelihoodModel: { encode: encodeTexts, measure: refuse },
    countTokens: (text) => tokenizer.encode(text).length,
    tokenize: (text) => tokenizer.encode(text),
    close: async () => undefined,
  };
}
