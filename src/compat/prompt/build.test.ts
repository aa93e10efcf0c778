import { describe, expect, test } from 'vitest';
import { untrace } from '../../prompt/prompt.ts';
import { buildCompatPrompt, type CompatConfig, compatLabels, prepareCompat } from './build.ts';

const shots = [
  { id: 's0', row: { q: 'q0', a: 'a0' } },
  { id: 's1', row: { q: 'q1', a: 'a1' } },
];
const row = { id: 'r', row: { q: 'Q', a: 'A' } };
const reader = { input_columns: ['q'], output_column: 'a' };
const chatMeta = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
};
const dialogue = {
  begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'sys' }, '</E>'],
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '{a}' },
  ],
};

const fewShot: CompatConfig = {
  compat: 'opencompass',
  iceTemplate: { type: 'PromptTemplate', template: '{q}={a}' },
  promptTemplate: { type: 'PromptTemplate', template: '</E>{q}={a}', ice_token: '</E>' },
  reader,
  retriever: { type: 'FixKRetriever' },
  model: { kind: 'text' },
};

describe('generation prompts', () => {
  test('text with examples', () => {
    const { prompt } = buildCompatPrompt(prepareCompat(fewShot), { row, shots, mode: 'gen' });
    expect(untrace(prompt)).toEqual({ type: 'text', text: 'q0=a0\nq1=a1\nQ=' });
    const spans = prompt.type === 'text' ? prompt.spans : [];
    expect(
      spans.map(({ text, origin }) => [text, origin.type, 'shot' in origin ? origin.shot : null]),
    ).toEqual([
      ['q0', 'field', 0],
      ['=', 'literal', 0],
      ['a0', 'field', 0],
      ['\n', 'separator', null],
      ['q1', 'field', 1],
      ['=', 'literal', 1],
      ['a1', 'field', 1],
      ['\n', 'separator', null],
      ['Q', 'field', null],
      ['=', 'literal', null],
      ['', 'mask', null],
    ]);
  });

  test('messages, from a dialogue that serves as its own example', () => {
    const setup = prepareCompat({
      ...fewShot,
      promptTemplate: undefined,
      iceTemplate: { type: 'PromptTemplate', template: dialogue, ice_token: '</E>' },
      model: { kind: 'chat', metaTemplate: chatMeta },
    });
    const { prompt } = buildCompatPrompt(setup, { row, shots: shots.slice(0, 1), mode: 'gen' });
    expect(untrace(prompt)).toEqual({
      type: 'messages',
      messages: [
        { role: 'user', content: 'sys\nq0' },
        { role: 'assistant', content: 'a0' },
        { role: 'user', content: 'Q' },
      ],
    });
  });

  test('raw messages are sent as they are', () => {
    const setup = prepareCompat({
      ...fewShot,
      iceTemplate: undefined,
      promptTemplate: {
        type: 'RawPromptTemplate',
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: '{q}' },
        ],
      },
      model: { kind: 'chat' },
    });
    const { prompt } = buildCompatPrompt(setup, { row, shots: [], mode: 'gen' });
    expect(untrace(prompt)).toMatchObject({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'Q' },
      ],
    });
  });

  test.each([
    [undefined, 'q0=a0\nq1=a1\nQ=[M]'],
    [5, 'q0=a0\nQ=[M]'],
    [0, '\nQ=[M]'],
  ])('with max_seq_len %s', (max_seq_len, text) => {
    const inferencer = { gen_field_replace_token: '[M]', max_seq_len };
    const setup = prepareCompat({ ...fewShot, inferencer });
    const { prompt } = buildCompatPrompt(setup, { row, shots, mode: 'gen' });
    expect(untrace(prompt)).toMatchObject({ text });
  });

  test('an extra prompt is laid over the row', () => {
    const inferencer = { type: 'AttackInferencer', extra_prompt: { q: 'other' } };
    const setup = prepareCompat({ ...fewShot, inferencer });
    const { prompt } = buildCompatPrompt(setup, { row, shots: [], mode: 'gen' });
    expect(untrace(prompt)).toMatchObject({ text: '\nother=' });
  });
});

test('label prompts, one for each label in order', () => {
  const setup = prepareCompat({
    ...fewShot,
    iceTemplate: undefined,
    promptTemplate: {
      template: new Map([
        [1, '{q} yes'],
        [0, '{q} no'],
      ]),
    },
    retriever: { type: 'ZeroRetriever' },
  });
  const texts = compatLabels(setup, []).map((label) =>
    untrace(buildCompatPrompt(setup, { row, shots: [], mode: 'ppl', label }).prompt),
  );
  expect(texts).toMatchObject([{ text: 'Q yes' }, { text: 'Q no' }]);
});

test('labels of a string template are the answers, each once', () => {
  const rows = [{ a: 1 }, { a: 'x' }, { a: true }];
  expect(compatLabels(prepareCompat(fewShot), rows)).toEqual([1, 'x']);
});

describe('errors', () => {
  const build =
    (config: Partial<CompatConfig>, examples = shots) =>
    (): unknown =>
      buildCompatPrompt(prepareCompat({ ...fewShot, ...config }), {
        row,
        shots: examples,
        mode: 'gen',
      });
  test.each<[string, () => unknown, object]>([
    [
      'no template',
      build({ iceTemplate: null, promptTemplate: null }, []),
      { code: 'compat.not_implemented_error' },
    ],
    ['no ice_template', build({ iceTemplate: null }), { code: 'compat.assertion_error' }],
    [
      'no ice_template in AISBench',
      build({ iceTemplate: null, compat: 'aisbench' }),
      { code: 'compat.aisbench_value_error', pythonCode: 'ICLR-PARAM-002' },
    ],
    [
      'no ice_token',
      build({ promptTemplate: { template: '{q}' } }),
      { pythonMessage: 'ice_token of prompt_template is not provided' },
    ],
    [
      'no answer in an example',
      build({ reader: { input_columns: [], output_column: 'z' } }),
      { pythonMessage: "'z'" },
    ],
    [
      'no columns',
      build({ reader: {} }),
      { pythonType: 'TypeError', path: ['reader_cfg', 'input_columns'] },
    ],
    [
      'a location in a template',
      build({ promptTemplate: { template: 3 }, paths: { promptTemplate: ['datasets', 0, 'p'] } }),
      { path: ['datasets', 0, 'p'] },
    ],
    [
      'a row that is no mapping',
      build({}, [{ id: 's', row: [] as never }]),
      { code: 'compat.not_a_mapping' },
    ],
  ])('%s', (_, step, expected) => {
    expect(step).toThrow(expect.objectContaining({ ...expected, hint: expect.any(String) }));
  });
});
