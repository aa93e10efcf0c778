import { ApiError } from './api-error.ts';
import type { CompletionBody } from './bodies.ts';
import type { ServedModel } from './served-model.ts';
import { characters, TokenPositions } from './token-text.ts';

/** A prompt in text and tokens. */
export interface ReadPrompt {
  readonly text: string;
  readonly ids: Int32Array;
  /** Where each token begins in the text, counted in characters. */
  readonly offsets: readonly number[];
}

export function promptCount(prompt: CompletionBody['prompt']): number {
  return typeof prompt === 'string' || isTokenIds(prompt) ? 1 : prompt.length;
}

/** The prompts of a request: one or several, each a text or token ids. */
export function readPrompts(served: ServedModel, prompt: CompletionBody['prompt']): ReadPrompt[] {
  if (typeof prompt === 'string') return [readText(served, prompt)];
  if (isTokenIds(prompt)) return [readIds(served, prompt)];
  return prompt.map((one) =>
    typeof one === 'string' ? readText(served, one) : readIds(served, one),
  );
}

function isTokenIds(prompt: readonly (string | number | readonly number[])[]): prompt is number[] {
  return typeof prompt[0] === 'number';
}

function readText({ parts, prompts }: ServedModel, text: string): ReadPrompt {
  const { tokenizer } = parts;
  const ids = prompts.idsOf({ type: 'text', text });
  const own = tokenizer.encode(text);
  const starts = tokenizer.startsOf(text, own);
  const before = Array.from({ length: ids.length - own.length }, () => 0);
  return { text, ids, offsets: [...before, ...inCharacters(text, starts)] };
}

/** Positions in characters for positions in UTF-16 units, in order. */
function inCharacters(text: string, starts: Int32Array): number[] {
  let position = 0;
  let count = 0;
  return Array.from(starts, (start) => {
    count += characters(text.slice(position, start));
    position = start;
    return count;
  });
}

function readIds({ parts }: ServedModel, ids: readonly number[]): ReadPrompt {
  const { size } = parts.tokenizer;
  const unknown = ids.find((id) => id >= size);
  if (unknown !== undefined) {
    throw new ApiError(400, `token id ${unknown} does not exist; the model has ${size} tokens`, {
      param: 'prompt',
    });
  }
  const positions = new TokenPositions(parts.tokenizer.pieces);
  const offsets = ids.map((id) => positions.add(id));
  return { text: positions.text, ids: Int32Array.from(ids), offsets };
}
