import { expect, it } from 'vitest';
import { dialogueReader, dialogueStream } from './dialogue-rows.ts';

const say = (...parts: [string, string][]) => ({
  conversations: parts.map(([from, value]) => ({ from, value })),
});

it.each([
  [
    'ShareGPT',
    say(['human', 'a'], ['gpt', 'b'], ['human', 'c'], ['gpt', 'd']),
    [
      ['a', 'c'],
      ['b', 'd'],
    ],
  ],
  ['ShareGPT', say(['gpt', 'x'], ['human', 'a'], ['gpt', 'b']), [['a'], ['b']]],
  [
    'ShareGPT',
    say(['human', 'a'], ['human', 'b'], ['gpt', 'c'], ['gpt', 'd']),
    [['a\nb'], ['c\nd']],
  ],
  [
    'ShareGPT',
    say(['human', 'a'], ['gpt', 'b'], ['human', 'c']),
    [
      ['a', 'c'],
      ['b', ''],
    ],
  ],
  ['ShareGPT', say(['human', 'a'], ['tool', 'x'], ['gpt', 'b']), [[], []]],
  ['ShareGPT', say(['human', 'a'], ['gpt', 'b'], ['system', 'x'], ['human', 'c']), [[], []]],
  ['ShareGPT', { conversations: 'broken' }, [[], []]],
  [
    'MTBench',
    { turns: ['a', 'b'], reference: ['c', 'd'] },
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'MTBench',
    { prompt: ['a', 'b'], reference: [] },
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['MTBench', { prompt: ['a'], reference: 'c' }, [['a'], ['c']]],
  [
    'MTBench',
    { turns: ['a', 'b'], reference: 'c' },
    [
      ['a', 'b'],
      ['', 'c'],
    ],
  ],
  ['MTBench', { prompt: 'a', reference: 'c' }, [['a'], ['c']]],
  ['ais_bench.datasets.MTBenchDataset', { turns: ['a'] }, [['a'], ['']]],
  [
    'Messages',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'assistant', content: 'c' },
      ],
    },
    [['a\nb'], ['c']],
  ],
])('a row of %s becomes lists: %j', (type, row, [question, answer]) => {
  expect(dialogueReader(type)?.(row)).toEqual({ ...row, question, answer });
});

it('what the system says is a column of its own', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'a' },
  ];
  expect(dialogueReader('Messages')?.({ messages })).toMatchObject({ system: 'Be kind.' });
});

it('other types leave rows as they are', () => {
  const stream = {
    batches: async function* () {
      yield [];
    },
    count: async () => 0,
    describe: async () => ({ files: [], rowsRead: 0 }),
  };
  expect(dialogueStream(stream, 'GSM8KDataset')).toBe(stream);
  expect(dialogueStream(stream, undefined)).toBe(stream);
});
