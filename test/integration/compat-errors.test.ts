import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { writeFolder } from './run-cli.ts';

const row = (fields: object) => `${JSON.stringify(fields)}\n`;
const files = {
  'train.jsonl': row({ question: '1+1=?', answer: 'A' }) + row({ question: '2+2=?', answer: 'B' }),
  'test.jsonl': row({ question: '3+3=?', answer: 'A' }) + row({ question: '4+4=?', answer: 'B' }),
  'self.jsonl': row({ question: '3+3=?', answer: 'A', self: 1, input_str: 2 }),
  'turns.jsonl': row({ question: ['a', 'b'], answer: ['c', 'd'] }),
  'numbers.jsonl': row({ question: 3, answer: 'A', content: 7 }),
};

interface Parts {
  readonly model?: object;
  readonly data?: keyof typeof files;
  readonly infer: object;
  readonly reader?: object;
}

const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const system = { role: 'SYSTEM', prompt: 'Be brief.' };
const dialogue = { round: [human('{question}'), bot('{answer}')] };
const meta = {
  round: [
    { role: 'HUMAN', begin: '<H>', end: '</H>' },
    { role: 'BOT', begin: '<B>', end: '</B>', generate: true },
  ],
};
const chat = { type: 'OpenAI' };
const prompt = (template: unknown, more: object = {}) => ({
  prompt_template: { template, ...more },
});
const text = prompt('{question}{answer}');
const fixed = { type: 'FixKRetriever', fix_id_list: [0] };
const ice = (template: unknown, more: object = {}) => ({
  ice_template: { template, ...more },
  retriever: fixed,
});
const withMeta = (own: object) => ({ model: { meta_template: { ...meta, ...own } } });

const both: Record<string, Parts> = {
  'SYSTEM in round, meta template': {
    ...withMeta({}),
    infer: prompt({ round: [system, ...dialogue.round] }),
  },
  'SYSTEM in round, chat': {
    model: {
      ...chat,
      meta_template: {
        round: [
          { role: 'HUMAN', api_role: 'HUMAN' },
          { role: 'BOT', api_role: 'BOT', generate: true },
        ],
      },
    },
    infer: prompt({ round: [system, ...dialogue.round] }),
  },
  'unknown role in begin': { ...withMeta({}), infer: prompt({ begin: [system], ...dialogue }) },
  'dialogues inside a text': {
    infer: { ...prompt('</E>{question}{answer}', { ice_token: '</E>' }), ...ice(dialogue) },
  },
  'dialogues inside a turn': {
    ...withMeta({}),
    infer: {
      ...prompt({ round: [human('</E>{question}'), bot('{answer}')] }, { ice_token: '</E>' }),
      ...ice(dialogue),
    },
  },
  'a token that is not there': { infer: prompt('{question}', { ice_token: '</E>' }) },
  'examples without a token': { infer: { ...text, ...ice('{question}{answer}') } },
  'examples without a template': { infer: { ...text, retriever: fixed } },
  'an example that is not there': {
    infer: {
      ...prompt('</E>{question}', { ice_token: '</E>' }),
      ...ice('{question}'),
      retriever: { type: 'FixKRetriever', fix_id_list: [7] },
    },
  },
  'a pool that is too small': {
    infer: {
      ...prompt('</E>{question}', { ice_token: '</E>' }),
      ...ice('{question}'),
      retriever: { type: 'RandomRetriever', ice_num: 9 },
    },
  },
  DPP: {
    infer: {
      ...prompt('</E>{question}', { ice_token: '</E>' }),
      ...ice('{question}'),
      retriever: { type: 'DPPRetriever', ice_num: 1 },
    },
  },
  'a window beyond the pool': {
    infer: {
      ...prompt('</E>{question}', { ice_token: '</E>' }),
      ...ice('{question}'),
      retriever: { type: 'SlidingWindowRetriever', k: 5 },
    },
  },
  'a role twice': {
    ...withMeta({ round: [meta.round[0], meta.round[0]] }),
    infer: prompt(dialogue),
  },
  'token ids': {
    ...withMeta({ round: [{ role: 'HUMAN', begin: [1, 2] }, meta.round[1]] }),
    infer: prompt(dialogue),
  },
  'no round': { model: { meta_template: { begin: 'x' } }, infer: prompt(dialogue) },
  'columns that are names of arguments': { data: 'self.jsonl', infer: prompt(dialogue) },
  'a label that the examples lack': {
    infer: {
      ...prompt({ A: '</E>{question}A', B: '</E>{question}B' }, { ice_token: '</E>' }),
      ...ice({ C: '{question}' }),
      inferencer: { type: 'PPLInferencer' },
    },
  },
  'examples as text and dialogues': {
    infer: {
      ...prompt('</E>{question}', { ice_token: '</E>' }),
      ...ice({ A: '{question}', B: dialogue }),
      retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
    },
  },
  'a template that is a list': { infer: prompt(['{question}']) },
  'a label that is a number': {
    infer: { ...prompt({ A: 1, B: 2 }), inferencer: { type: 'PPLInferencer' } },
  },
  'a turn without a role': {
    ...withMeta({}),
    infer: prompt({ round: [{ prompt: '{question}' }] }),
  },
  'a column twice in column_token_map': {
    infer: prompt('</q></a>', { column_token_map: { question: '</q>', answer: '</q>' } }),
  },
  'a number in a prompt': { infer: prompt({ round: [{ role: 'HUMAN', prompt: 7 }] }) },
};

const onlyOpencompass: Record<string, Parts> = {
  'multi-turn': {
    data: 'turns.jsonl',
    infer: { prompt_template: { type: 'MultiTurnPromptTemplate', template: dialogue } },
  },
  media: {
    model: chat,
    infer: {
      prompt_template: {
        type: 'MMPromptTemplate',
        template: {
          round: [{ role: 'HUMAN', prompt_mm: { text: { type: 'text', text: '{question}' } } }],
        },
      },
    },
  },
  'raw role': {
    model: chat,
    infer: {
      prompt_template: { type: 'RawPromptTemplate', messages: [{ role: 'HUMAN', content: 'x' }] },
    },
  },
  'raw content': {
    model: chat,
    infer: { prompt_template: { type: 'RawPromptTemplate', messages: [{ role: 'user' }] } },
  },
};

const onlyAisbench: Record<string, Parts> = {
  'content without tags': {
    model: chat,
    infer: {
      prompt_template: {
        type: 'MMPromptTemplate',
        template: {
          round: [{ role: 'HUMAN', prompt_mm: { text: { type: 'text', text: '{question}' } } }],
        },
      },
    },
  },
  'content that is a number': {
    model: chat,
    data: 'numbers.jsonl',
    infer: {
      prompt_template: {
        type: 'MMPromptTemplate',
        template: {
          round: [{ role: 'HUMAN', prompt_mm: { text: { type: 'text', text: '{question}' } } }],
        },
      },
    },
  },
  'the last turn': {
    model: chat,
    data: 'turns.jsonl',
    infer: {
      prompt_template: {
        type: 'MultiTurnPromptTemplate',
        template: { begin: [system], ...dialogue },
      },
      inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'last' },
    },
  },
  'turns of text': {
    model: chat,
    infer: {
      prompt_template: { type: 'MultiTurnPromptTemplate', template: '{question}' },
      inferencer: { type: 'MultiTurnGenInferencer' },
    },
  },
  'turns without lists': {
    model: chat,
    data: 'numbers.jsonl',
    infer: {
      prompt_template: { type: 'MultiTurnPromptTemplate', template: dialogue },
      inferencer: { type: 'MultiTurnGenInferencer' },
    },
  },
};

const commands = ['run', 'plan', 'view'];
const named = (compat: string, parts: Record<string, Parts>) =>
  Object.entries(parts).map(([name, own]) => ({ compat, name, parts: own }));
/** Every error is tried with one of the systems and one of the commands at least. */
const cases = [
  ...named('opencompass', both),
  ...named('opencompass', onlyOpencompass),
  ...named('aisbench', onlyAisbench),
  ...named('aisbench', both).filter((_, index) => index % 3 === 0),
].map((own, index) => ({ ...own, command: commands[index % 3] as string }));

function datasetOf({ data = 'test.jsonl', infer, reader }: Parts, abbr: string) {
  return {
    abbr,
    path: { train: 'train.jsonl', test: data },
    reader_cfg: { input_columns: ['question'], output_column: 'answer', ...reader },
    infer_cfg: infer,
    eval_cfg: { evaluator: { type: 'exact' } },
  };
}

async function writeConfig(config: object): Promise<string> {
  const text = JSON.stringify(config, null, 1);
  return join(await writeFolder({ ...files, 'c.json': text }), 'c.json');
}

const modelAt = (url: string, own?: object) => ({
  ...{ abbr: 'm', type: 'OpenAICompletions', base_url: url, model: 'm', ...own },
});

test('every error of compat modes has a place and a hint, and comes before anything is sent', async () => {
  await using server = await startRecordingServer();
  for (const { compat, name, parts, command } of cases) {
    server.clear();
    const models = [modelAt(server.url, parts.model)];
    const file = await writeConfig({ compat, models, datasets: [datasetOf(parts, 'd')] });
    const out = command === 'view' ? [] : ['--out', join(file, '../out')];
    const { code, stderr } = await callCommand([command, file, ...out]);
    const where = `${command} ${compat} ${name}: ${stderr}`;
    expect(code, where).toBe(2);
    expect(stderr, where).toMatch(/^error\[(compat|retrieve|template)\.\w+\] /);
    expect(stderr, where).toMatch(/\n {2}at .*c\.json:\d+:\d+\n/);
    expect(stderr, where).toMatch(/\nhint: ./);
    expect(stderr, where).not.toContain('This is a bug in Typecase');
    const asked = server.requests.filter(({ body }) => body.includes('3+3=?'));
    expect(asked, where).toEqual([]);
  }
});

test('one failing dataset hides no other', async () => {
  await using server = await startRecordingServer();
  const failing = [both['a token that is not there'], both['examples without a template']];
  const datasets = [
    datasetOf(failing[0] as Parts, 'first'),
    datasetOf({ infer: text }, 'good'),
    datasetOf(failing[1] as Parts, 'last'),
  ];
  const models = [modelAt(server.url), modelAt(server.url, { abbr: 'n', model: 'n' })];
  const file = await writeConfig({ compat: 'opencompass', models, datasets });
  const view = await callCommand(['view', file, '-a', '--json']);
  expect(view.code).toBe(2);
  const { views } = JSON.parse(view.stdout);
  const shown = views.map(({ model, dataset, error }: Record<string, { code: string }>) => [
    ...[model, dataset, error?.code ?? 'shown'],
  ]);
  expect(shown).toEqual(
    ['m', 'n'].flatMap((model) => [
      [model, 'first', 'compat.lookup_error'],
      [model, 'good', 'shown'],
      [model, 'last', 'compat.assertion_error'],
    ]),
  );
  for (const command of ['run', 'plan']) {
    const { code, stderr } = await callCommand([command, file, '--out', join(file, '../out')]);
    expect([code, server.requests]).toEqual([2, []]);
    expect(stderr.match(/^error\[[\w.]+\]/gm)).toEqual([
      'error[compat.lookup_error]',
      'error[compat.assertion_error]',
    ]);
  }
});

test('column_token_map works in both compat modes as it does without', async () => {
  const tokens = { question: '</q>', answer: '</a>' };
  const template = {
    begin: ['</E>'],
    round: [human('Q: </q>\nA: '), bot('</a>')],
  };
  const infer = {
    ...prompt(template, { column_token_map: tokens, ice_token: '</E>' }),
    ...ice({ round: template.round }, { column_token_map: tokens }),
  };
  const sent = '<H>Q: 1+1=?\nA: </H><B>A</B><H>Q: 3+3=?\nA: </H><B>';
  for (const compat of ['opencompass', 'aisbench', undefined]) {
    const models = [modelAt('http://127.0.0.1:9', { meta_template: meta })];
    const file = await writeConfig({ compat, models, datasets: [datasetOf({ infer }, 'd')] });
    const { code, stdout } = await callCommand(['view', file, '--origins', '--json']);
    const [view] = JSON.parse(stdout).views;
    const [{ prompt: made, spans }] = view.prompts;
    expect([compat, code, made.text]).toEqual([compat, 0, sent]);
    const question = spans.find(
      (span: { text: string; origin: { field?: string; shot?: number } }) =>
        span.origin.field === 'question' && span.origin.shot === undefined,
    );
    expect([question.text, question.origin.path]).toEqual([
      '3+3=?',
      'datasets[0].infer_cfg.prompt_template.template.round[0].prompt',
    ]);
  }
});
