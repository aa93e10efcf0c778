import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import type { Encode } from '../model/request.ts';
import { textOnly } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Row } from '../prompt/values.ts';
import { abilityFor } from './inference-of.ts';
import type { ContextLimit } from './prompt-setup.ts';

type Inferencer = DatasetConfig['inferCfg']['inferencer'];

/** What ends an answer: what ends all answers of the model, and of the task. */
export function stopOf(
  model: ModelConfig | undefined,
  { stoppingCriteria }: Inferencer,
): readonly string[] | undefined {
  return stoppingCriteria && [...new Set([...(model?.stop ?? []), ...stoppingCriteria])];
}

/** Bytes of text that a token is taken to have where there is no tokenizer: as a rule, and at least. */
export const bytesPerToken = 4;
const fewestBytesPerToken = 3;

/** Tokens of a prompt, without those that the server adds around messages. */
export function countTokens(
  prompt: Prompt,
  countText: (text: string) => number = (text) => Buffer.byteLength(text) / bytesPerToken,
): number {
  const pieces =
    prompt.type === 'text'
      ? (prompt.pieces ?? [prompt.text])
      : prompt.messages.map(({ content }) => textOnly(content));
  return pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'string' ? countText(piece) : piece.length),
    0,
  );
}

/** How much of a prompt the model takes; what is not known is taken to be long. */
export function contextOf(
  model: ModelConfig | undefined,
  { encode, inferencer }: { readonly encode: Encode | undefined; readonly inferencer: Inferencer },
): ContextLimit | undefined {
  if (model?.maxSeqLen === undefined) return undefined;
  const countText = (text: string) =>
    encode?.(text).length ?? Math.ceil(Buffer.byteLength(text) / fewestBytesPerToken);
  const isAnswered = abilityFor(inferencer.type) === 'generate';
  const maxOutLen = isAnswered ? (inferencer.maxOutLen ?? model.maxOutLen ?? 0) : 0;
  return {
    maxTokens: model.maxSeqLen - maxOutLen,
    countTokens: (prompt) => countTokens(prompt, countText),
  };
}

/** A row may set its own limit in a column `max_out_len` that is among the input columns. */
export function maxOutLenReader({
  readerCfg,
  inferCfg,
}: DatasetConfig): (row: Row) => number | undefined {
  const { maxOutLen } = inferCfg.inferencer;
  if (!readerCfg.inputColumns.includes('max_out_len')) return () => maxOutLen;
  return (row) => {
    const own = Number(row.max_out_len);
    return Number.isInteger(own) && own > 0 ? own : maxOutLen;
  };
}
