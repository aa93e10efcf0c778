import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedAtEnd, openedThought, repeatedPrefix, splitAnswer } from './split-thought.ts';

test.each([
  ['no thinking', ' 42\n', { answer: ' 42\n' }],
  ['a block', '<think>\n6 × 7\n</think>\n\n42', { answer: '42', reasoning: '6 × 7' }],
  ['an empty block', '<think>\n\n</think>\n\nB', { answer: 'B' }],
  ['the closing mark only', 'so 42.\n</think>\n42', { answer: '42', reasoning: 'so 42.' }],
  ['two blocks', '<think>a</think>x <think>b</think>y', { answer: 'x\ny', reasoning: 'a\n\nb' }],
  ['an answer on both sides', '<think>a</think>41<think>b</think>42', { answer: '41\n42' }],
  ['a thought inside of another', '<think>a<think>b</think>c 7</think>42', { answer: '42' }],
  [
    'two inside',
    '<think><think><think>a</think>b</think>7</think>42 </think>',
    { answer: '42 </think>' },
  ],
  ['talk of the mark in a thought', '<think>The <think> tag</think>42', { answer: '42' }],
  [
    'a thought after a nested one',
    '<think><think>a</think>b<think>c</think>42',
    { answer: 'b\n42' },
  ],
  ['another case', '<THINK>a</Think>b', { answer: 'b', reasoning: 'a' }],
  ['marks of one kind within another', '<thinking><think></thinking>b', { reasoning: '<think>' }],
  ['square brackets', '[THINK]a[/THINK]b', { answer: 'b', reasoning: 'a' }],
  ['spelled-out marks', '<|begin_of_thought|>a<|end_of_thought|>b', { answer: 'b' }],
  ['channels', '<|channel|>analysis<|message|>a<|channel|>final<|message|>b', { answer: 'b' }],
  [
    'channels with their ends',
    '<|channel|>analysis<|message|>7<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>',
    { answer: '42' },
  ],
  ['a channel for the answer alone', '<|channel|>final<|message|>42<|end|>', { answer: '42' }],
  [
    'a solution between marks',
    '<|begin_of_thought|>7<|end_of_thought|>\n<|begin_of_solution|>\n42\n<|end_of_solution|>\n',
    { answer: '42' },
  ],
  ['the end of a turn', '<think>a</think>42<|im_end|><|endoftext|>', { answer: '42' }],
  [
    'such marks in the answer',
    '<think>a</think>Write <|end|> there',
    { answer: 'Write <|end|> there' },
  ],
  ['thinking cut off', '<think>I wonder', { answer: '', unfinishedReasoning: true }],
  ['a second thought cut off', '<think>a</think>b\n<think>c', { unfinishedReasoning: true }],
  ['talk about the mark', 'The tag <think> opens it.', { answer: 'The tag <think> opens it.' }],
  ['a stray closing mark', '<think>a</think>b </think> c', { answer: 'b </think> c' }],
  ['nothing after the thinking', '<think>a</think>', { answer: '', reasoning: 'a' }],
])('%s', (_, raw, expected) => {
  const parts = splitAnswer(raw);
  expect(parts).toMatchObject({ raw, ...expected });
  if (!('unfinishedReasoning' in expected)) expect(parts).not.toHaveProperty('unfinishedReasoning');
});

test('takes thinking that the server sent by itself', () => {
  expect(splitAnswer('B', 'hm')).toEqual({ raw: 'B', answer: 'B', reasoning: 'hm' });
  expect(splitAnswer('<think>x</think>B', 'hm').reasoning).toBe('hm\n\nx');
  expect(splitAnswer('', 'hm').unfinishedReasoning).toBe(true);
  expect(splitAnswer('', '')).toEqual({ raw: '', answer: '' });
});

test.each([
  ['so 42', '<think>', { answer: '', unfinishedReasoning: true }],
  ['so</think>42', '<think>', { answer: '42', reasoning: 'so' }],
  ['<think>so</think>42', '<think>', { answer: '42' }],
  ['so</thinking>42', '<think>', { answer: '', unfinishedReasoning: true }],
  ['so}}42', '{{', { answer: '42', reasoning: 'so' }],
])('a thought that was open: %s after %s', (raw, opened, expected) => {
  const thinking = opened === '{{' ? { begin: '{{', end: '}}' } : undefined;
  const parts = splitAnswer(raw, '', { opened, thinking });
  expect(parts).toMatchObject({ raw, ...expected });
  expect(splitAnswer(raw, 'apart', { opened, thinking }).unfinishedReasoning).toBeUndefined();
});

test.each([
  ['A: <think>\n', '<think>'],
  ['A: <THINK>', '<think>'],
  ['<think>\n\n</think>\n\n', undefined],
  ['Say <think> and go on', undefined],
  ['', undefined],
])('the thought that a prompt leaves open: %j', (prompt, mark) => {
  expect(openedAtEnd(prompt)).toBe(mark);
});

const piece = fc.constantFrom('<think>', '</think>', '<thinking>', '</thinking>', '\n', 'a', ' ');

test('every character of a reply is in the answer, in the thinking, or a mark or space', () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const raw = pieces.join('');
      const { answer, reasoning = '' } = splitAnswer(raw);
      const letters = (text: string) => text.split('a').length;
      const bare = (text: string) => text.replaceAll(/<\/?think(?:ing)?>/g, '');
      expect(letters(bare(answer)) + letters(bare(reasoning))).toBe(letters(bare(raw)) + 1);
    }),
  );
});

test.each([
  ['5', undefined],
  ['The answer is 5', [0, 13]],
  [' The answer is 5', [0, 14]],
  ['<think>The answer is?</think>The answer is 5', [29, 42]],
  ['So the answer is 5', undefined],
])('where %j says again what the prompt had it begin with', (raw, stretch) => {
  expect(repeatedPrefix(raw, 'The answer is ')).toEqual(stretch);
});

test.each([
  ['assistant', '<think>\n', '<think>'],
  ['assistant', 'Well.', undefined],
  ['user', 'What does <think>', undefined],
])('what a last message of the %s leaves open: %j', (role, content, mark) => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role, content },
  ];
  expect(openedThought({ type: 'messages', messages } as Parameters<typeof openedThought>[0])).toBe(
    mark,
  );
});
