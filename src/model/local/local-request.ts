import type { GenerateRequest } from '../model.ts';
import type { WeighRequest } from '../weigh.ts';
import { readModelFolder } from './model-folder.ts';
import { type LocalSettings, readTokenizer } from './open-local.ts';
import { PromptTokens } from './prompt-tokens.ts';

/** How a model on this machine is asked. */
export interface LocalAsking {
  /** The most tokens of an answer; 512 by default. */
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** `temperature`, `top_p`, `top_k` and `seed`. */
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
}

const usualMaxOutLen = 512;

/** What a request wants of the model, whether it says so itself or not. */
export function withDefaults(asking: LocalAsking, request: GenerateRequest) {
  const { maxOutLen, stop, settings, seed } = request;
  return {
    maxTokens: maxOutLen ?? asking.maxOutLen ?? usualMaxOutLen,
    stop: stop ?? asking.stop,
    settings: { ...asking.generationKwargs, ...settings, ...(seed !== undefined && { seed }) },
  };
}

/** What stands for requests to a local model: all that settles its answers. */
export interface LocalRequests {
  encode(request: GenerateRequest): string;
  encodeTexts(request: WeighRequest): string;
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

/** The requests to a model whose weights are not loaded, and how it counts tokens. */
export async function openLocalRequests(settings: LocalSettings & LocalAsking) {
  const folder = await readModelFolder(settings);
  const tokenizer = await readTokenizer(folder, settings);
  const requests = localRequests(new PromptTokens({ folder, tokenizer }), settings);
  return { ...requests, tokensOf: (text: string) => tokenizer.encode(text) };
}
