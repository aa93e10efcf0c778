import { describe, expect, test } from 'vitest';
import { toPython } from '../../python/convert.ts';
import { pyRepr } from '../../python/repr.ts';
import { PromptList, type PyDict } from '../../python/values.ts';
import type { Compat } from '../compat.ts';
import { createTemplate, renderIceItem, renderItem, renderLabelItem } from './any-template.ts';

const entry = toPython({ q: '1+1=?', a: '2', x: 'blah' }) as PyDict;
const opencompass = { compat: 'opencompass', path: ['prompt_template'] } as const;

describe('prompts of a row', () => {
  test.each<[string, unknown, object, string, string]>([
    ['the answer is masked', '{q}\n{a}', {}, '', `'1+1=?\\n'`],
    [
      'examples first, then separators go',
      '</E>{q}',
      { ice_token: '</E>', sep_token: '[S]' },
      'i[S]j',
      `'ij1+1=?'`,
    ],
    [
      'examples are filled again',
      '</E>{q}',
      { ice_token: '</E>' },
      'ex {q}\n',
      `'ex 1+1=?\\n1+1=?'`,
    ],
    [
      'the first label counts',
      new Map([
        ['1', 'L1 {q}{a}'],
        ['2', 'L2'],
      ]),
      {},
      '',
      `'L1 1+1=?'`,
    ],
    ['an empty token is everywhere', 'ab', { ice_token: '' }, '-', `'-a-b-'`],
    [
      'sections have marks, and the end section two that say end',
      { begin: 'B', round: ['{q}'], end: 'E' },
      {},
      '',
      `[{'section': 'begin', 'pos': 'begin'}, 'B', {'section': 'begin', 'pos': 'end'}, ` +
        `{'section': 'round', 'pos': 'begin'}, '1+1=?', {'section': 'round', 'pos': 'end'}, ` +
        `{'section': 'end', 'pos': 'end'}, 'E', {'section': 'end', 'pos': 'end'}]`,
    ],
  ])('%s', (_, template, tokens, ice, expected) => {
    const made = createTemplate({ type: 'PromptTemplate', template, ...tokens }, opencompass);
    const prompt = renderItem(made, { entry, row: 0, outputField: 'a', ice });
    expect(pyRepr(prompt)).toBe(expected);
  });

  test('separators stay in examples', () => {
    const template = createTemplate({ template: 'Q {q}[S]{a}', sep_token: '[S]' }, opencompass);
    expect(pyRepr(renderIceItem(template, { entry, row: 0, label: '2' }))).toBe(`'Q 1+1=?[S]2'`);
  });

  test('labels are found as Python finds keys', () => {
    const template = createTemplate(
      {
        template: new Map<unknown, string>([
          [1, 'one'],
          ['1', 'text'],
        ]),
      },
      opencompass,
    );
    const render = (label: unknown): string =>
      pyRepr(renderLabelItem(template, { entry, row: 0, ice: '', label: toPython(label) }));
    expect([1, true, '1'].map(render)).toEqual([`'one'`, `'one'`, `'text'`]);
    expect(() => render('2')).toThrow(
      expect.objectContaining({ pythonType: 'KeyError', path: ['prompt_template'] }),
    );
  });
});

describe('errors of each system', () => {
  const dialogue = { round: [{ role: 'HUMAN', prompt: '</E>{q}' }] };
  const insert = (compat: Compat) => (): unknown =>
    renderItem(createTemplate({ template: dialogue, ice_token: '</E>' }, { compat, path: [] }), {
      entry,
      row: 0,
      ice: new PromptList(['x']),
    });
  const create = (compat: Compat, config: object) => (): unknown =>
    createTemplate(config, { compat, path: [] });
  test.each<[string, () => unknown, string, string | undefined]>([
    ['a list', create('opencompass', { template: [] }), 'AssertionError', undefined],
    ['a list', create('aisbench', { template: [] }), 'AISBenchValueError', 'ICLR-TYPE-001'],
    ['a number as value', create('opencompass', { template: { a: 1 } }), 'TypeError', undefined],
    [
      'a number as value',
      create('aisbench', { template: { a: 1 } }),
      'AISBenchValueError',
      'ICLR-TYPE-002',
    ],
    [
      'no ice_token in it',
      create('opencompass', { template: 'x', ice_token: 'E' }),
      'LookupError',
      undefined,
    ],
    [
      'no ice_token in it',
      create('aisbench', { template: 'x', ice_token: 'E' }),
      'AISBenchValueError',
      'ICLR-PARAM-001',
    ],
    [
      'an unknown key',
      create('opencompass', { template: 'x', column_token_map: {} }),
      'TypeError',
      undefined,
    ],
    [
      'raw messages',
      create('aisbench', { type: 'RawPromptTemplate', messages: [] }),
      'KeyError',
      undefined,
    ],
    [
      'a wrong role',
      create('opencompass', {
        type: 'RawPromptTemplate',
        messages: [{ role: 'HUMAN', content: '' }],
      }),
      'ValueError',
      undefined,
    ],
    ['dialogues in a prompt', insert('opencompass'), 'TypeError', undefined],
    ['dialogues in a prompt', insert('aisbench'), 'AISBenchTypeError', 'UTILS-TYPE-001'],
  ])('%s: %#', (_, step, pythonType, pythonCode) => {
    expect(step).toThrow(expect.objectContaining({ pythonType, pythonCode }));
  });
});

test('raw messages take examples as they are and columns as they come', () => {
  const template = createTemplate(
    {
      type: 'opencompass.RawPromptTemplate',
      messages: [
        '</E>',
        'dropped',
        { expand_column: 'history' },
        { role: 'user', content: '{q} {a}' },
      ],
    },
    opencompass,
  );
  const row = entry.with('history', toPython([{ role: 'user', content: '{q}' }]));
  const ice = toPython([{ role: 'user', content: 'i {q}' }]);
  expect(pyRepr(renderItem(template, { entry: row, row: 0, outputField: 'a', ice }))).toBe(
    `[{'role': 'user', 'content': 'i {q}'}, {'role': 'user', 'content': '{q}'}, {'role': 'user', 'content': '1+1=? 2'}]`,
  );
});
