import { expect, it } from 'vitest';
import { readMediaSource, sniffMediaType } from './media-source.ts';

const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(16)]);

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/gif', 'GIF87a'],
  ['video/ogg', 'OggS\0\x02....\x80theora'],
  ['audio/mp4', '\0\0\0\x1cftypM4B '],
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
  ...['iso6', 'mp42', 'avc1', 'M4V ', 'M4VP', 'dash', 'MSNV', '3gp5', '3g2a', 'mmp4', 'f4v '].map(
    (brand): [string, string] => ['video/mp4', `\0\0\0\x18ftyp${brand}`],
  ),
  // MPEG audio: MPEG 2 and 2.5 and layers 1 to 3 exist; a version, a layer and a bit rate do not.
  ...['\xff\xf3\x90', '\xff\xe3\x90', '\xff\xfd\x90', '\xff\xff\x90'].map(
    (head): [string, string] => ['audio/mpeg', head],
  ),
  ...['\xff\xeb\x90', '\xff\xf9\x90', '\xff\xfb\xf0', '\xff\xdb\x90', '\xfe\xfb\x90'].map(
    (head): [undefined, string] => [undefined, head],
  ),
  [undefined, '\0\0\0\x18ftypheic'],
  [undefined, '\xff\xff\xff\xff'],
])('the bytes of %s are known', (mediaType, head) => {
  expect(sniffMediaType(bytes(head))).toBe(mediaType);
});

it('an empty file is nothing', () => {
  expect(sniffMediaType(Buffer.alloc(0))).toBeUndefined();
});

it('two letters are a bitmap only before a header of 14 bytes', () => {
  const bitmap = (size: number) => Buffer.concat([Buffer.from('BM'), Buffer.alloc(size - 2)]);
  expect(sniffMediaType(bitmap(14))).toBe('image/bmp');
  expect(sniffMediaType(bitmap(13))).toBeUndefined();
});

const png = bytes('\x89PNG\r\n\x1a\n').toString('base64');
const jpeg = bytes('\xff\xd8\xff\xe0\x00\x10JFIF').toString('base64');

it.each([
  ['https://a.example/x.png', { type: 'remote' }],
  [`data:image/png;base64,${png}`, { type: 'inline', declared: 'image/png', payload: png }],
  ['HTTP://a.example/x', { type: 'remote' }],
  ['data:image/svg+xml,<svg/>', { type: 'unread' }],
  [`data:image/png;name=a;base64,${png}`, { type: 'inline', declared: 'image/png', payload: png }],
  [`file://${png}`, { type: 'inline', declared: undefined, payload: png }],
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
