import { expect, test } from 'vitest';
import vectors from '../../test/vectors/metrics/scikit-learn.json' with { type: 'json' };
import { pplInference } from '../evaluation/loglikelihood-inference.ts';
import type { EvaluationPrompts, PromptSetup } from '../evaluation/prompt-setup.ts';
import { plainFormat } from '../prompt/format.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import { type Reply, readReply, scoredFields, scoreWhole } from './score-answer.ts';
import { Tally } from './summarize.ts';

const prompts = {
  labelPromptsOf: () => ({
    labels: ['0', '1'].map((label) => ({
      label,
      prompt: { type: 'text', text: `Q: ${label}` },
      answerStart: 3,
    })),
    dropped: 0,
  }),
} as unknown as EvaluationPrompts;

/** Asks as PPLInferencer does, and takes recorded sums and numbers of tokens for the answer. */
function replyTo(sums: readonly (readonly number[])[], normalizingStr?: string): Reply {
  const task = {
    inferencer: { type: 'PPLInferencer', normalizingStr },
    model: { takes: 'text', format: plainFormat },
  } as unknown as PromptSetup;
  const { request } = pplInference(task, prompts).ask({ id: 0, position: 0, row: {} });
  const logprobs = sums.map(([logprob = 0, tokens = 0], index) => {
    const from = request.type === 'loglikelihood' ? (request.texts[index]?.from ?? 0) : 0;
    const values = Array.from({ length: tokens }, (_, place) => (place === 0 ? logprob : 0));
    return { starts: values.map(() => from), values };
  });
  return readReply(request, { logprobs, totalMs: 0 });
}

const scorer = compileScorer({ evaluator: { type: 'AUCROCEvaluator' } });

function areaOf(replies: readonly (readonly [right: number, reply: Reply])[]): number | undefined {
  const tally = new Tally(scorer);
  for (const [id, [gold, reply]] of replies.entries()) {
    const score = scoreWhole(scorer, { reply, gold, row: {} });
    tally.add({ id, key: '', prompt: '', ...scoredFields(score, gold) });
  }
  const { metric, score } = tally.result;
  return metric === 'auc' ? score?.value : undefined;
}

test.each(vectors.weighed)('as scikit-learn: normalised labels, $expected', (vector) => {
  const replies = vector.rows.map(
    ({ right, weights }) => [right, replyTo(weights.flat(), 'A: ')] as const,
  );
  expect(areaOf(replies)).toBeCloseTo(vector.expected, 12);
  const logged = replies.map(
    ([right, reply]) => [right, JSON.parse(JSON.stringify(reply)) as Reply] as const,
  );
  expect(areaOf(logged)).toBeCloseTo(vector.expected, 12);
});

test('without a neutral text labels are as likely as what they are chosen by says', () => {
  // The sums say the opposite: longer texts are less likely.
  const replies = [
    [
      1,
      replyTo([
        [-6, 2],
        [-8, 4],
      ]),
    ],
    [
      0,
      replyTo([
        [-8, 4],
        [-6, 2],
      ]),
    ],
  ] as const;
  expect(areaOf(replies)).toBe(1);
});
