import { embedTexts, readPooling } from '../../model/local/embed-texts.ts';
import type { EmbeddingBody } from './bodies.ts';
import { checkAnswers, checkTokens } from './request-limits.ts';
import type { Asker, ServedModel } from './served-model.ts';

/** Answers a request for embeddings. */
export async function answerEmbeddings(
  { name, parts, limits, queue }: ServedModel,
  { input, encoding_format }: EmbeddingBody,
  asker: Asker,
): Promise<Response> {
  checkAnswers(input.length, limits, 'input');
  const pooling = readPooling(parts.folder, { path: parts.folder.folder });
  const { tokenizer, contextLength } = parts;
  const tokens = input.reduce(
    (sum, text) => sum + tokenizer.encodeWhole(text, contextLength).length,
    0,
  );
  checkTokens({ answers: input.length, promptTokens: tokens, answerTokens: 0 }, limits);
  const { signal } = asker;
  const vectors = await queue.use(asker, () => embedTexts(parts, input, { pooling, signal }));
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
