import { expect, test } from 'vitest';
import type { Prompt } from '../prompt/prompt.ts';
import { type EndpointSettings, endpointFor, generationBody } from './request-body.ts';

const endpoint: EndpointSettings = {
  takes: 'messages',
  baseUrl: 'http://h:1',
  model: 'm',
  source: ['models', 0],
};
const text: Prompt = { type: 'text', text: 'Hi' };
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
];
const asked = [{ role: 'user', content: 'Hi' }];

test.each<[string, Partial<EndpointSettings>, Prompt, object]>([
  ['text to a chat endpoint', {}, text, { messages: asked }],
  ['messages', {}, { type: 'messages', messages }, { messages }],
  ['text', { takes: 'text' }, text, { prompt: 'Hi' }],
  ['no stop texts', { stop: [] }, text, { messages: asked }],
  [
    'limits',
    { maxOutLen: 5, stop: ['\n'] },
    text,
    { messages: asked, max_tokens: 5, stop: ['\n'] },
  ],
  [
    'the other name of the token limit',
    { maxOutLen: 5, generationKwargs: { max_completion_tokens: 9 } },
    text,
    { messages: asked, max_completion_tokens: 9 },
  ],
  [
    'a stream',
    { stream: true },
    text,
    { messages: asked, stream: true, stream_options: { include_usage: true } },
  ],
  [
    'settings that win',
    { stream: true, maxOutLen: 5, generationKwargs: { stream_options: null, max_tokens: 6 } },
    text,
    { messages: asked, max_tokens: 6, stream: true, stream_options: null },
  ],
])('body for %s', (_name, settings, prompt, expected) => {
  expect(generationBody({ ...endpoint, ...settings }, prompt)).toEqual({ model: 'm', ...expected });
});

test('token ids need a tokenizer for the text around them', () => {
  const prompt: Prompt = { type: 'text', text: 'Hi', pieces: [[1, 2], 'Hi', [3]] };
  const completions = { ...endpoint, takes: 'text' } as const;
  const encode = (piece: string) => [piece.length];
  expect(generationBody(completions, prompt, encode)).toMatchObject({ prompt: [1, 2, 2, 3] });
  expect(() => generationBody(completions, prompt)).toThrow('token ids');
});

test('a request that wants nothing special leaves the endpoint alone', () => {
  expect(endpointFor(endpoint, { prompt: text })).toBe(endpoint);
});

test('what a request wants wins over the endpoint', () => {
  const settings = { ...endpoint, maxOutLen: 5, generationKwargs: { temperature: 1, top_p: 0.5 } };
  const request = { prompt: text, stop: ['.'], seed: 0, settings: { temperature: 0 } };
  expect(endpointFor(settings, request)).toMatchObject({
    maxOutLen: 5,
    stop: ['.'],
    generationKwargs: { temperature: 0, top_p: 0.5, seed: 0 },
  });
});
