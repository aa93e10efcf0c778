import { expect, test } from 'vitest';
import type { Content } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { requestReader, type TokenCounting } from './request-tokens.ts';

const text = (content: string): Prompt => ({ type: 'text', text: content });
const chat = (...messages: [role: string, content: Content][]): Prompt => ({
  type: 'messages',
  messages: messages.map(([role, content]) => ({ role, content })),
});
const image = (source: string, sha256?: string) =>
  ({
    type: 'image',
    source,
    ...(sha256 && {
      content: { sha256, mediaType: 'image/png', bytes: 1, address: async () => '' },
    }),
  }) as const;
const words = (part: string): Content => [{ type: 'text', text: part }];
const characters: TokenCounting = {
  tokenize: (content) => Array.from(content, (character) => character.codePointAt(0) ?? 0),
};

function requestTokens(prompt: Prompt, answer: string | undefined, counting: TokenCounting) {
  return requestReader(counting)(prompt, answer);
}

function shared(left: Prompt, right: Prompt, counting: TokenCounting): number {
  const [one, other] = [left, right].map(
    (prompt) => requestTokens(prompt, undefined, counting).tokens,
  );
  const end = one?.findIndex((token, index) => token !== other?.[index]) ?? 0;
  return end < 0 ? (one?.length ?? 0) : end;
}

test.each<[Prompt, Prompt, number]>([
  [text('abc'), text('abd'), 2],
  [text('abc'), text('abc'), 3],
  [text('ab'), text('abc'), 2],
  [text(''), text('a'), 0],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'ab'], ['user', 'cd']), 3],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'abx'], ['user', 'c']), 2],
  [chat(['system', 'ab'], ['user', 'c']), chat(['system', 'ab'], ['assistant', 'c']), 2],
  [chat(['user', 'ab'], ['user', 'c']), chat(['user', 'abc']), 2],
  [chat(['user', 'ab']), chat(['user', 'ab'], ['assistant', 'c']), 2],
  [chat(['user', words('ab')]), chat(['user', 'abc']), 2],
  [
    { type: 'text', text: 'ab', pieces: [[97], 'b'] },
    { type: 'text', text: 'ac', pieces: [[97], 'c'] },
    1,
  ],
])('%j and %j share %i', (left, right, length) => {
  expect(shared(left, right, characters)).toBe(length);
  expect(shared(right, left, characters)).toBe(length);
});

test('images are what they hold, with as many tokens as they are said to have', () => {
  const asked = (medium: ReturnType<typeof image>, order: 'first' | 'last') => {
    const question = { type: 'text', text: 'what?' } as const;
    return chat(['user', order === 'first' ? [medium, question] : [question, medium]]);
  };
  const four = { ...characters, imageTokens: 4 };
  expect(requestTokens(asked(image('a'), 'first'), undefined, four).tokens).toHaveLength(9);
  expect(shared(asked(image('a'), 'first'), asked(image('b'), 'first'), four)).toBe(0);
  expect(shared(asked(image('a', '1'), 'first'), asked(image('b', '1'), 'first'), four)).toBe(9);
  expect(shared(asked(image('a'), 'last'), asked(image('b'), 'last'), four)).toBe(5);
  expect(shared(asked(image('a'), 'first'), asked(image('b'), 'first'), characters)).toBe(0);
  expect(shared(asked(image('a'), 'first'), asked(image('a'), 'first'), characters)).toBe(5);
});

test('a next turn begins with the prompt and the answer', () => {
  for (const counting of [characters, {}]) {
    const first = requestTokens(chat(['user', 'hello there']), 'and to you', counting);
    const next = requestTokens(
      chat(['user', 'hello there'], ['assistant', 'and to you'], ['user', 'goodbye']),
      undefined,
      counting,
    ).tokens;
    const whole = [...first.tokens, ...(first.answer ?? [])];
    expect([...next.subarray(0, whole.length)]).toEqual(whole);
    expect(first.answer?.length).toBeGreaterThan(1);
  }
});

test('without a tokenizer a token has four bytes, over the bounds of messages', () => {
  const count = (prompt: Prompt) => requestTokens(prompt, undefined, {}).tokens.length;
  expect(count(text('日本語'))).toBe(2);
  expect(count(chat(['system', 'abc'], ['user', 'def']))).toBe(1);
  const pictured = (before: string) =>
    chat(['user', [{ type: 'text', text: before }, image('a'), { type: 'text', text: 'after' }]]);
  const two = { imageTokens: 2 };
  expect(requestTokens(pictured('before'), undefined, two).tokens).toHaveLength(4);
  expect(shared(pictured('before'), pictured('befora'), two)).toBe(1);
  expect(shared(pictured('before'), pictured('before'), two)).toBe(4);
});
