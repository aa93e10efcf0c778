import { expect, test } from 'vitest';
import { countAnswer, zeroCounts } from './stored-evaluation.ts';

const answer = (usage?: object) =>
  ({ result: { text: '', usage }, from: undefined, isKept: false }) as never;

test('tokens that nobody told are not counted, and it is said of how many answers', () => {
  const counts = zeroCounts();
  countAnswer(counts, answer({ inputTokens: 5, outputTokens: 2 }));
  countAnswer(counts, answer({ inputTokens: 7 }));
  countAnswer(counts, answer());
  expect(counts).toMatchObject({ asked: 3, inputTokens: 12, outputTokens: 2, untold: 2 });
});
