import { expect, test } from 'vitest';
import { firstOption, lastOption } from './option-extractors.ts';

const options = ['A', 'B', 'C', 'D'].map((label) => ({ label }));

test.each([
  '我选B，不对，应该是A。',
  'B。\n更正：A。',
  '很多人误选B，其实是A',
  '误选B的人很多。正确的是A。',
  '答案是B？不，是A。',
  'Answer: B. Sorry, I meant A.',
  'If the question asked for the largest city, the answer would be B. Here it is A.',
  '我选C，错了，应该选A。',
  '答案是D。不对，答案是A。',
  '答案：C。抱歉，应该是A。',
  '选B。更正：选A。',
  '更正：A。',
  '有人错选C，实际上是A。',
  '答案是C？错，是A。',
  'Answer: C. Oops, I meant A.',
  'Answer: D. Correction: A.',
  'The answer is B. Wait, no, it is A.',
  'The answer is C. Actually, A.',
  'If it were winter, the answer would be D. The answer is A.',
  'B is eliminated. The answer is A.',
  '排除B和C，答案是A。',
  '别选D，选A。',
  '不要选B，应该选A。',
])('%j comes to A', (text) => {
  expect(firstOption(options).extract(text)?.value).toBe('A');
  expect(lastOption(options).extract(text)?.value).toBe('A');
});

test.each([
  '别选B',
  '先排除B',
  'B肯定不对',
  'Never B',
  'Anything but B',
  '不是A就是B',
  '除A外都对',
  '除了B都对',
  '不要选C',
  '切勿选D',
  '莫选A',
  'B显然是错的',
  'C绝对不对',
  'D一定不是',
  '可以排除C',
  'Rule out B',
  'Avoid C',
  'Never choose D',
  'Everything but C',
  'B can be ruled out',
  'C is eliminated',
  '我不会选B',
  '不是C就是D。',
])('%j names no answer', (text) => {
  expect(firstOption(options).extract(text)).toBeUndefined();
  expect(lastOption(options).extract(text)).toBeUndefined();
});

test.each([
  'B is more accurate than C',
  'B fits better than D.',
  'Option B makes more sense than option C',
  'B比C更准确',
  'B es mejor que C',
  'B ist besser als C',
  'B, as opposed to C',
  'B; C is a distractor',
  'Many would choose C; correct is B',
  'The answer is C. Wait, no: it should be B.',
  'No option is better than B.',
  'Unlike A, B is right',
])('%j chooses B', (text) => {
  expect(lastOption(options).extract(text)?.value).toBe('B');
});

test.each([
  'C is out',
  'C seems wrong',
  'C is unlikely',
  "C can't be it",
  'I doubt C',
  'You might think C',
])('%j chooses none', (text) => {
  expect(lastOption(options).extract(text)).toBeUndefined();
});
