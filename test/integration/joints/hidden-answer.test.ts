import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import type { ViewDocument } from './documents.ts';
import { startRecordingServer } from './recording-server.ts';

const row = (question: string, answer: string) => `${JSON.stringify({ question, answer })}\n`;
const files = {
  'train.jsonl': row('1+1=?', '2') + row('2+2=?', '4'),
  'test.jsonl': row('3+3=?', '6'),
};

const dialogue = (bot: string) => ({
  round: [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: bot },
  ],
});

const human = { role: 'HUMAN', begin: '<H>', end: '</H>' };
const models = {
  plain: {},
  marks: {
    meta_template: { round: [human, { role: 'BOT', begin: '<B> ', end: '</B>', generate: true }] },
  },
  open: { meta_template: { round: [human, { role: 'BOT', begin: '<B>' }] } },
  chat: { type: 'OpenAI' },
};

/** Template, what is dropped from its end, and what each model gets after the question otherwise. */
const templates: [unknown, string, Readonly<Record<keyof typeof models, string>>][] = [
  ['{question}\nA: {answer}', ' ', same('\nA: ')],
  ['{question}\n{answer}', '', same('\n')],
  ['{question}\n  {answer}', '  ', same('\n  ')],
  ['{question} \n{answer}', '', same(' \n')],
  ['{question}:\u3000\t{answer}', '\u3000\t', same(':\u3000\t')],
  ['{question} {answer}', ' ', same(' ')],
  ['{question} {answer}.', '', same(' .')],
  ['{question} ', '', same(' ')],
  [dialogue('{answer}'), '', { plain: '\n', marks: '</H><B> ', open: '</H><B>', chat: '' }],
  [
    dialogue('A: {answer}'),
    ' ',
    { plain: '\nA: ', marks: '</H><B> A: ', open: '</H><B>A: ', chat: '' },
  ],
  [dialogue(' {answer}'), ' ', { plain: '\n ', marks: '</H><B> ', open: '</H><B> ', chat: '' }],
  [dialogue('{answer}.'), '', { plain: '\n.', marks: '</H><B> ', open: '</H><B>.', chat: '' }],
];

function same(end: string) {
  return { plain: end, marks: end, open: end, chat: end };
}

/** What cannot be dropped, because the model is not given it at all. */
const isGiven = (template: unknown, model: keyof typeof models) =>
  typeof template === 'string' ||
  model === 'plain' ||
  model === 'open' ||
  (model === 'marks' && JSON.stringify(template).includes('A: {answer}'));

const shotsOf = (template: unknown) => ({
  ice_template: { template: JSON.parse(JSON.stringify(template).replaceAll('</E>', '')) },
  retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
});

function configOf(url: string, inferencer: object) {
  const datasets = templates.map(([template], index) => ({
    abbr: `d${index}`,
    path: { train: 'train.jsonl', test: 'test.jsonl' },
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        template:
          typeof template === 'string'
            ? `[d${index}]</E>${template}`
            : { begin: [`[d${index}]`, '</E>'], ...(template as object) },
        ice_token: '</E>',
      },
      ...(index % 2 === 0 && shotsOf(template)),
      inferencer: { type: 'GenInferencer', ...inferencer },
    },
    eval_cfg: { evaluator: { type: 'exact' } },
  }));
  return {
    models: Object.entries(models).map(([abbr, own]) => ({
      ...{ abbr, type: 'OpenAICompletions', base_url: `${url}/v1`, model: abbr, max_out_len: 5 },
      ...own,
    })),
    datasets,
  };
}

interface Wire {
  readonly prompt?: string;
  readonly messages?: readonly { readonly content: string }[];
}

/** What stands after the question that is asked. */
function endOf({ prompt, messages }: Wire): string {
  const text = prompt ?? messages?.at(-1)?.content ?? '';
  return text.slice(text.lastIndexOf('3+3=?') + '3+3=?'.length);
}

test.each([
  [{}, true],
  [{ keep_trailing_spaces: true }, false],
])(
  'before a hidden answer, %j: line breaks are sent, spaces left to the model: %s',
  async (inferencer, drops) => {
    await using server = await startRecordingServer();
    const folder = await writeFolder({
      ...files,
      'c.json': JSON.stringify(configOf(server.url, inferencer)),
    });
    const file = join(folder, 'c.json');
    const run = await callCommand(['run', file, '--out', join(folder, 'out'), '--json']);
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const sent = server.requests.map(({ body }) => body).sort();
    const view = await callCommand(['view', file, '-a', '--json']);
    const { views }: ViewDocument = JSON.parse(view.stdout);
    const shown = views.flatMap(({ requests = [] }) =>
      requests.map(({ body }) => JSON.stringify(body)),
    );
    expect(shown.sort()).toEqual(sent);
    for (const { model, dataset, requests = [], prompts } of views as readonly SeenView[]) {
      const index = Number(/\d+/.exec(dataset));
      const [template, spaces, ends] = templates[index] as (typeof templates)[number];
      const name = model as keyof typeof models;
      const isDropped = drops && isGiven(template, name);
      const whole = ends[name];
      const expected = isDropped ? whole.slice(0, whole.length - spaces.length) : whole;
      expect([model, dataset, endOf(requests[0]?.body as Wire)]).toEqual([
        model,
        dataset,
        expected,
      ]);
      const spans = prompts.flatMap((prompt) =>
        prompt.spans.flatMap((span) => span.spans ?? [span]),
      );
      const dropped = spans.flatMap(({ origin }) => origin?.dropped ?? []).join('');
      expect([model, dataset, dropped]).toEqual([model, dataset, isDropped ? spaces : '']);
    }
  },
);

const asks = { role: 'HUMAN', prompt: '{question}\nA: {answer}' };
const blank = { role: 'HUMAN', prompt: '{question}\nA: {answer}\n' };
const answers = { role: 'BOT', prompt: '{answer}' };
const says = { role: 'user', content: '{question}\nA: {answer}' };
const jinja =
  "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</{{ m['role'] }}>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
/** What each model gets after the question; `␣` is the space that is left out. */
const inUserTurn: readonly (readonly [object, Readonly<Record<string, string>>])[] = [
  ...[{ round: [asks] }, { round: [blank] }, { round: [asks, answers] }].map(
    (template) =>
      [
        { template },
        {
          plain: 'round' in template && template.round.length > 1 ? '\nA:␣\n' : '\nA:␣',
          marks: '\nA:␣</H><B> ',
          chat: '\nA:␣',
          jinja: '\nA:␣</user><assistant>',
        },
      ] as const,
  ),
  [
    { messages: [says] },
    {
      plain: '\nA:␣',
      marks: '\nA:␣</H><B> ',
      chat: '\nA:␣',
      jinja: '\nA:␣</user><assistant>',
    },
  ],
];

test('before a hidden answer in a turn of the user, spaces are left out of all formats alike', async () => {
  await using server = await startRecordingServer();
  const config = (keeps: boolean) => ({
    models: [
      ...['plain', 'marks', 'chat'].map((abbr) => [abbr, models[abbr as 'plain']] as const),
      ['jinja', { chat_template: 'chat.jinja' }] as const,
    ].map(([abbr, own]) => ({
      ...{ abbr, type: 'OpenAICompletions', base_url: server.url, model: abbr, max_out_len: 5 },
      ...own,
    })),
    datasets: inUserTurn.map(([prompt_template], index) => ({
      abbr: `d${index}`,
      path: 'test.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template,
        inferencer: { type: 'GenInferencer', ...(keeps && { keep_trailing_spaces: true }) },
      },
      eval_cfg: { evaluator: { type: 'exact' } },
    })),
  });
  for (const keeps of [false, true]) {
    server.clear();
    const folder = await writeFolder({
      ...files,
      'chat.jinja': jinja,
      'c.json': JSON.stringify(config(keeps)),
    });
    const file = join(folder, 'c.json');
    const run = await callCommand(['run', file, '--out', join(folder, 'out'), '--json']);
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const { stdout } = await callCommand(['view', file, '-a', '--json']);
    const { views }: ViewDocument = JSON.parse(stdout);
    const sent = new Set(server.requests.map(({ body }) => body));
    for (const { model, dataset, requests } of views) {
      const [{ body } = { body: {} }] = requests;
      const ends = inUserTurn[Number(dataset.slice(1))]?.[1] ?? {};
      const isBlank = dataset === 'd1' && keeps;
      const expected = (ends[model ?? ''] ?? '').replace('␣', keeps ? (isBlank ? ' \n' : ' ') : '');
      expect([model, dataset, endOf(body as Wire)]).toEqual([model, dataset, expected]);
      expect(sent).toContain(JSON.stringify(body));
    }
    expect(stdout.includes('template.space_before_answer')).toBe(!keeps);
  }
});

interface StopCase {
  readonly model?: object;
  readonly prompt: unknown;
  readonly ice?: unknown;
  readonly inferencer?: object;
  readonly top?: object;
}

const atModel = 'models[0].stop';
const stops: [string | undefined, StopCase][] = [
  [atModel, { prompt: 'A: {answer}', model: { stop: ' ' } }],
  [
    'datasets[0].infer_cfg.inferencer.stopping_criteria',
    { prompt: 'A: {answer}', inferencer: { stopping_criteria: ['END', ' '] } },
  ],
  [
    'models[0].generation_kwargs.stop',
    { prompt: 'A: {answer}', model: { generation_kwargs: { stop: ' ' } } },
  ],
  ...[' ', ['END', ' ']].map((stop): (typeof stops)[number] => [
    'datasets[0].infer_cfg.inferencer.generation_kwargs.stop',
    { prompt: 'A: {answer}', inferencer: { generation_kwargs: { stop } } },
  ]),
  // Settings of generation are sent in place of all other stops, those of the dataset first.
  ...[[], 'END', null].flatMap((stop): typeof stops => [
    [undefined, { prompt: 'A: {answer}', model: { stop: ' ', generation_kwargs: { stop } } }],
    [
      undefined,
      {
        prompt: 'A: {answer}',
        model: { generation_kwargs: { stop: ' ' } },
        inferencer: { stopping_criteria: [' '], generation_kwargs: { stop } },
      },
    ],
  ]),
  [atModel, { prompt: dialogue('A:\t{answer}'), model: { stop: '\t' } }],
  [atModel, { prompt: '{question}', ice: '{question}\n{answer}', model: { stop: '\n' } }],
  [atModel, { prompt: 'Q {question}\nA:', ice: '{question}\nA:\n{answer}', model: { stop: '\n' } }],
  ...(
    [
      [undefined, models.marks],
      [atModel, models.chat],
    ] as const
  ).map(([place, model]): (typeof stops)[number] => [
    place,
    {
      prompt: dialogue('A:\n{answer}'),
      ice: dialogue('A:\n{answer}'),
      model: { ...model, stop: '\n' },
    },
  ]),
  [
    undefined,
    { prompt: '{question}\n{answer}', ice: '{question}\n{answer}', model: { stop: '\n' } },
  ],
  [undefined, { prompt: dialogue('{answer}'), ice: dialogue('{answer}'), model: { stop: '\n' } }],
  [undefined, { prompt: '{question}', model: { stop: '\n' } }],
  [undefined, { prompt: 'A: {answer}', model: { stop: '\n' } }],
  [
    undefined,
    { prompt: 'A: {answer}', model: { stop: ' ' }, inferencer: { keep_trailing_spaces: true } },
  ],
  [undefined, { prompt: 'A: {answer}', model: { stop: ' ' }, top: { compat: 'opencompass' } }],
];

test('a stop that the model would have to write before the answer is refused, with its place', async () => {
  await using server = await startRecordingServer();
  for (const [place, { model, prompt, ice, inferencer, top }] of stops) {
    server.clear();
    const withToken = (template: unknown) =>
      typeof template === 'string'
        ? `</E>${template}`
        : { begin: ['</E>'], ...(template as object) };
    const config = {
      ...top,
      models: [
        { abbr: 'm', type: 'OpenAICompletions', base_url: server.url, model: 'm', ...model },
      ],
      datasets: [
        {
          abbr: 'd',
          path: { train: 'train.jsonl', test: 'test.jsonl' },
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: {
            prompt_template: { template: withToken(prompt), ice_token: '</E>' },
            ...(ice !== undefined && shotsOf(ice)),
            inferencer: { type: 'GenInferencer', max_out_len: 5, ...inferencer },
          },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    };
    const folder = await writeFolder({ ...files, 'c.json': JSON.stringify(config, null, 2) });
    const run = ['run', join(folder, 'c.json'), '--out', join(folder, 'out'), '--json'];
    const { code, stderr } = await callCommand(run);
    if (place === undefined) {
      expect([code, server.requests.length, stderr]).toEqual([0, 1, expect.anything()]);
      continue;
    }
    expect([code, server.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain(`error[template.stop_before_answer] ${place}: the stop `);
    expect(stderr).toMatch(/c\.json:\d+:\d+/);
    expect(stderr).toContain('hint:');
    const view = await callCommand(['view', join(folder, 'c.json'), '--json']);
    expect([view.code, view.stdout.includes('template.stop_before_answer')]).toEqual([0, true]);
  }
});

interface SeenSpan {
  readonly spans?: readonly SeenSpan[];
  readonly origin?: { readonly dropped?: string };
}

interface SeenView {
  readonly model: string;
  readonly dataset: string;
  readonly requests?: readonly { readonly body: unknown }[];
  readonly prompts: readonly { readonly spans: readonly SeenSpan[] }[];
}
