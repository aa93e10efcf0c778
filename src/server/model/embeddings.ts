import { embedTexts, readPooling } from '../../model/local/embed-texts.ts';
import type { EmbeddingBody } from './bodies.ts';
import type { ServedModel } from './served-model.ts';

/** Answers a request for embeddings. */
export async function answerEmbeddings(
  { name, parts }: ServedModel,
  { input, encoding_format }: EmbeddingBody,
  signal: AbortSignal,
): Promise<Response> {
  const pooling = readPooling(parts.folder, { path: parts.folder.folder });
  const vectors = await embedTexts(parts, input, { pooling, signal });
  const { tokenizer, contextLength } = parts;
  const tokens = input.reduce(
    (sum, text) => sum + tokenizer.encodeWhole(text, contextLength).length,
    0,
  );
  return Response.json({
    object: 'list',
    model: name,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? base64(vector) : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function base64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
