import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCommand } from './call-command.ts';
import { type DatasetRun, runDataset, type SentBody } from './run-dataset.ts';

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: '{system}' };

function inTurns(inferencer: object = {}, template: object = {}, more: object = {}) {
  return {
    prompt_template: { type: 'MultiTurnPromptTemplate', template: { round, ...template } },
    inferencer: { type: 'MultiTurnGenInferencer', ...inferencer },
    ...more,
  };
}

/** A model of the package itself; nothing is sent. */
const local = { type: 'Local', path: 'typecase-tiny', base_url: undefined, model: undefined };

/** The row of the document. */
const row = { question: ['1+1=?', '2+2=?', '3+3=?'], answer: ['2', '4', '6'] };

const saidIn = ({ messages }: SentBody) => messages.map(({ content }) => content);
const rolesIn = ({ messages }: SentBody) => messages.map(({ role }) => role);

describe('the requests of a dialogue', () => {
  it.each([
    ['every', undefined],
    ['every_with_gt', undefined],
    ['last', undefined],
    ['every', 'aisbench'],
    ['every_with_gt', 'aisbench'],
  ])('are those of the document with %s, compat %s', async (infer_mode, compat) => {
    const infer = inTurns({ infer_mode, max_out_len: [11, 22] });
    const { code, bodies, records } = await runDataset({
      rows: [row],
      infer,
      model: { ...(compat && { compat }) },
    });
    expect(code).toBe(0);
    const answer = (turn: number) =>
      infer_mode === 'every'
        ? (bodies[turn + 1]?.messages[turn * 2 + 1]?.content ?? '')
        : undefined;
    const [first = row.answer[0], second = row.answer[1]] = [answer(0), answer(1)];
    const turns = [
      ['1+1=?'],
      ['1+1=?', first, '2+2=?'],
      ['1+1=?', first, '2+2=?', second, '3+3=?'],
    ];
    const asked = infer_mode === 'last' ? turns.slice(2) : turns;
    expect(bodies.map(saidIn)).toEqual(asked);
    for (const body of bodies) {
      const roles = body.messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant'));
      expect(rolesIn(body)).toEqual(roles);
    }
    const limits = compat ? [11, 11, 11] : [11, 22, 22];
    expect(bodies.map((body) => body.max_tokens)).toEqual(
      infer_mode === 'last' ? limits.slice(2) : limits,
    );
    expect(records).toMatchObject([{ outcome: 'scored' }]);
  });

  it.each([
    [undefined, 'Be kind.', 'What is 1+1=? (kind)'],
    ['aisbench', 'Be {style}.', 'What is 1+1=? ({style})'],
  ])('fill in other columns than those of the turns: compat %s', async (compat, begun, said) => {
    const begin = [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Be {style}.' }];
    const asked = [{ role: 'HUMAN', prompt: 'What is {question} ({style})' }, round[1]];
    const { code, bodies } = await runDataset({
      rows: [{ ...row, style: 'kind' }],
      infer: inTurns({}, { begin, round: asked }),
      model: { ...(compat && { compat }) },
    });
    expect([code, bodies[0]?.messages]).toEqual([
      0,
      [
        { role: 'system', content: begun },
        { role: 'user', content: said },
      ],
    ]);
  });

  it('end with the crash of AISBench where its last mode ends so', async () => {
    const infer = inTurns({ infer_mode: 'last' });
    const { bodies, stderr, records } = await runDataset({
      rows: [row],
      infer,
      model: { compat: 'aisbench' },
    });
    expect(bodies).toEqual([]);
    expect(`${stderr}${JSON.stringify(records)}`).toContain('compat.recursion_error');
  });

  const conversations = [
    { from: 'human', value: 'Hi' },
    { from: 'gpt', value: 'Ho' },
    { from: 'human', value: 'Bye' },
    { from: 'gpt', value: 'So long' },
  ];
  const spoken = { conversations: [{ from: 'system', value: 'Be kind.' }, ...conversations] };
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ho' },
  ];

  it.each<[string, DatasetRun, string[]]>([
    [
      'ShareGPT rows with and without a system message',
      {
        rows: [spoken, { conversations }],
        infer: inTurns({ infer_mode: 'last' }, { begin: [system] }),
        dataset: { type: 'ShareGPT' },
      },
      ['system user assistant user', 'user assistant user'],
    ],
    [
      'MTBench rows, which have none',
      {
        rows: [{ turns: ['Hi', 'Bye'] }],
        infer: inTurns({ infer_mode: 'every' }, { begin: [system] }),
        dataset: { type: 'MTBench' },
      },
      ['user', 'user assistant user'],
    ],
    [
      'Messages rows',
      {
        rows: [{ messages }],
        infer: inTurns({}, { begin: [system] }),
        dataset: { type: 'Messages' },
      },
      ['system user'],
    ],
  ])('are made of %s', async (_, given, roles) => {
    const { code, stderr, bodies } = await runDataset(given);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(bodies.map((body) => rolesIn(body).join(' '))).toEqual(roles);
    for (const body of bodies) expect(JSON.stringify(body)).not.toContain('{system}');
  });

  it('are texts for a model that takes text', async () => {
    const { code, bodies } = await runDataset({
      rows: [row],
      infer: inTurns({ infer_mode: 'every_with_gt' }),
      model: { type: 'OpenAICompletions', meta_template: 'chatml' },
    });
    expect(code).toBe(0);
    expect(bodies.map(({ prompt }) => prompt).slice(0, 2)).toEqual([
      '<|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n',
      '<|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n<|im_start|>user\n2+2=?<|im_end|>\n<|im_start|>assistant\n',
    ]);
  });

  it('are what a local model answers', async () => {
    const { code, records } = await runDataset({
      rows: [row],
      infer: inTurns({ max_out_len: 2 }),
      model: local,
    });
    expect(code).toBe(0);
    expect(records).toMatchObject([{ outcome: 'scored', metrics: { turn_3: expect.anything() } }]);
  });
});

const iceTemplate = { type: 'PromptTemplate', template: { round } };
const shown = { train: 'rows.jsonl', test: 'rows.jsonl' };
const fixK = { type: 'FixKRetriever', fix_id_list: [0] };

describe('a dialogue is refused before anything is sent', () => {
  it.each<[string, Partial<DatasetRun>, string]>([
    [
      'with examples',
      {
        infer: inTurns({}, {}, { ice_template: iceTemplate, retriever: fixK }),
        dataset: { path: shown },
      },
      'template.turns_have_no_examples',
    ],
    [
      'with examples, as AISBench does',
      {
        infer: inTurns(
          {},
          {},
          {
            ice_template: { ...iceTemplate, type: 'MultiTurnPromptTemplate' },
            prompt_template: {
              type: 'MultiTurnPromptTemplate',
              template: { begin: [{ role: 'HUMAN', prompt: '</E>' }], round },
              ice_token: '</E>',
            },
            retriever: fixK,
          },
        ),
        dataset: { path: shown },
        model: { compat: 'aisbench' },
      },
      'MultiTurnPromptTemplate cannot be used for examples',
    ],
    [
      'in a template of one prompt',
      { infer: { ...inTurns(), prompt_template: iceTemplate } },
      'MultiTurnPromptTemplate',
    ],
    [
      'by an inferencer that compares labels',
      {
        infer: inTurns({ type: 'PPLInferencer', labels: ['a'] }),
        model: local,
      },
      'template.not_in_turns',
    ],
  ])('%s', async (_, given, told) => {
    const { code, stderr, bodies, records } = await runDataset({
      rows: [row],
      infer: inTurns(),
      ...given,
    });
    expect(bodies).toEqual([]);
    expect(code).not.toBe(0);
    expect(`${stderr}${JSON.stringify(records)}`).toContain(told);
  });
});

describe('columns of a dialogue', () => {
  it('that no row has are warned about, those that a row lacks fail it', async () => {
    const begin = [{ role: 'SYSTEM', prompt: 'Be {style}, {nope}.' }];
    const { stderr, bodies, records } = await runDataset({
      rows: [{ ...row, style: 'kind' }, row, { ...row, question: ['1+1=?', null, '3+3=?'] }],
      infer: inTurns({ infer_mode: 'every_with_gt' }, { begin }),
    });
    expect(stderr).toContain('`{nope}` is not a column');
    expect(records.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'scored',
      'the row has no column `style`',
      'the row has no column `style`',
    ]);
    expect(bodies).toHaveLength(3);
  });

  it.each([
    ['every', { question: ['Hi', null], answer: ['a', 'b'] }, 0, '`question[1]` is null'],
    ['every', { question: ['Hi', 'Bye'], answer: [null, 'b'] }, 2, undefined],
    ['every_with_gt', { question: ['Hi', 'Bye'], answer: [null, 'b'] }, 0, '`answer[0]` is null'],
    ['last', { question: ['Hi', 'Bye'], answer: [null, 'b'] }, 0, '`answer[0]` is null'],
    ['last', { question: ['Hi', 'Bye'] }, 0, 'the row has no column `answer`'],
  ])(
    'with %s and %j fail it where nothing would be sent as text',
    async (mode, own, sent, told) => {
      const { bodies, records } = await runDataset({
        rows: [row, own],
        infer: inTurns({ infer_mode: mode }),
      });
      expect(bodies.length - (mode === 'last' ? 1 : 3)).toBe(sent);
      if (told === undefined) expect(records[1]?.outcome).not.toBe('failed');
      else
        expect(records[1]).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining(told),
        });
    },
  );
});

it.each<[string, object, unknown, unknown]>([
  ['a text', { prompt_template: { template: '{question} ({hint})' } }, '1+1=?', '2+2=?'],
  [
    'a dialogue',
    {
      prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question} ({hint})' }] } },
    },
    '1+1=?',
    '2+2=?',
  ],
  [
    'turns',
    inTurns({}, { round: [{ role: 'HUMAN', prompt: '{question} ({hint})' }, round[1]] }),
    ['1+1=?'],
    ['2+2=?'],
  ],
])('a column that the first row lacks is one, in %s: rows without it fail', async (...given) => {
  const [, infer, one, two] = given;
  const { stderr, bodies, records } = await runDataset({
    rows: [
      { question: one, answer: 'x' },
      { question: two, answer: 'x', hint: 'even' },
    ],
    infer,
  });
  expect(bodies.map(saidIn)).toEqual([['2+2=? (even)']]);
  expect(records[0]).toMatchObject({ reason: 'the row has no column `hint`' });
  expect(stderr).not.toContain('warning');
});

it('a null is an error by name in prompts of all kinds', async () => {
  const text = { prompt_template: { template: '{a} {b}' } };
  const parts = [
    { type: 'text', text: '{b}' },
    { type: 'image_url', image_url: { url: '{a}', detail: '{b}' } },
  ];
  const address = 'https://a.example/a.png';
  const kinds = [
    text,
    { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{a} {b}' }] } } },
    {
      prompt_template: { type: 'RawPromptTemplate', messages: [{ role: 'user', content: '{b}' }] },
    },
    {
      prompt_template: {
        type: 'RawPromptTemplate',
        messages: [{ role: 'user', content: parts.slice(1) }],
      },
    },
    {
      prompt_template: { type: 'RawPromptTemplate', messages: [{ role: 'user', content: parts }] },
    },
  ];
  for (const infer of kinds) {
    const { bodies, records } = await runDataset({
      rows: [
        { a: address, b: 'x', answer: 'x' },
        { a: address, b: null, answer: 'x' },
      ],
      infer: { ...infer, inferencer: { type: 'GenInferencer' } },
    });
    expect(bodies).toHaveLength(1);
    expect(records[1]?.reason).toContain('`b` is null');
  }
});

it('turns are counted, in their order', async () => {
  const long = Array.from({ length: 11 }, (_, turn) => `${turn}+1`);
  const rows = [row, { question: long, answer: long }];
  const first = await runDataset({ rows, infer: inTurns({ infer_mode: 'every_with_gt' }) });
  const { results } = JSON.parse(first.stdout);
  const metrics: { name: string; rows?: number }[] = results[0].metrics;
  expect(metrics.map(({ name, rows }) => [name, rows])).toEqual([
    ...Array.from({ length: 11 }, (_, turn) => [`turn_${turn + 1}`, turn < 3 ? 2 : 1]),
    ['all_turns', undefined],
  ]);
  const out = join(first.folder, 'out');
  const table = await callCommand(['score', out]);
  expect(table.stdout).toMatch(/turn_2 .* 2 *\n *turn_3 .* 2 *\n *turn_4 .* 1\/2 *\n/);
});
