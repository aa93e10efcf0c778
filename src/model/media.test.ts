import { expect, it } from 'vitest';
import type { MediaPart } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { sdkCallOptions } from './ai-sdk-call.ts';
import { hasParts, inlineMedia, wireMessages } from './media.ts';

function known(type: MediaPart['type'], mediaType: string): MediaPart {
  const address = async () => `data:${mediaType};base64,QUJD`;
  return { type, source: 'x', content: { sha256: 'f00d', mediaType, bytes: 3, address } };
}

const text = { type: 'text', text: 'Look.' } as const;
const remote: MediaPart = { type: 'audio', source: 'https://a.example/a.mp3' };
const prompt: Prompt = {
  type: 'messages',
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        known('image', 'image/png'),
        text,
        known('audio', 'audio/mpeg'),
        known('video', 'video/mp4'),
        remote,
      ],
    },
  ],
};

function wireOf(made: Prompt) {
  return made.type === 'messages' ? wireMessages(made.messages)[1] : undefined;
}

function parts(data: string, url: (type: string) => string) {
  return [
    { type: 'image_url', image_url: { url: url('image/png') } },
    text,
    { type: 'input_audio', input_audio: { data, format: 'mp3' } },
    { type: 'video_url', video_url: { url: url('video/mp4') } },
    { type: 'audio_url', audio_url: { url: remote.source } },
  ];
}

it('known media stand by their hash until they are put in', async () => {
  const hash = 'sha256:f00d';
  expect(wireOf(prompt)).toEqual({ role: 'user', content: parts(hash, () => hash) });
  const inlined = await inlineMedia(prompt);
  const url = (mediaType: string) => `data:${mediaType};base64,QUJD`;
  expect(wireOf(inlined)).toEqual({ role: 'user', content: parts('QUJD', url) });
});

it('text alone is sent as it is', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  expect(wireMessages(messages)).toBe(messages);
  expect(hasParts({ type: 'messages', messages })).toBe(false);
  expect(hasParts(prompt)).toBe(true);
});

it('the AI SDK gets files', async () => {
  const call = sdkCallOptions({ prompt: await inlineMedia(prompt), settings: {}, provider: 'p' });
  expect(call.prompt[1]).toEqual({
    role: 'user',
    content: [
      { type: 'file', mediaType: 'image/png', data: 'QUJD' },
      text,
      { type: 'file', mediaType: 'audio/mpeg', data: 'QUJD' },
      { type: 'file', mediaType: 'video/mp4', data: 'QUJD' },
      { type: 'file', mediaType: 'audio/*', data: new URL(remote.source) },
    ],
  });
});
