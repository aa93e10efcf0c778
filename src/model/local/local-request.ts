import type { LoglikelihoodRequest } from '../loglikelihood.ts';
import type { GenerateRequest, Model, ModelTarget } from '../model.ts';
import type { ModelFolder } from './model-folder.ts';
import type { PromptTokens } from './prompt-tokens.ts';

/** How a model on this machine is asked. */
export interface LocalAsking {
  /** Maximum tokens per answer; 512 by default. */
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** `temperature`, `top_p`, `top_k`, `seed` and `stop_token_ids`. */
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
}

const defaultMaxOutLen = 512;

/** What a request wants of the model, whether it says so itself or not. */
export function withDefaults(asking: LocalAsking, request: GenerateRequest) {
  const { maxOutLen, stop, settings, seed } = request;
  return {
    maxTokens: maxOutLen ?? asking.maxOutLen ?? defaultMaxOutLen,
    stop: stop ?? asking.stop,
    settings: { ...asking.generationKwargs, ...settings, ...(seed !== undefined && { seed }) },
  };
}

/** What stands for requests to a local model: all that settles its answers. */
export interface LocalRequests {
  encode(request: GenerateRequest): string;
  encodeTexts(request: LoglikelihoodRequest): string;
}

export function localRequests(prompts: PromptTokens, asking: LocalAsking): LocalRequests {
  return {
    encode: (request) => {
      const { prompt } = request;
      return JSON.stringify({
        prompt: (prompt.type === 'text' && prompt.pieces) || prompts.textOf(prompt),
        ...withDefaults(asking, request),
      });
    },
    encodeTexts: ({ texts }) => JSON.stringify({ texts }),
  };
}

/** What tells the answers of a local model from those of another. */
export function localIdentity(
  sha256: string,
  { maxOutLen, stop, generationKwargs }: LocalAsking,
): Model['identity'] {
  return {
    type: 'local',
    sha256,
    ...(maxOutLen !== undefined && { maxOutLen }),
    ...(stop && { stop }),
    ...(generationKwargs && { generationKwargs }),
  };
}

export function localTarget({ name }: Pick<ModelFolder, 'name'>): ModelTarget {
  return { to: `the local model ${name}` };
}
