import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import { answerLimit } from '../model/model.ts';
import type { Encode } from '../model/request-body.ts';
import { textOnly } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Row } from '../prompt/values.ts';
import { maxOutLenReader } from './answer-limits.ts';
import { abilityFor } from './inference.ts';

/** How much of a prompt the model takes. */
export interface ContextLimit {
  /** What is left of its context when the answer to a row has its room. */
  readonly maxTokensOf: (row: Row) => number;
  readonly countTokens: (prompt: Prompt) => number;
}

export interface FittedPrompt extends FittedShots {
  readonly prompt: Prompt;
}

export interface FittedShots {
  /** The examples that are shown, by their places in the pool. */
  readonly shots: readonly number[];
  /** How many more did not fit. */
  readonly dropped: number;
  /** Whether the prompt does not fit without any of them either. */
  readonly tooLong: boolean;
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
  { dataset, encode }: { readonly dataset: DatasetConfig; readonly encode: Encode | undefined },
): ContextLimit | undefined {
  if (model?.maxSeqLen === undefined) return undefined;
  const { maxSeqLen } = model;
  const countText = (text: string) =>
    encode?.(text).length ?? Math.ceil(Buffer.byteLength(text) / fewestBytesPerToken);
  const { type, generationKwargs: settings } = dataset.inferCfg.inferencer;
  const isAnswered = abilityFor(type) === 'generate';
  const ownLimitOf = maxOutLenReader(dataset);
  return {
    maxTokensOf: (row) => {
      const room = answerLimit(model, { maxOutLen: ownLimitOf(row), settings }) ?? 0;
      return maxSeqLen - (isAnswered ? room : 0);
    },
    countTokens: (prompt) => countTokens(prompt, countText),
  };
}

interface Asked {
  readonly row: Row;
  readonly context: ContextLimit | undefined;
}

/** Whether a prompt leaves no room for the answer. */
export function isTooLong(prompt: Prompt, { row, context }: Asked): boolean {
  return context !== undefined && context.countTokens(prompt) > context.maxTokensOf(row);
}

/** Leaves out examples from the end until the prompt fits. */
export function fitPrompt(
  shotIds: readonly number[],
  fill: (shotIds: readonly number[]) => Prompt,
  asked: Asked,
): FittedPrompt {
  let kept = shotIds;
  let prompt = fill(kept);
  let tooLong = isTooLong(prompt, asked);
  while (tooLong && kept.length > 0) {
    kept = kept.slice(0, -1);
    prompt = fill(kept);
    tooLong = isTooLong(prompt, asked);
  }
  return { prompt, shots: kept, dropped: shotIds.length - kept.length, tooLong };
}

/** Leaves out examples from the end until the longest of several prompts fits. */
export function fitPrompts(
  shotIds: readonly number[],
  fill: (shotIds: readonly number[]) => readonly Prompt[],
  asked: Asked,
): FittedShots {
  let kept = shotIds;
  const hasLong = () =>
    asked.context !== undefined && fill(kept).some((prompt) => isTooLong(prompt, asked));
  let tooLong = hasLong();
  while (tooLong && kept.length > 0) {
    kept = kept.slice(0, -1);
    tooLong = hasLong();
  }
  return { shots: kept, dropped: shotIds.length - kept.length, tooLong };
}
