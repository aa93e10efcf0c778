import { describe, expect, test } from 'vitest';
import { toPython } from '../../python/convert.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import type { PyDict } from '../../python/values.ts';
import { buildChat, type Chat } from './chat.ts';
import { runChat } from './chat-inference.ts';
import { createChatParser, parseChat } from './chat-parser.ts';
import { readReader } from './reader.ts';

const reader = readReader({ input_columns: 'q', output_column: 'a' });
const meta = {
  begin: 'not used',
  round: [
    { role: 'HUMAN', begin: '<H>', end: '</H>', api_role: 'H' },
    { role: 'BOT', begin: '<B>', end: '</B>', api_role: 'B' },
  ],
};

function chatOf(row: object, columns = reader): Chat {
  return buildChat({ entry: toPython(row) as PyDict, row: 0, reader: columns });
}

async function run(chat: Chat, inferMode: string): Promise<{ inputs: string[]; results: string }> {
  const inputs: string[] = [];
  const results = await runChat({
    chat,
    inferMode,
    parser: createChatParser(meta, { kind: 'lm', path: [] }),
    index: 0,
    model: ({ input }) => `g${inputs.push(pyStr(input)) - 1}`,
  });
  return { inputs, results: pyRepr(results) };
}

describe('chats from rows', () => {
  test.each<[object, string]>([
    [{ q: 'u', a: 'g', x: 1 }, 'u|g'],
    [{ q: ['u1', 'u2', 'u3'], a: ['g1', 'g2'] }, 'u1|g1|u2|g2'],
    [{ q: [{ role: 'user', content: 'u' }], a: 'x' }, 'u'],
    [{ q: [], a: [] }, ''],
  ])('%j', (row, contents) => {
    const messages = chatOf(row).messages as PyDict[];
    expect(messages.map((each) => pyStr(each.get('content') ?? '')).join('|')).toBe(contents);
  });

  test('anything else is an error', () => {
    expect(() => chatOf({ q: 1, a: 'g' })).toThrow(
      expect.objectContaining({ pythonType: 'ValueError' }),
    );
  });
});

describe('modes', () => {
  const chat = chatOf({ q: ['u1', 'u2'], a: ['g1', 'g2'] });
  test('last: one answer after the true ones', async () => {
    const { inputs, results } = await run(chat, 'last');
    expect(inputs).toEqual(['<H>u1</H><B>g1</B><H>u2</H><B>']);
    expect(results).toContain(`{'0': {'gold': 'g2', 'prediction': 'g0', 'origin_prompt': [{`);
  });

  test('every: its own answers, which also pass for the true ones', async () => {
    expect(await run(chat, 'every')).toEqual({
      inputs: ['<H>u1</H><B>', '<H>u1</H><B>g0</B><H>u2</H><B>'],
      results: `{'0': {'gold': ['g0', 'g1'], 'prediction': ['g0', 'g1'], 'origin_prompt': ['u1', 'u2']}}`,
    });
  });

  test('every_with_gt: the true answers, each filed under the next row', async () => {
    expect(await run(chat, 'every_with_gt')).toEqual({
      inputs: ['<H>u1</H><B>', '<H>u1</H><B>g1</B><H>u2</H><B>'],
      results:
        `{'0': {'gold': ['g1'], 'prediction': ['g0'], 'origin_prompt': ['u1']}, ` +
        `'1': {'gold': ['g2'], 'prediction': ['g1'], 'origin_prompt': ['u2']}}`,
    });
  });

  test('every on a dialogue: by rounds', async () => {
    const columns = readReader({ input_columns: ['dialogue', 'x'], output_column: 'a' });
    const dialogue = [
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'g' },
    ];
    const { results } = await run(chatOf({ dialogue, x: 1, a: 'j' }, columns), 'every');
    expect(results).toBe(
      `{'0': {'prediction': [{'round': 1, 'user': 'u', 'assistant': 'g0'}], 'origin_prompt': None}}`,
    );
  });

  test.each([
    ['last', [], 'IndexError'],
    ['every', [{ role: 'assistant', content: 'x' }], 'IndexError'],
    ['other', [], 'AssertionError'],
  ])('%s of %j', async (mode, q, pythonType) => {
    await expect(run(chatOf({ q, a: 'x' }), mode)).rejects.toMatchObject({ pythonType });
  });
});

test.each<['lm' | 'api', unknown, string]>([
  ['lm', null, `'u\\ng'`],
  ['lm', meta, `'<H>u</H><B>g</B><B>'`],
  ['api', null, `[{'role': 'HUMAN', 'prompt': 'u'}, {'role': 'BOT', 'prompt': 'g'}]`],
  ['api', meta, `[{'role': 'H', 'prompt': 'u'}, {'role': 'B', 'prompt': 'g'}]`],
])('the %s parser of a chat', (kind, metaTemplate, expected) => {
  const parser = createChatParser(metaTemplate, { kind, path: [] });
  const history = toPython([
    { role: 'user', content: 'u' },
    { role: 'assistant', content: 'g' },
  ]);
  expect(pyRepr(parseChat(parser, history as PyDict[]))).toBe(expected);
});
