import { describe, expect, it } from 'vitest';
import { chatApiFormat, type ModelFormat, plainFormat } from './format.ts';
import { parseMetaTemplate } from './meta-template.ts';
import { compilePrompt } from './program.ts';
import { createShotPool, fillPrompt } from './render.ts';

const tags = {
  begin: '[BEG]',
  end: '[END]',
  round: [
    { role: 'HUMAN', begin: '<H>', end: '</H>' },
    { role: 'BOT', begin: '<B>', end: '</B>', generate: true },
  ],
};
const withSystem = { ...tags, reserved_roles: [{ role: 'SYSTEM', begin: '<S>', end: '</S>' }] };
const withThoughts = {
  ...tags,
  round: [
    tags.round[0],
    { role: 'THOUGHTS', begin: '<T>', end: '</T>', prompt: 'None' },
    tags.round[1],
  ],
};
const text = (meta: unknown): ModelFormat => ({
  type: 'text',
  meta: parseMetaTemplate(meta, 'text', ['meta_template']),
});
const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const system = (prompt: string) => ({ role: 'SYSTEM', fallback_role: 'HUMAN', prompt });

function render(template: unknown, format: ModelFormat, mode: 'gen' | 'ppl' = 'gen') {
  const settings = { promptTemplate: { template }, format, outputColumn: 'a' };
  const prompt = fillPrompt(compilePrompt(settings, mode), { q: 'Q', a: 'gold' });
  return prompt.type === 'text'
    ? prompt.text
    : prompt.messages.map((m) => `${m.role}: ${m.content}`);
}

describe('text models', () => {
  it.each([
    [
      'answers from the generation point',
      [human('{q}'), bot('{a} ans')],
      '[BEG]<H>Q</H><B>',
      '[BEG]<H>Q</H><B> ans</B>[END]',
    ],
    [
      'is given what the answer begins with',
      [human('{q}'), bot('ans {a}')],
      '[BEG]<H>Q</H><B>ans',
      '[BEG]<H>Q</H><B>ans </B>[END]',
    ],
    [
      'is not given columns before the answer',
      [human('{q}'), bot('{q} ans {a}')],
      '[BEG]<H>Q</H><B>',
      '[BEG]<H>Q</H><B>Q ans </B>[END]',
    ],
    ['writes only the turns it is given', [human('{q}')], '[BEG]<H>Q</H><B>', '[BEG]<H>Q</H>[END]'],
    [
      'puts no empty answer between two questions',
      [human('1'), human('2')],
      '[BEG]<H>1</H><H>2</H><B>',
      '[BEG]<H>1</H><H>2</H>[END]',
    ],
    [
      'may begin with an answer',
      [bot('hi'), human('2'), bot('two')],
      '[BEG]<B>hi</B><H>2</H><B>',
      '[BEG]<B>hi</B><H>2</H><B>two</B>[END]',
    ],
    ['needs no turns at all', [], '[BEG]<B>', '[BEG][END]'],
    [
      'writes several rounds',
      [human('1'), bot('one'), human('{q}'), bot('{a}')],
      '[BEG]<H>1</H><B>one</B><H>Q</H><B>',
      '[BEG]<H>1</H><B>one</B><H>Q</H><B></B>[END]',
    ],
    [
      'a system turn inside the round falls back',
      [system('s'), human('{q}')],
      '[BEG]<H>s</H><H>Q</H><B>',
      '[BEG]<H>s</H><H>Q</H>[END]',
    ],
  ])('%s', (_name, round, gen, ppl) => {
    expect(render({ round }, text(tags), 'gen')).toBe(gen);
    expect(render({ round }, text(tags), 'ppl')).toBe(ppl);
  });

  it.each([
    ['in begin', { begin: [system('s')], round: [human('{q}')] }, '[BEG]<S>s</S><H>Q</H><B>'],
    [
      'first in the round',
      { round: [system('s'), human('{q}'), bot('{a}')] },
      '[BEG]<S>s</S><H>Q</H><B>',
    ],
    [
      'between question and answer',
      { round: [human('{q}'), system('s'), bot('{a}')] },
      '[BEG]<H>Q</H><S>s</S><B>',
    ],
    ['after the question', { round: [human('{q}'), system('s')] }, '[BEG]<H>Q</H><S>s</S><B>'],
    [
      'between rounds',
      { round: [human('1'), bot('one'), system('s'), human('{q}')] },
      '[BEG]<H>1</H><B>one</B><S>s</S><H>Q</H><B>',
    ],
  ])('a reserved role keeps its position: %s', (_name, template, expected) => {
    expect(render(template, text(withSystem))).toBe(expected);
  });

  it('writes default prompts, which the dataset may override', () => {
    expect(render({ round: [human('{q}')] }, text(withThoughts))).toBe(
      '[BEG]<H>Q</H><T>None</T><B>',
    );
    const round = [human('{q}'), { role: 'THOUGHTS', prompt: 'hm' }];
    expect(render({ round }, text(withThoughts))).toBe('[BEG]<H>Q</H><T>hm</T><B>');
  });

  it('lets the dataset override begin, end and generate', () => {
    const round = [
      { ...human('{q}'), begin: '(', end: ')' },
      { ...bot('x'), generate: false },
    ];
    expect(render({ round }, text(tags))).toBe('[BEG](Q)<B>x</B>[END]');
  });

  it('writes begin and end of the dataset, and stops before the end where the model answers', () => {
    const template = { begin: 'B {q} ', round: [human('h'), bot('b')], end: ['E', system('e')] };
    expect(render(template, text(tags), 'ppl')).toBe('[BEG]B Q <H>h</H><B>b</B>E<H>e</H>[END]');
    expect(render(template, text(tags), 'gen')).toBe('[BEG]B Q <H>h</H><B>');
  });

  it('keeps text between the roles of a round', () => {
    const meta = { round: ['S1', tags.round[0], 'S2', tags.round[1], 'S3'] };
    expect(render({ round: [human('{q}')] }, text(meta))).toBe('S1<H>Q</H>S2<B>');
  });

  it('a meta template without a round only goes around the dialogue', () => {
    const meta = { begin: 'B:', end: ':E' };
    expect(render({ round: [human('{q}'), bot('x')] }, text(meta), 'ppl')).toBe('B:Q\nx:E');
  });

  it('a string template passes through', () => {
    expect(render('{q}!', text(tags))).toBe('Q!');
  });

  it('token ids stand in the prompt as ids', () => {
    const meta = { round: [{ role: 'HUMAN', begin: ['<H>', 7, 8], end: [9] }, tags.round[1]] };
    const program = compilePrompt({
      promptTemplate: { template: { round: [human('{q}')] } },
      format: text(meta),
    });
    expect(fillPrompt(program, { q: 'Q' })).toEqual({
      type: 'text',
      text: '<H>Q<B>',
      pieces: ['<H>', [7], [8], 'Q', [9], '<B>'],
    });
  });
});

describe('no format', () => {
  it.each([
    ['lines', [human('{q}'), bot('ans {a}')], 'Q\nans'],
    [
      'no lines for what is empty, but for the answer',
      [human(''), human('{q}'), bot('{a}')],
      'Q\n',
    ],
  ])('%s', (_name, round, expected) => {
    expect(render({ round }, plainFormat)).toBe(expected);
  });
});

describe('chat models', () => {
  it.each([
    ['stop before the answer', { round: [human('{q}'), bot('ans ')] }, ['user: Q']],
    [
      'take a system turn',
      { begin: [system('s')], round: [human('{q}')] },
      ['system: s', 'user: Q'],
    ],
    [
      'keep earlier answers',
      { round: [human('1'), bot('one'), human('{q}')] },
      ['user: 1', 'assistant: one', 'user: Q'],
    ],
    ['merge neighbours of one role', { round: [human('1'), human('2')] }, ['user: 1\n2']],
    ['merge without empty lines', { round: [human(''), human('2')] }, ['user: 2']],
    [
      'let the user say text without a role',
      { begin: 'intro', round: [human('{q}')] },
      ['user: intro\nQ'],
    ],
    [
      'take an answer in begin',
      { begin: [bot('hi')], round: [human('{q}')] },
      ['assistant: hi', 'user: Q'],
    ],
    ['take a string as a user message', '{q}', ['user: Q']],
  ])('%s', (_name, template, expected) => {
    expect(render(template, chatApiFormat)).toEqual(expected);
  });

  it('api_role names the role, begin and end go around the text', () => {
    const meta = {
      begin: [{ role: 'SYSTEM', prompt: 'be kind' }],
      round: [
        { role: 'HUMAN', api_role: 'HUMAN', begin: 'Q: ' },
        { role: 'BOT', api_role: 'model', end: '.', generate: true },
      ],
      reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
    };
    const format: ModelFormat = {
      type: 'chat',
      meta: parseMetaTemplate(meta, 'chat', ['meta_template']),
    };
    expect(render({ round: [human('{q}'), bot('x')] }, format, 'ppl')).toEqual([
      'system: be kind',
      'user: Q: Q',
      'model: x.',
    ]);
  });
});

describe('raw messages', () => {
  const messages = [
    { role: 'system', content: 's' },
    { role: 'user', content: '{q}' },
    { role: 'assistant', content: '{a}' },
  ];
  const data = {
    q: 'Q',
    a: 'gold',
    history: [
      { role: 'user', content: '{q}' },
      { role: 'assistant', content: 'h' },
    ],
  };

  it('are sent as written, up to the hidden answer', () => {
    const program = compilePrompt({
      promptTemplate: { messages },
      format: chatApiFormat,
      outputColumn: 'a',
    });
    expect(fillPrompt(program, data)).toEqual({
      type: 'messages',
      messages: [messages[0], { role: 'user', content: 'Q' }],
    });
  });

  it('become text for text models', () => {
    const program = compilePrompt({
      promptTemplate: { messages },
      format: text(withSystem),
      outputColumn: 'a',
    });
    expect(fillPrompt(program, data)).toEqual({ type: 'text', text: '[BEG]<S>s</S><H>Q</H><B>' });
  });

  it.each([
    [
      chatApiFormat,
      { type: 'messages', messages: [...data.history, { role: 'user', content: 'Q' }] },
    ],
    [text(tags), { type: 'text', text: '[BEG]<H>{q}</H><B>h</B><H>Q</H><B>' }],
  ])('take messages from a column, unfilled', (format, expected) => {
    const promptTemplate = {
      messages: [{ expand_column: 'history' }, { role: 'user', content: '{q}' }],
    };
    expect(fillPrompt(compilePrompt({ promptTemplate, format, outputColumn: 'a' }), data)).toEqual(
      expected,
    );
  });

  it('are not filled where format_variables is off', () => {
    const promptTemplate = {
      messages: [{ role: 'user', content: '{q}' }],
      format_variables: false,
    };
    const program = compilePrompt({ promptTemplate, format: chatApiFormat });
    expect(fillPrompt(program, data)).toEqual({
      type: 'messages',
      messages: [{ role: 'user', content: '{q}' }],
    });
  });
});

describe('examples', () => {
  const pool = [
    { q: 'q0', a: 'a0' },
    { q: 'q1', a: 'a1' },
  ].map((row, id) => ({ id, row }));
  const round = [human('{q}'), bot('{a}')];
  const few = (settings: object, format: ModelFormat, ids = [0, 1]) => {
    const program = compilePrompt({ outputColumn: 'a', hasShots: true, format, ...settings });
    const prompt = fillPrompt(
      program,
      { q: 'Q', a: 'gold' },
      createShotPool(program, pool)?.take(ids),
    );
    return prompt.type === 'text'
      ? prompt.text
      : prompt.messages.map((m) => `${m.role}: ${m.content}`);
  };
  const dialogue = {
    iceTemplate: { template: { begin: 'never', round, end: 'never' } },
    promptTemplate: { template: { begin: [system('s'), '</E>'], round }, ice_token: '</E>' },
  };

  it('are turns in the format of the model', () => {
    expect(few(dialogue, text(tags))).toBe(
      '[BEG]<H>s</H><H>q0</H><B>a0</B><H>q1</H><B>a1</B><H>Q</H><B>',
    );
    expect(few(dialogue, plainFormat)).toBe('s\nq0\na0\nq1\na1\nQ\n');
    expect(few(dialogue, chatApiFormat)).toEqual([
      'system: s',
      'user: q0',
      'assistant: a0',
      'user: q1',
      'assistant: a1',
      'user: Q',
    ]);
  });

  it('may stand inside the round', () => {
    const promptTemplate = { template: { round: ['</E>', ...round] }, ice_token: '</E>' };
    expect(few({ ...dialogue, promptTemplate }, text(tags))).toBe(
      '[BEG]<H>q0</H><B>a0</B><H>q1</H><B>a1</B><H>Q</H><B>',
    );
  });

  it('are merged with a neighbour of the same role', () => {
    const meta = { round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }] };
    const format: ModelFormat = {
      type: 'chat',
      meta: parseMetaTemplate(meta, 'chat', ['meta_template']),
    };
    expect(few(dialogue, format, [1])).toEqual(['user: s\nq1', 'assistant: a1', 'user: Q']);
  });

  it('of text are joined by ice_separator and end in ice_eos_token', () => {
    const texts = {
      iceTemplate: { template: '{q}={a}' },
      promptTemplate: { template: 'T</E>{q}=', ice_token: '</E>' },
    };
    expect(few(texts, plainFormat, [1, 0])).toBe('Tq1=a1\nq0=a0\nQ=');
    expect(few({ ...texts, iceSeparator: ' | ', iceEosToken: ' ;' }, plainFormat)).toBe(
      'Tq0=a0 | q1=a1 ;Q=',
    );
    expect(few(texts, plainFormat, [])).toBe('TQ=');
  });

  it('of text may stand in a role, and in front of a dialogue', () => {
    const iceTemplate = { template: '{q}={a}' };
    const inRole = { template: { round: [human('</E>{q}')] }, ice_token: '</E>' };
    expect(few({ iceTemplate, promptTemplate: inRole }, chatApiFormat)).toEqual([
      'user: q0=a0\nq1=a1\nQ',
    ]);
    const inFront = { template: { begin: '</E>', round: [human('{q}')] }, ice_token: '</E>' };
    expect(few({ iceTemplate, promptTemplate: inFront }, text(tags))).toBe(
      '[BEG]q0=a0\nq1=a1\n<H>Q</H><B>',
    );
  });

  it('are opaque: what they say is not filled again', () => {
    const program = compilePrompt({
      iceTemplate: { template: '{q}' },
      promptTemplate: { template: '</E>{q}', ice_token: '</E>' },
      hasShots: true,
    });
    const shots = createShotPool(program, [{ id: 0, row: { q: 'ex {q}' } }])?.take([0]);
    expect(fillPrompt(program, { q: 'Q' }, shots)).toEqual({ type: 'text', text: 'ex {q}\nQ' });
  });

  it('follow the label of their own row', () => {
    const iceTemplate = { template: { a0: '{q} is zero', a1: '{q} is one' } };
    const promptTemplate = { template: '</E>{q} is', ice_token: '</E>' };
    expect(few({ iceTemplate, promptTemplate }, plainFormat)).toBe('q0 is zero\nq1 is one\nQ is');
  });

  it('of raw messages are messages', () => {
    const wire = [
      { role: 'user', content: '{q}' },
      { role: 'assistant', content: '{a}' },
    ];
    const settings = {
      iceTemplate: { messages: wire },
      promptTemplate: { messages: ['</E>', ...wire] },
    };
    expect(few(settings, chatApiFormat)).toEqual([
      'user: q0',
      'assistant: a0',
      'user: q1',
      'assistant: a1',
      'user: Q',
    ]);
  });

  it('lose their separator marks', () => {
    const iceTemplate = { template: '{q}[S]{a}', sep_token: '[S]' };
    const promptTemplate = { template: '</E>{q}[S]', ice_token: '</E>', sep_token: '[S]' };
    expect(few({ iceTemplate, promptTemplate }, plainFormat)).toBe('q0a0\nq1a1\nQ');
  });
});

it('what stands around a turn says which role it is of, and on which side', () => {
  const role = (name: string, more: object = {}) => ({
    role: name,
    begin: `<${name}>`,
    end: `</${name}>`,
    ...more,
  });
  const meta = parseMetaTemplate(
    { round: [role('HUMAN'), role('BOT', { generate: true, opening: '<think>' })] },
    'text',
    ['meta_template'],
  );
  const sides: unknown[] = [];
  JSON.stringify(meta, (_, value) => {
    if (value?.origin?.type === 'role')
      sides.push([value.text, value.origin.role, value.origin.edge]);
    return value instanceof Map ? [...value] : value;
  });
  const found = new Set(sides.map((side) => JSON.stringify(side)));
  expect([...found].toSorted()).toEqual(
    [
      ['</BOT>', 'BOT', 'end'],
      ['</HUMAN>', 'HUMAN', 'end'],
      ['<BOT>', 'BOT', 'begin'],
      ['<HUMAN>', 'HUMAN', 'begin'],
      ['<think>', 'BOT', 'begin'],
    ].map((side) => JSON.stringify(side)),
  );
});

describe('a turn that says nothing but examples', () => {
  const promptTemplate = {
    template: { begin: [system('</E>')], round: [human('{q}'), bot('')] },
    ice_token: '</E>',
  };
  const iceTemplate = { template: '{q}={a}' };

  it('is not sent where there are none', () => {
    const program = compilePrompt({ promptTemplate, iceTemplate, format: chatApiFormat });
    expect(fillPrompt(program, { q: 'Q' })).toMatchObject({
      messages: [{ role: 'user', content: 'Q' }],
    });
  });

  it('is sent with them', () => {
    const program = compilePrompt({
      promptTemplate,
      iceTemplate,
      format: chatApiFormat,
      hasShots: true,
    });
    const shots = createShotPool(program, [{ id: 0, row: { q: 'one', a: '1' } }])?.take([0]);
    expect(fillPrompt(program, { q: 'Q' }, shots)).toMatchObject({
      messages: [
        { role: 'system', content: 'one=1\n' },
        { role: 'user', content: 'Q' },
      ],
    });
  });
});
