import { expect, test } from 'vitest';
import { readAnswer } from './answer.ts';

const choose = (choice: object, rest: object = {}) => readAnswer({ choices: [choice], ...rest });

test.each<[string, object, object]>([
  ['a text', { message: { content: 'a' } }, { text: 'a' }],
  ['a completion', { text: 'a' }, { text: 'a' }],
  ['no text', { message: { content: null } }, { text: '' }],
  ['parts', { message: { content: [{ type: 'text', text: 'a' }, { text: 'b' }] } }, { text: 'ab' }],
  ['a refusal', { message: { content: null, refusal: 'no' } }, { text: 'no' }],
  ['thoughts', { message: { content: 'a', reasoning_content: 'r' } }, { reasoning: 'r' }],
  ['thoughts by another name', { message: { content: 'a', reasoning: 'r' } }, { reasoning: 'r' }],
  [
    'tool calls',
    { message: { content: null, tool_calls: [{ id: '1' }] }, finish_reason: 'tool_calls' },
    { text: '', finishReason: 'tool_calls', raw: { tool_calls: [{ id: '1' }] } },
  ],
  [
    'calls of a tool with arguments',
    {
      message: {
        content: null,
        tool_calls: [{ id: '1', function: { name: 'add', arguments: '{"a":1}' } }],
      },
    },
    { text: '', toolCalls: [{ id: '1', name: 'add', arguments: { a: 1 } }] },
  ],
  [
    'a call as older servers write it',
    { message: { content: null, function_call: { name: 'add', arguments: '{"a"' } } },
    { text: '', toolCalls: [{ name: 'add', arguments: '{"a"' }] },
  ],
])('reads %s', (_name, choice, expected) => {
  expect(choose(choice)).toMatchObject(expected);
});

test.each<[string, readonly object[], string | undefined]>([
  [
    'of number 0, wherever it stands',
    [
      { index: 1, text: 'b' },
      { index: 0, text: 'a' },
    ],
    'a',
  ],
  ['that stands first, without numbers', [{ text: 'a' }, { text: 'b' }], 'a'],
  ['of no other number', [{ index: 1, text: 'b' }], undefined],
])('takes the choice %s', (_name, choices, text) => {
  expect(readAnswer({ choices })?.text).toBe(text);
});

test.each([
  ['stop', 'stop'],
  ['eos_token', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['function_call', 'tool_calls'],
  ['abort', 'other'],
  [null, 'other'],
])('finish reason %j is %s', (reason, expected) => {
  expect(choose({ text: '', finish_reason: reason })?.finishReason).toBe(expected);
});

test.each<[unknown, unknown]>([
  [
    { prompt_tokens: 5, completion_tokens: 2 },
    { inputTokens: 5, outputTokens: 2 },
  ],
  [{ prompt_tokens: 5 }, { inputTokens: 5, outputTokens: undefined }],
  [
    { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
    { inputTokens: 5, outputTokens: 2, cachedTokens: 4 },
  ],
  [
    { prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 3 },
    { inputTokens: 5, outputTokens: 2, cachedTokens: 3 },
  ],
  [null, undefined],
  [{}, undefined],
])('usage %j', (usage, expected) => {
  expect(choose({ text: '' }, { usage })?.usage).toEqual(expected);
});

test.each<[string, object, object]>([
  [
    'no content, and why',
    { message: { role: 'assistant' }, finish_reason: 'length' },
    { text: '' },
  ],
  [
    'parts of other kinds',
    {
      message: {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'a' },
        ],
      },
    },
    { text: 'a' },
  ],
  ['an error that is none', { text: 'a', error: null }, { text: 'a' }],
])('%s', (_name, choice, expected) => {
  expect(choose(choice)).toMatchObject(expected);
});

test.each([
  { prompt_tokens: -5 },
  { prompt_tokens: 1e308 },
  { prompt_tokens: 1.5 },
  { prompt_tokens: '5' },
])('no usage in %j', (usage) => {
  expect(choose({ text: '' }, { usage })?.usage).toBeUndefined();
});

test.each([
  undefined,
  {},
  { choices: [{}] },
  { choices: [{ finish_reason: 'stop' }] },
  { choices: [{ message: null, finish_reason: 'stop' }] },
  { choices: [{ message: {} }] },
  { choices: [{ message: { content: 42 } }] },
  { choices: [{ message: { content: { text: 'a' } } }] },
  { choices: [{ message: { content: [['a']] } }] },
  { choices: [{ message: { content: [{ type: 'text', text: 42 }] } }] },
  { choices: [{ text: true }] },
  { error: { message: 'melted' }, choices: [{ text: 'a' }] },
  { choices: [] },
  { choices: 'x' },
  { choices: [{ error: { code: 502 } }] },
])('no answer in %j', (completion) => {
  expect(readAnswer(completion)).toBeUndefined();
});
