import type { ModelConfig } from '../../config/config.ts';
import { localFolder } from '../../config/local-folder.ts';
import { endpointOf, type Pair } from '../../config/task-of-config.ts';
import { TypecaseError } from '../../errors.ts';
import { likelihoodRequest } from '../../model/likelihood/dialect.ts';
import type { GenerateRequest } from '../../model/model.ts';
import { type Encode, generationRequest, type RequestBody } from '../../model/request.ts';
import type { WeighedText } from '../../model/weigh.ts';
import type { Prompt, RowId } from '../../prompt/index.ts';
import { contentHash, requestKey } from '../../run/key.ts';
import { findLocalModel } from '../find-local-model.ts';
import { openModel } from '../run/open-model.ts';

/** What is sent to an address, or given to what is not reached by one. */
export type ViewRequest =
  | { readonly url: string; readonly body: RequestBody }
  | { readonly to: string; readonly body: RequestBody };

/** What a model is asked for, or why it is not. */
export interface RequestMaker {
  answering(prompt: Prompt, id: RowId): ViewRequest | string;
  weighing(texts: readonly WeighedText[]): ViewRequest | string;
  /** Left out when the model has no tokenizer of its own. */
  readonly encode?: Encode;
}

/** How requests to the model of a pair are made. Nothing is sent, and no key is needed. */
export async function openRequestMaker(
  pair: Pair,
  encode: Encode | undefined,
): Promise<RequestMaker> {
  const { model } = pair;
  if (!model) return unasked('no model is configured');
  const open = Object.hasOwn(openers, model.type ?? '') && openers[model.type ?? ''];
  if (!open) return endpointMaker(pair, model, encode);
  try {
    return await open(pair, model);
  } catch (error) {
    // The prompts can be shown all the same.
    if (!TypecaseError.isInstance(error)) throw error;
    return unasked(error.message);
  }
}

function unasked(reason: string): RequestMaker {
  return { answering: () => reason, weighing: () => reason };
}

function endpointMaker(pair: Pair, model: ModelConfig, encode: Encode | undefined): RequestMaker {
  const endpoint = endpointOf(pair);
  const missing = `the model has no \`${missingKey(model)}\``;
  return {
    answering: (prompt) => (endpoint ? generationRequest(endpoint, prompt, encode) : missing),
    weighing: (texts) => {
      if (model.type !== 'OpenAICompletions') {
        return 'a model of this type is not asked for log-probabilities over HTTP';
      }
      return endpoint ? likelihoodRequest(endpoint, texts) : missing;
    },
  };
}

function missingKey({ type, baseUrl }: ModelConfig): string {
  if (!type) return 'type';
  return baseUrl === undefined ? 'base_url' : 'model';
}

const noWeights = 'a model of this type tells no log-probabilities';

type OpenMaker = (pair: Pair, model: ModelConfig) => Promise<RequestMaker>;

const openers: Readonly<Record<string, OpenMaker>> = {
  Local: openLocal,
  AISDK: openAiSdk,
  Replay: openReplay,
};

/** The weights are not needed, and not fetched. */
async function openLocal(pair: Pair, model: ModelConfig): Promise<RequestMaker> {
  const path = localFolder(pair.config, model);
  if (/^hf:/.test(path)) return unasked('the model is fetched when it is first run');
  const { openLocalRequests } = await import('../../model/local/local-request.ts');
  const { maxOutLen, stop, generationKwargs } = model;
  const settings = { path: await findLocalModel(path), maxOutLen, stop, generationKwargs };
  const { encode, encodeTexts, tokensOf } = await openLocalRequests(settings);
  const to = `the local model ${model.path}`;
  return {
    answering: (prompt, id) => ({ to, body: JSON.parse(encode(requestOf(pair, prompt, id))) }),
    weighing: (texts) => ({ to, body: JSON.parse(encodeTexts({ texts })) }),
    encode: tokensOf,
  };
}

async function openAiSdk(pair: Pair, model: ModelConfig): Promise<RequestMaker> {
  const { encode } = await openUnasked(pair, model);
  const to = `${model.package} (${model.model})`;
  return {
    answering: (prompt, id) => ({ to, body: JSON.parse(encode(requestOf(pair, prompt, id))) }),
    weighing: () => noWeights,
  };
}

/** Recorded answers are looked for by the key, then by the prompt, then by the number of the row. */
async function openReplay(pair: Pair, model: ModelConfig): Promise<RequestMaker> {
  const { encode, identity } = await openUnasked(pair, model);
  const to = `the recorded answers ${model.path}`;
  const modelIdentity = contentHash(identity);
  return {
    answering: (prompt, id) => {
      const encoded = encode(requestOf(pair, prompt, id));
      return { to, body: { key: requestKey(encoded, modelIdentity), ...JSON.parse(encoded) } };
    },
    weighing: () => noWeights,
  };
}

/** The model as a run opens it, but without its key. */
export function openUnasked({ config, dataset }: Pair, model: ModelConfig) {
  const opened = { config, datasets: [dataset], mayAsk: false };
  const options = { source: config.file, json: false };
  return openModel(
    opened,
    { ...model, apiKeyEnv: undefined },
    { options, encode: undefined, maxConcurrency: 1 },
  );
}

function requestOf({ dataset, model }: Pair, prompt: Prompt, id: RowId): GenerateRequest {
  const { maxOutLen, stoppingCriteria } = dataset.inferCfg.inferencer;
  const stop = stoppingCriteria && [...(model?.stop ?? []), ...stoppingCriteria];
  return { prompt, maxOutLen, stop, id };
}
