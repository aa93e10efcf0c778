import { expect, test } from 'vitest';
import { parseEmbeddingLayer } from './embedding-layer.ts';

test.each([
  ['prompt:384:0.82', { name: 'prompt', dims: 384, threshold: 0.82 }],
  ['vision:512', { name: 'vision', dims: 512, threshold: 0.85 }],
  [' own : 8 : -.5 ', { name: 'own', dims: 8, threshold: -0.5 }],
])('%s', (text, expected) => {
  expect(parseEmbeddingLayer(text)).toEqual(expected);
});

test.each([
  ['prompt', '`prompt:384:0.85`'],
  ['promt:0.9:512', '`prompt:512:0.9`'],
  ['vison:a', '`vision:384:0.85`'],
  ['prompt:0', '`prompt:384:0.85`'],
  ['prompt:8:1.5', '`prompt:8:0.85`'],
  ['prompt:8:0.5:x', '`prompt:8:0.5`'],
  [':4', '`prompt:4:0.85`'],
  ['', '`prompt:384:0.85`'],
])('%j is put right as %s', (text, suggestion) => {
  const path = ['embedding_layers', 0];
  expect(() => parseEmbeddingLayer(text, path)).toThrow(
    expect.objectContaining({
      code: 'gqa.bad_embedding_layer',
      path,
      hint: expect.stringContaining(suggestion),
    }),
  );
});
