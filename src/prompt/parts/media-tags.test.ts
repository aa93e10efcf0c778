import { expect, test } from 'vitest';
import type { Modality } from './content.ts';
import { splitAtTags } from './media-tags.ts';

const textsOf = (text: string, ...types: Modality[]) =>
  splitAtTags({ text, origin: { type: 'field', field: 'q' } } as never, new Set(types)).map(
    (piece) => (typeof piece === 'string' ? piece : piece.text),
  );

test('a text is cut at the marks of the media that it has, and at no others', () => {
  const text = 'a\n<image>\nb <audio> c';
  expect(textsOf(text, 'image')).toEqual(['a', 'image', 'b <audio> c']);
  expect(textsOf(text, 'audio')).toEqual(['a\n<image>\nb ', 'audio', ' c']);
  expect(textsOf(text)).toEqual([text]);
  expect(textsOf('<image><image>', 'image')).toEqual(['image', 'image']);
});
