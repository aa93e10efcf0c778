import { expect, test } from 'vitest';
import { replyReader } from './read-replies.ts';

test.each([
  ['get_a_or_b', 'B? No: A', 1],
  ['get_a_or_b', 'A or B', 0],
  ['get_a_or_b', 'A.', undefined],
  ['LLMJudgeCorrectEvaluator', 'A', 1],
  ['LLMJudgeCorrectEvaluator', 'So A', undefined],
  ['AALCRJudgeEvaluator', 'It is **correct**.', 1],
  ['AALCRJudgeEvaluator', 'INCORRECT', 0],
  ['AALCRJudgeEvaluator', 'unsure', undefined],
  ['HLEJudgeEvaluator', '{"correct":\n "yes", "confidence": 90}', 1],
  ['HLEJudgeEvaluator', '{"correct": "no", "confidence": 90}', 0],
  ['HLEJudgeEvaluator', 'correct: yes', undefined],
])('%s reads %j', (type, reply, value) => {
  const reading = replyReader({ type })?.read(reply, { gold: '', row: {} });
  expect(reading?.value).toBe(value);
});
