import type { AnswerPair } from './metric.ts';

/** Pairs as the recorded cases hold them. */
export function toPairs(pairs: readonly (string | string[])[][]): AnswerPair[] {
  return pairs.map(([answer, golds]) => ({ answer: String(answer), golds: [golds ?? []].flat() }));
}
