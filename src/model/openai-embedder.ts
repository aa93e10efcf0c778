import { Slots } from '../base/slots.ts';
import { reportedIn } from './answer.ts';
import { reportedError, unreadableAnswer } from './answer-errors.ts';
import { type Connection, type ConnectionSettings, connect } from './connection.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { post } from './exchange.ts';
import { asObject, parseJson } from './json-value.ts';
import { withRetries } from './with-retries.ts';

/** A model behind an OpenAI-compatible endpoint for embeddings. */
export interface OpenAiEmbedderSettings
  extends Pick<ConnectionSettings, 'baseUrl' | 'apiKeyEnv' | 'source'> {
  readonly model: string;
  /** The most texts in a request; 64 by default. */
  readonly batchSize?: number | undefined;
}

const requestsAtOnce = 4;
const timeoutMs = 120_000;

/**
 * Embeddings from an OpenAI-compatible endpoint, requested in batches. A request that fails is sent
 * again while that may help.
 */
export function openAiEmbedder(
  settings: OpenAiEmbedderSettings,
): EmbeddingModel & { readonly identity: Readonly<Record<string, unknown>> } {
  const { model, batchSize = 64 } = settings;
  const connection = connect({ ...settings, connections: requestsAtOnce, timeoutMs }, 'embeddings');
  const slots = new Slots(requestsAtOnce);
  const embedBatch = async (input: readonly string[], signal: AbortSignal) => {
    const body = JSON.stringify({ model, input });
    const send = async () => {
      const { text } = await post(connection, { body, signal });
      return readVectors(connection, text, input.length);
    };
    return withRetries(send, { key: body, signal });
  };
  return {
    identity: { type: 'openai', url: connection.url, model },
    async embed(texts, { signal }) {
      const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
        texts.slice(index * batchSize, (index + 1) * batchSize),
      );
      const vectors = await slots.map(batches, (batch) => embedBatch(batch, signal));
      return vectors.flat();
    },
  };
}

const expected = 'list of embeddings';

/** In the order of the texts, which servers need not keep. */
function readVectors(connection: Connection, body: string, count: number): Float32Array[] {
  const response = asObject(parseJson(body));
  const error = reportedIn(response);
  if (error) throw reportedError(connection, error);
  const data = response?.data;
  const vectors: Float32Array[] = [];
  for (const [position, item] of (Array.isArray(data) ? data : []).entries()) {
    const { index = position, embedding } = asObject(item) ?? {};
    const isVector =
      Array.isArray(embedding) && embedding.length > 0 && embedding.every(Number.isFinite);
    if (!isVector) throw unreadableAnswer(connection, body, expected);
    vectors[Number(index)] = Float32Array.from(embedding, Number);
  }
  const isComplete = vectors.length === count && Object.keys(vectors).length === count;
  const isEven = vectors.every(({ length }) => length === vectors[0]?.length);
  if (!isComplete || !isEven) throw unreadableAnswer(connection, body, expected);
  return vectors;
}
