import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

const rows = [
  { text: 'I loved it.', mood: 'positive' },
  { text: 'I hated it.', mood: 'negative' },
];
const coded = rows.map(({ text }, index) => ({ text, mood: 1 - index }));
const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });

interface Case {
  readonly name: string;
  readonly rows: readonly object[];
  readonly infer: object;
  readonly evaluation?: object;
  /** What is sent for the first row: the text, or what each message says. */
  readonly sent: string | readonly string[];
  readonly chat?: true;
}

const cases: readonly Case[] = [
  {
    name: 'texts that end with their labels',
    rows,
    infer: {
      prompt_template: {
        template: {
          positive: 'Review: {text}\nMood: positive',
          negative: 'Review: {text}\nMood: negative',
        },
      },
      inferencer: { type: 'PPLInferencer' },
    },
    sent: 'Review: I loved it.\nAnswer with one of: positive, negative.\nMood:',
  },
  {
    name: 'labels in other words, in the middle',
    rows: coded,
    infer: {
      prompt_template: {
        template: { 0: '{text} It was bad to see.', 1: '{text} It was great to see.' },
      },
      inferencer: { type: 'PPLInferencer' },
    },
    evaluation: { evaluator: { type: 'AccEvaluator' } },
    sent: 'I loved it. It was ___ to see.\nAnswer with the label of what fits:\n0: bad\n1: great\nLabel:',
  },
  {
    name: 'one text for all labels of the data, with examples',
    rows,
    infer: {
      ice_template: { template: '{text} => {mood}' },
      prompt_template: { template: '</E>{text} => {mood}', ice_token: '</E>' },
      retriever: { type: 'FixKRetriever', fix_id_list: [1] },
      inferencer: { type: 'LLInferencer' },
    },
    sent: 'Answer with one of: positive, negative.\nI hated it. => negative\nI loved it. =>',
  },
  {
    name: 'choices of one token',
    rows,
    infer: {
      prompt_template: { template: { round: [human('{text}'), { role: 'BOT' }] } },
      inferencer: { type: 'CLPInferencer', labels: [' positive', ' negative'] },
    },
    chat: true,
    sent: ['I loved it.\nAnswer with one of: positive, negative.'],
  },
  {
    name: 'dialogues that say their labels',
    rows,
    infer: {
      prompt_template: {
        template: {
          positive: {
            begin: [{ role: 'SYSTEM', prompt: 'Be short.' }],
            round: [human('{text} Mood?'), bot('positive')],
          },
          negative: {
            begin: [{ role: 'SYSTEM', prompt: 'Be short.' }],
            round: [human('{text} Mood?'), bot('negative')],
          },
        },
      },
      inferencer: { type: 'PPLInferencer' },
    },
    chat: true,
    sent: ['Be short.', 'I loved it. Mood?\nAnswer with one of: positive, negative.'],
  },
  {
    name: 'dialogues without an answer',
    rows: coded,
    infer: {
      prompt_template: {
        template: { 0: { round: [human('{text} Bad.')] }, 1: { round: [human('{text} Great.')] } },
      },
      inferencer: { type: 'PPLInferencer', labels: [0, 1] },
    },
    chat: true,
    sent: ['I loved it. ___\nAnswer with the label of what fits:\n0: Bad.\n1: Great.'],
  },
  {
    name: 'messages',
    rows,
    infer: {
      prompt_template: {
        messages: [
          { role: 'user', content: '{text}' },
          { role: 'assistant', content: '{mood}' },
        ],
      },
      inferencer: { type: 'PPLInferencer' },
    },
    chat: true,
    sent: ['I loved it.\nAnswer with one of: positive, negative.'],
  },
];

test.each(cases)(
  'a config that asks for the label is printed, and runs: $name',
  async (one) => {
    await using server = await startJudgeServer();
    // It answers in words, and tells no log-probabilities.
    server.answer = (_, text) =>
      `It is ${(text.includes('0:') ? ['1', '0'] : ['positive', 'negative'])[Number(!isLoved(text))]}.`;
    const isYaml = one.chat === true;
    const type = one.chat ? 'OpenAI' : 'OpenAICompletions';
    const config = {
      models: [{ abbr: 'm', type, base_url: server.url, model: 'm', max_out_len: 16 }],
      datasets: [
        {
          abbr: 'moods',
          rows: { train: one.rows, test: one.rows },
          reader_cfg: { input_columns: ['text'], output_column: 'mood' },
          infer_cfg: one.infer,
          eval_cfg: one.evaluation ?? { evaluator: { type: 'exact' } },
        },
      ],
    };
    const folder = await writeFolder({
      'c.yaml': stringify(config),
      'c.json': JSON.stringify(config),
    });
    const file = join(folder, isYaml ? 'c.yaml' : 'c.json');
    const out = join(folder, 'run');
    // Nobody knows of a completions server what it tells before it is asked.
    const commands = one.chat
      ? [
          ['plan', file],
          ['run', file, '--out', out],
        ]
      : [['run', file, '--out', out]];
    for (const command of commands) {
      const refused = await callCommand(command);
      expect([command[0], refused.code]).toEqual([command[0], 3]);
      expect(refused.stderr).toContain('replace `infer_cfg` and `eval_cfg` with:');
      const [, form = ''] = refused.stderr.split('`eval_cfg` with:\n\n');
      const pasted = isYaml ? parse(form) : JSON.parse(`{${form}}`);
      expect(Object.keys(pasted)).toEqual(['infer_cfg', 'eval_cfg']);
      const [dataset] = config.datasets;
      await writeFile(
        join(folder, 'pasted.json'),
        JSON.stringify({ ...config, datasets: [{ ...dataset, ...pasted }] }),
      );
    }
    server.asked.length = 0;
    const run = await callCommand(['run', join(folder, 'pasted.json'), '--out', out]);
    expect(run.stderr).not.toContain('error');
    expect(run.code).toBe(0);
    const first = server.asked.find((body) => isLoved(JSON.stringify(body)));
    expect(sentIn(first)).toEqual(one.sent);
    const { results } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
    const [{ rows: counts, metric, score }] = results;
    expect([counts.scored, metric, score.value]).toEqual([2, 'accuracy', 1]);
  },
  60_000,
);

test('a text that shows the answer itself is not asked with a gap in it', async () => {
  await using server = await startJudgeServer();
  const template = { positive: '{text} It is {mood} good.', negative: '{text} It is bad.' };
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
    datasets: [
      {
        abbr: 'moods',
        rows,
        reader_cfg: { input_columns: ['text'], output_column: 'mood' },
        infer_cfg: { prompt_template: { template }, inferencer: { type: 'PPLInferencer' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  };
  const folder = await writeFolder({ 'c.json': JSON.stringify(config) });
  const refused = await callCommand(['plan', join(folder, 'c.json')]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).not.toContain('replace `infer_cfg`');
});

/** Whether the last review is the first row's: examples stand before it. */
function isLoved(text: string): boolean {
  return text.lastIndexOf('loved') > text.lastIndexOf('hated');
}

function sentIn(body: AskedBody | undefined): unknown {
  const messages = body?.messages as readonly { content: string }[] | undefined;
  return messages ? messages.map(({ content }) => content) : body?.prompt;
}
