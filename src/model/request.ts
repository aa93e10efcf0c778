import { ConfigError, type ConfigPath } from '../errors.ts';
import type { Prompt } from '../prompt/index.ts';

/** A model behind an OpenAI-compatible endpoint. */
export interface EndpointSettings {
  readonly takes: 'text' | 'messages';
  readonly baseUrl: string;
  readonly model: string;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  readonly source: ConfigPath;
}

export interface ModelRequest {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Turns text into token ids, without special tokens of its own. */
export type Encode = (text: string) => readonly number[];

/** The request that asks a model to answer a prompt: exactly what goes over the wire. */
export function generationRequest(
  endpoint: EndpointSettings,
  prompt: Prompt,
  encode?: Encode,
): ModelRequest {
  const { model, maxOutLen, stop, generationKwargs } = endpoint;
  return {
    url: endpointUrl(endpoint),
    body: {
      model,
      ...promptBody(endpoint, prompt, encode),
      ...(maxOutLen !== undefined && { max_tokens: maxOutLen }),
      ...(stop && stop.length > 0 && { stop }),
      ...generationKwargs,
    },
  };
}

function endpointUrl({ baseUrl, takes }: EndpointSettings): string {
  const base = baseUrl.replace(/\/+$/, '');
  const versioned = /\/v\d+$/.test(base) ? base : `${base}/v1`;
  return `${versioned}/${takes === 'messages' ? 'chat/completions' : 'completions'}`;
}

function promptBody(endpoint: EndpointSettings, prompt: Prompt, encode: Encode | undefined) {
  if (prompt.type === 'messages') return { messages: prompt.messages };
  if (endpoint.takes === 'messages') return { messages: [{ role: 'user', content: prompt.text }] };
  if (!prompt.pieces) return { prompt: prompt.text };
  if (!encode) {
    throw new ConfigError(
      'model.tokenizer_needed',
      'the meta template contains token ids, so the prompt has to be sent as token ids',
      { path: endpoint.source, hint: 'Give the model a `tokenizer: path/to/tokenizer.json`.' },
    );
  }
  return {
    prompt: prompt.pieces.flatMap((piece) => (typeof piece === 'string' ? encode(piece) : piece)),
  };
}
