import { hash } from 'node:crypto';

/** The value of the last sum, difference or product in a prompt; else words drawn from it. */
export function computeAnswer(prompt: string): string {
  const sum = [...prompt.matchAll(/(-?\d+)\s*([-+*×])\s*(-?\d+)/g)].at(-1);
  if (!sum) return `answer ${hash('sha256', prompt, 'hex').slice(0, 12)}`;
  const [, left, operator, right] = sum;
  const [a, b] = [Number(left), Number(right)];
  if (operator === '+') return String(a + b);
  return String(operator === '-' ? a - b : a * b);
}

export interface Completion {
  readonly pieces: readonly string[];
  readonly finishReason: 'stop' | 'length';
}

const tokenLength = 4;

/** Cuts an answer into tokens of four characters, and off at a stop text or the token limit. */
export function completeAnswer(
  answer: string,
  { stop = [], max_tokens: limit = Number.POSITIVE_INFINITY }: CompletionLimits,
): Completion {
  const ends = [stop].flat().map((text) => answer.indexOf(text));
  const end = Math.min(answer.length, ...ends.filter((index) => index >= 0));
  const tokens = answer.slice(0, end).match(new RegExp(`.{1,${tokenLength}}`, 'gsu')) ?? [];
  return {
    pieces: tokens.slice(0, limit),
    finishReason: tokens.length > limit ? 'length' : 'stop',
  };
}

export interface CompletionLimits {
  readonly stop?: string | readonly string[];
  readonly max_tokens?: number;
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / tokenLength);
}
