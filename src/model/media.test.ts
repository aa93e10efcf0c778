import { expect, it } from 'vitest';
import type { MediaPart } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { sdkCallOptions } from './ai-sdk-call.ts';
import { type AudioForm, hasParts, inlineMedia, wireMessages } from './media.ts';

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

function wireOf(made: Prompt, audio?: AudioForm) {
  return made.type === 'messages' ? wireMessages(made.messages, audio)[1] : undefined;
}

function parts(audio: object, url: (type: string) => string) {
  return [
    { type: 'image_url', image_url: { url: url('image/png') } },
    text,
    audio,
    { type: 'video_url', video_url: { url: url('video/mp4') } },
    { type: 'audio_url', audio_url: { url: remote.source } },
  ];
}

const audioAt = (url: string) => ({ type: 'audio_url', audio_url: { url } });
const audioIn = (data: string) => ({ type: 'input_audio', input_audio: { data, format: 'mp3' } });

it.each([
  [undefined, audioAt('sha256:f00d'), audioAt('data:audio/mpeg;base64,QUJD')],
  ['audio_url', audioAt('sha256:f00d'), audioAt('data:audio/mpeg;base64,QUJD')],
  ['input_audio', audioIn('sha256:f00d'), audioIn('QUJD')],
] as const)(
  'known media stand by their hash until they are put in, audio as %s',
  async (audio, named, put) => {
    const content = parts(named, () => 'sha256:f00d');
    expect(wireOf(prompt, audio)).toEqual({ role: 'user', content });
    const url = (mediaType: string) => `data:${mediaType};base64,QUJD`;
    expect(wireOf(await inlineMedia(prompt), audio)).toEqual({
      role: 'user',
      content: parts(put, url),
    });
  },
);

it('text alone is sent as it is', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  expect(wireMessages(messages)).toBe(messages);
  expect(hasParts({ type: 'messages', messages })).toBe(false);
  expect(hasParts(prompt)).toBe(true);
});

it('the AI SDK refuses fields that it has no place for', () => {
  const askWith = (type: MediaPart['type'], part: Record<string, unknown>, at: string[]) => {
    const content = [{ type, source: 'https://a.example/a', form: { part, at } }];
    return () =>
      sdkCallOptions({
        prompt: { type: 'messages', messages: [{ role: 'user', content }] },
        settings: {},
        provider: 'p',
      });
  };
  const image = { type: 'image_url', image_url: { url: '', detail: 'low' } };
  expect(askWith('image', image, ['image_url', 'url'])).toThrow('fields of a part');
  const audio = { type: 'input_audio', input_audio: { data: '', format: 'wav' } };
  expect(askWith('audio', audio, ['input_audio', 'data'])).not.toThrow();
  expect(askWith('audio', { ...audio, x: 1 }, ['input_audio', 'data'])).toThrow('fields of a part');
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
