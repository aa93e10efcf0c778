import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import type { ViewDocument } from './documents.ts';
import { startRecordingServer } from './recording-server.ts';

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const files = {
  'train.jsonl': lines(
    [0, 1, 2, 3, 4, 5].map((n) => ({
      question: `a question to show, number ${n}`,
      answer: `${n}`,
    })),
  ),
  'test.jsonl': lines([0, 1, 2, 3].map((n) => ({ question: `asked ${n}`, answer: '2' }))),
  'limits.jsonl': lines([{ question: 'asked 0', answer: '2', max_out_len: 77 }]),
  'gaps.jsonl': lines([{ question: 'asked 0', answer: '2' }, { answer: '2' }]),
};

interface Parts {
  readonly top?: object;
  readonly models?: readonly object[];
  readonly model?: object;
  readonly reader?: object;
  readonly infer?: object;
  readonly dataset?: object;
}

const shots = {
  ice_template: { type: 'PromptTemplate', template: 'Q: {question}\nA: {answer}' },
  prompt_template: {
    type: 'PromptTemplate',
    template: '</E>Q: {question}\nA: {answer}',
    ice_token: '</E>',
  },
};

function configOf({ top, models = [{}], model, reader, infer, dataset }: Parts, url: string) {
  const usual = { abbr: 'm', type: 'OpenAICompletions', base_url: url, model: 'm', max_out_len: 5 };
  return {
    ...top,
    models: models.map((own) => ({ ...usual, ...model, ...own })),
    datasets: [
      {
        abbr: 'd',
        path: { train: 'train.jsonl', test: 'test.jsonl' },
        reader_cfg: { input_columns: ['question'], output_column: 'answer', ...reader },
        infer_cfg: { prompt_template: { template: 'Q: {question}\nA: {answer}' }, ...infer },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  };
}

/** The bodies that a run sends and those that `view` shows, both in order. */
async function runAndView(parts: Parts) {
  await using server = await startRecordingServer();
  const config = JSON.stringify(configOf(parts, server.url));
  const folder = await writeFolder({ ...files, 'c.json': config });
  const [file, out] = [join(folder, 'c.json'), join(folder, 'out')];
  const run = ['run', file, '--out', out, '--json', '--allow-failed', '1'];
  expect(await callCommand(run)).toMatchObject({ code: 0 });
  const sent = server.requests.map(({ body }) => body).sort();
  const { code, stdout, stderr } = await callCommand(['view', file, '-a', '--rows', ':', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const { views }: ViewDocument = JSON.parse(stdout);
  const shown = views
    .flatMap((view) => view.requests ?? 'no requests')
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each.body)));
  return { sent, shown: shown.sort(), views };
}

interface WireText {
  readonly model: string;
  readonly prompt: string;
  readonly stop?: readonly string[];
}

const numbersIn = ({ prompt }: WireText) =>
  [...prompt.matchAll(/number (\d)/g)].map(([, number]) => Number(number));

const shown = (number: number) => `Q: a question to show, number ${number}\nA: ${number}\n`;

const cases: [string, Parts, (bodies: readonly WireText[]) => void][] = [
  [
    'examples that do not fit are left out',
    {
      model: { max_seq_len: 40 },
      infer: { ...shots, retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2] } },
    },
    (bodies) => {
      expect(bodies.map(numbersIn)).toEqual(Array(4).fill([0, 1]));
      expect(bodies[0]?.prompt).toBe(`${shown(0)}${shown(1)}Q: asked 0\nA:`);
    },
  ],
  [
    'stops of the model and of the inferencer',
    {
      model: { stop: ['\n', 'END'] },
      infer: { inferencer: { type: 'GenInferencer', stopping_criteria: ['\n'] } },
    },
    (bodies) => {
      for (const { stop } of bodies) expect(new Set(stop)).toEqual(new Set(['\n', 'END']));
    },
  ],
  [
    'answers in pieces',
    { model: { stream: true } },
    (bodies) => {
      const stream = { stream: true, stream_options: { include_usage: true } };
      expect(bodies).toMatchObject(Array(4).fill(stream));
    },
  ],
  [
    // NumPy, seed 43: two of six drawn without replacement are [5, 2], then [4, 5].
    'random examples of OpenCompass are drawn by the place after the range',
    {
      top: { compat: 'opencompass' },
      reader: { test_range: '[2:4]' },
      infer: { ...shots, retriever: { type: 'RandomRetriever', ice_num: 2 } },
    },
    (bodies) => {
      const byRow = bodies.map((body) => [/asked (\d)/.exec(body.prompt)?.[1], numbersIn(body)]);
      expect(byRow.sort()).toEqual([
        ['2', [5, 2]],
        ['3', [4, 5]],
      ]);
    },
  ],
  [
    'a number of rows is drawn for the model that is in a compat mode',
    {
      models: [{}, { abbr: 'oc', model: 'oc', compat: 'opencompass' }],
      reader: { test_range: 2 },
    },
    (bodies) => {
      const byModel = bodies.map(({ model, prompt }) => [model, /asked \d/.exec(prompt)?.[0]]);
      expect(byModel).toEqual([
        ['m', 'asked 0'],
        ['m', 'asked 1'],
        ['oc', 'asked 1'],
        ['oc', 'asked 2'],
      ]);
    },
  ],
  [
    'the limit that a row has of its own',
    {
      reader: { input_columns: ['question', 'max_out_len'] },
      dataset: { path: 'limits.jsonl' },
    },
    (bodies) => expect(bodies).toMatchObject([{ max_tokens: 77 }]),
  ],
  [
    'the seeds of a row that is asked several times',
    { dataset: { path: 'limits.jsonl', n: 3 } },
    (bodies) => expect(bodies).toMatchObject([{ seed: 0 }, { seed: 1 }, { seed: 2 }]),
  ],
];

describe('what is shown is what is sent', () => {
  it.each(cases)('%s', async (_, parts, check) => {
    const { sent, shown } = await runAndView(parts);
    check(sent.map((body) => JSON.parse(body)));
    expect(shown).toEqual(sent);
  });
});

describe('what is not sent is not shown', () => {
  it('a row that lacks a column is not asked about', async () => {
    const { sent, shown, views } = await runAndView({ dataset: { path: 'gaps.jsonl' } });
    expect(shown).toEqual(sent);
    expect(views.map(({ requests }) => requests)).toMatchObject([[{}], []]);
  });

  it('a judge is not asked what it judges', async () => {
    const { views } = await runAndView({
      models: [{}, { abbr: 'strong', type: 'OpenAI', model: 'judge-model', judge: true }],
      dataset: { eval_cfg: { evaluator: { type: 'judge', model: 'strong' } } },
    });
    expect(views.map(({ model }) => model)).toEqual(Array(4).fill('m'));
  });
});
