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

/** Without a tokenizer a token is taken to be three bytes of text, which errs on the safe side. */
export function contextOf(
  model: ModelConfig | undefined,
  { encode, inferencer }: { readonly encode: Encode | undefined; readonly inferencer: Inferencer },
): ContextLimit | undefined {
  if (model?.maxSeqLen === undefined) return undefined;
  const countText = (text: string) =>
    encode?.(text).length ?? Math.ceil(Buffer.byteLength(text) / 3);
  const countTokens = (prompt: Prompt) =>
    prompt.type === 'text'
      ? countText(prompt.text)
      : prompt.messages.reduce((sum, { content }) => sum + countText(textOnly(content)), 0);
  const isAnswered = abilityFor(inferencer.type) === 'generate';
  const maxOutLen = isAnswered ? (inferencer.maxOutLen ?? model.maxOutLen ?? 0) : 0;
  return { maxTokens: model.maxSeqLen - maxOutLen, countTokens };
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
