import { expect, it } from 'vitest';
import { readMediaSource, sniffMediaType } from './media-source.ts';

const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(16)]);

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
  ['image/bmp', 'BM'],
  ['audio/wav', 'RIFF....WAVE'],
  ['audio/mpeg', 'ID3\x04'],
  ['audio/mpeg', '\xff\xfb\x90\x00'],
  ['audio/flac', 'fLaC'],
  ['audio/ogg', 'OggS'],
  ['audio/mp4', '\0\0\0\x1cftypM4A '],
  ['video/mp4', '\0\0\0\x18ftypisom'],
  ['video/quicktime', '\0\0\0\x14ftypqt  '],
  ['video/x-msvideo', 'RIFF....AVI '],
  ['video/webm', '\x1a\x45\xdf\xa3....\x42\x82\x84webm'],
  ['video/x-matroska', '\x1a\x45\xdf\xa3....\x42\x82\x88matroska'],
  [undefined, 'hello'],
  [undefined, 'RIFF....JUNK'],
  [undefined, '\xff\xff\xff\xff'],
])('the bytes of %s are known', (mediaType, head) => {
  expect(sniffMediaType(bytes(head))).toBe(mediaType);
});

it('an empty file is nothing', () => {
  expect(sniffMediaType(Buffer.alloc(0))).toBeUndefined();
});

const png = bytes('\x89PNG\r\n\x1a\n').toString('base64');
const jpeg = bytes('\xff\xd8\xff\xe0\x00\x10JFIF').toString('base64');

it.each([
  ['https://a.example/x.png', { type: 'remote' }],
  [`data:image/png;base64,${png}`, { type: 'inline', declared: 'image/png', payload: png }],
  [`data:;base64,${png}`, { type: 'inline', declared: undefined, payload: png }],
  [png, { type: 'inline', declared: undefined, payload: png }],
  [jpeg, { type: 'inline', declared: undefined, payload: jpeg }],
  ['file:///a/b.png', { type: 'file', path: '/a/b.png' }],
  ['file://b.png', { type: 'file', path: 'b.png' }],
  ['images/photos/holiday/one', { type: 'file', path: 'images/photos/holiday/one' }],
  ['BMWs/are/cars/and/more', { type: 'file', path: 'BMWs/are/cars/and/more' }],
])('%s is told apart', (source, expected) => {
  expect(readMediaSource(source)).toEqual(expected);
});
