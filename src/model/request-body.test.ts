import { expect, test } from 'vitest';
import type { Prompt } from '../prompt/prompt.ts';
import {
  type EndpointSettings,
  endpointFor,
  generationBody,
  writeBody,
  writeLongBody,
} from './request-body.ts';

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

const mark = '\u007F long text \u007F';

test.each([
  ['plain', 'Natalia sold clips to 48 of her friends. '],
  ['escapes', 'a"b\\c\n\t\u0000\u001f\u007f/'],
  ['only escapes', '\n'],
  ['other scripts', '娜塔莉亚é🙂\u2028'],
  ['half characters', 'x\ud83d'],
  ['characters that stand for them', 'x\ufffd'],
  ['marks', mark],
])('the bytes of a long body are its text: %s', (_, text) => {
  for (let length = 2048; length < 2056; length++) {
    const content = text.repeat(length).slice(0, length);
    const turns = [
      { role: 'system', content: mark.slice(0, length - 2048) },
      { role: 'user', content },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: `${content}!` },
    ];
    const prompts: Prompt[] = [
      { type: 'text', text: content },
      { type: 'messages', messages: turns },
    ];
    for (const takes of ['messages', 'text'] as const) {
      const settings = { ...endpoint, takes, maxOutLen: 4, generationKwargs: { user: mark } };
      for (const prompt of takes === 'text' ? prompts.slice(0, 1) : prompts) {
        for (const kwargs of [settings, { ...endpoint, takes, stop: ['\n'] }]) {
          expect(writeLongBody(kwargs, { prompt })?.toString()).toBe(writeBody(kwargs, { prompt }));
        }
      }
    }
  }
});
