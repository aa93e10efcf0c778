import { expect, test } from 'vitest';
import { compilePrompt } from '../../prompt/program.ts';
import { createShotPool, tracePrompt } from '../../prompt/render.ts';
import { comparePartOrders } from './part-orders.ts';
import { promptParts } from './prompt-parts.ts';
import { TokenWriter } from './request-tokens.ts';

const characters = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
const writer = new TokenWriter({ tokenize: characters });

const rows = [0, 1, 2, 3].map((index) => ({
  passage: index % 2 === 0 ? 'a long passage' : 'the other passage',
  question: `${index}?`,
  answer: 'x',
}));

function partsOf(settings: Parameters<typeof compilePrompt>[0]) {
  const program = compilePrompt(settings);
  const pool = [{ id: 9, row: { passage: 'p', question: 'q', answer: 'r' } }];
  const shots = createShotPool(program, pool)?.take([0]);
  return rows.map((row, id) => promptParts(tracePrompt(program, { id, row }, shots), writer));
}

test.each<[string, object, string[], string]>([
  [
    'a line goes with its column, the last one stays',
    { template: 'Read.\nText: {passage}\n\nQuestion: {question}\nAnswer:' },
    ['instructions', '{passage}', '{question}'],
    '\nAnswer:',
  ],
  [
    'text between columns is instructions where it has words and a line of its own',
    { template: '{passage}\nNow answer.\n{question}' },
    ['{passage}', 'instructions', '{question}'],
    '',
  ],
  [
    'messages',
    {
      template: {
        begin: [{ role: 'SYSTEM', prompt: 'Read.\n' }],
        round: [{ role: 'HUMAN', prompt: '{question} {passage}' }],
      },
    },
    ['instructions', '{question}', '{passage}'],
    '',
  ],
])('%s', (_, promptTemplate, names, end) => {
  const [first] = partsOf({ promptTemplate: promptTemplate as never });
  expect(first?.parts.map(({ name }) => name)).toEqual(names);
  expect(String.fromCodePoint(...(first?.end ?? []))).toBe(end);
});

test('examples are one part, and what varies least is best put first', () => {
  const prompts = partsOf({
    iceTemplate: { template: 'Q: {question} T: {passage} A: {answer}' },
    promptTemplate: {
      template: 'Read.\nQuestion: {question}\n</E>Text: {passage}\nAnswer: {answer}',
      ice_token: '</E>',
    },
    outputColumn: 'answer',
    hasShots: true,
  });
  const orders = comparePartOrders(prompts, { block: 1 });
  expect(orders?.written.names).toEqual(['instructions', '{question}', 'examples', '{passage}']);
  const [best] = orders?.others ?? [];
  expect(best?.names).toEqual(['instructions', 'examples', '{passage}', '{question}']);
  expect(best?.saved).toBeGreaterThan(2 * (orders?.written.saved ?? 0));
});

test('nothing to say of one part, or of prompts with different parts', () => {
  const part = (name: string) => ({ name, tokens: Uint32Array.of(1) });
  const end = new Uint32Array();
  expect(comparePartOrders([{ parts: [part('a')], end }])).toBeUndefined();
  const mixed = [
    { parts: [part('a'), part('b')], end },
    { parts: [part('a'), part('c')], end },
  ];
  expect(comparePartOrders(mixed)).toBeUndefined();
  expect(comparePartOrders([])).toBeUndefined();
});

test('with many parts, those that vary least come first', () => {
  const prompt = (seed: number) => ({
    parts: ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => ({
      name,
      tokens: Uint32Array.of(index, seed % (6 - index)),
    })),
    end: new Uint32Array(),
  });
  const prompts = Array.from({ length: 60 }, (_, seed) => prompt(seed));
  const orders = comparePartOrders(prompts, { block: 1 });
  expect(orders?.others[0]?.names).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
  expect(orders?.others[0]?.saved).toBeGreaterThan(orders?.written.saved ?? 0);
});
