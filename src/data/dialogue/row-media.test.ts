import { expect, it } from 'vitest';
import { mediaColumns, rowMedium } from './row-media.ts';

const image = (url: string) => ({ type: 'image_url', image_url: { url } });

it.each([
  [image('a.png'), { type: 'image', shown: 'a.png' }],
  [
    { type: 'image_url', image_url: { url: 'a.png', detail: 'low' } },
    {
      type: 'image',
      shown: { type: 'image_url', image_url: { url: 'a.png', detail: 'low' } },
    },
  ],
  [
    { ...image('a.png'), fps: 2 },
    { type: 'image', shown: { ...image('a.png'), fps: 2 } },
  ],
  [{ type: 'text', text: 'a.png' }, undefined],
])('%j: what it says beside its source is kept', (part, expected) => {
  expect(rowMedium(part)).toEqual(expected);
});

it.each([
  [{ images: ['a'] }, [], { image: 'a' }],
  [{ images: ['a', 'b'] }, [], { image: ['a', 'b'] }],
  [{ images: [] }, [], { image: [] }],
  [{ images: 'a', audios: ['s'], videos: null }, [], { image: 'a', audio: 's', video: null }],
  // Its own column stays, and is not written again.
  [{ image: 'own', images: ['a'] }, [], {}],
  [{ images: ['a'] }, ['m'], { image: ['m'] }],
  [{ image: 'own' }, ['m', 'n'], { image: ['m', 'n', 'own'] }],
  [{ image: ['x', 'y'] }, ['m'], { image: ['m', 'x', 'y'] }],
  [{ image: null }, ['m'], { image: ['m'] }],
  [{ question: 'q' }, [], {}],
])('%j with the media %j of its messages', (row, shown, columns) => {
  const media = shown.map((source) => ({ type: 'image' as const, shown: source }));
  expect(mediaColumns(row, media)).toEqual(columns);
});
