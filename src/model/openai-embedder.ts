import type { ConfigPath } from '../errors.ts';
import { unreadableAnswer } from './answer-errors.ts';
import { type Connection, post } from './exchange.ts';
import { asObject, parseJson } from './json-value.ts';
import type { Embedder } from './loglikelihood.ts';
import { connect } from './openai-model.ts';
import { withRetries } from './with-retries.ts';

/** A model behind an OpenAI-compatible endpoint for embeddings. */
export interface OpenAiEmbedderSettings {
  /** With or without `/v1`, or the address of the endpoint itself. */
  readonly baseUrl: string;
  readonly model: string;
  /** Name of the environment variable that holds the API key. */
  readonly apiKeyEnv?: string | undefined;
  /** The most texts in a request; 64 by default. */
  readonly batchSize?: number | undefined;
  readonly source: ConfigPath;
}

const requestsAtOnce = 4;
const timeoutMs = 120_000;

/**
 * Vectors from an OpenAI-compatible endpoint, asked for in batches. A request that fails is sent
 * again while that may help.
 */
export function openAiEmbedder(
  settings: OpenAiEmbedderSettings,
): Embedder & { readonly identity: Readonly<Record<string, unknown>> } {
  const { model, batchSize = 64 } = settings;
  const connection = connectEmbeddings(settings);
  const embedBatch = async (input: readonly string[], signal: AbortSignal) => {
    const body = JSON.stringify({ model, input });
    const send = () => post(connection, { body, signal });
    const { text } = await withRetries(send, { key: body, signal });
    return readVectors(connection, text, input.length);
  };
  return {
    identity: { type: 'openai', url: connection.url, model },
    async embed(texts, { signal }) {
      const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
        texts.slice(index * batchSize, (index + 1) * batchSize),
      );
      const vectors: Float32Array[][] = [];
      const waiting = batches.entries();
      const work = async () => {
        for (const [place, batch] of waiting) vectors[place] = await embedBatch(batch, signal);
      };
      await Promise.all(Array.from({ length: requestsAtOnce }, work));
      return vectors.flat();
    },
  };
}

function connectEmbeddings(settings: OpenAiEmbedderSettings): Connection {
  const baseUrl = settings.baseUrl.replace(/\/embeddings\/?(?=\?|$)/, '');
  const connection = connect({
    ...settings,
    baseUrl,
    takes: 'text',
    connections: requestsAtOnce,
    timeoutMs,
  });
  const toEmbeddings = (address: string) => address.replace(/\/completions(?=\?|$)/, '/embeddings');
  return {
    ...connection,
    path: toEmbeddings(connection.path),
    url: toEmbeddings(connection.url),
  };
}

const expected = 'list of embeddings';

/** In the order of the texts, which servers need not keep. */
function readVectors(connection: Connection, body: string, count: number): Float32Array[] {
  const data = asObject(parseJson(body))?.data;
  const vectors: Float32Array[] = [];
  for (const [place, item] of (Array.isArray(data) ? data : []).entries()) {
    const { index = place, embedding } = asObject(item) ?? {};
    if (!Array.isArray(embedding)) throw unreadableAnswer(connection, body, expected);
    vectors[Number(index)] = Float32Array.from(embedding, Number);
  }
  const isComplete = vectors.length === count && Object.keys(vectors).length === count;
  if (!isComplete) throw unreadableAnswer(connection, body, expected);
  return vectors;
}
