import { describe, expect, it } from 'vitest';
import vectors from './nltk-words.fixture.json' with { type: 'json' };
import { splitNltkWords, splitSentenceWords } from './nltk-words.ts';

describe("NLTK's words", () => {
  it.each(vectors.words)('of the sentence $text', ({ text, tokens }) => {
    expect(splitSentenceWords(text)).toEqual(tokens);
  });

  it.each(vectors.texts)('of the text $text', ({ text, tokens }) => {
    expect(splitNltkWords(text)).toEqual(tokens);
  });
});
