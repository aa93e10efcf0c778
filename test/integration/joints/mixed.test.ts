import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import { checkPlans } from './check-plans.ts';
import { checkRun } from './check-run.ts';
import { checkViews } from './check-views.ts';
import { type Levels, plainLevels } from './factors.ts';
import { callAll } from './joint.ts';
import { startRecordingServer } from './recording-server.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

const birds = numbers(7).map((n) => ({
  ...{ id: `q${n}`, q: `how many wings have ${n} birds`, a: 'ABC'[(n * 2) % 3], kind: n % 2 },
  ...{ A: `${n} `, B: `${n + 1}`, C: '{n}', topic: ['x', 'y'][n % 2], level: n / 2 },
  ...(n % 3 === 1 && { max_out_len: 11 + n }),
  ...(n === 2 && { q: 'once\nmore {a} \\n "quoted" — ü😀' }),
  picture: 'pixel.png',
}));

const files = {
  'train.jsonl': lines(
    numbers(9).map((n) => ({
      ...{ id: `t${n}`, q: `how many legs have ${n} dogs`, a: 'ABC'[n % 3], kind: n % 2 },
      ...{ A: `${n}`, B: `${n + 1}`, C: `${n + 2}`, topic: ['x', 'y'][n % 2] },
    })),
  ),
  'test.jsonl': lines(birds),
  'checked.jsonl': lines(
    birds.map((row, n) => ({
      ...row,
      checks: [
        { type: 'contains', value: `${n}` },
        { type: 'llm-rubric', value: `is about ${n} birds`, model: 'j' },
      ],
    })),
  ),
};

interface Mixed {
  readonly models?: readonly object[];
  readonly datasets: readonly object[];
  readonly top?: object;
  readonly levels?: Partial<Levels>;
}

const reader = { input_columns: ['q'], output_column: 'a' };
const path = { train: 'train.jsonl', test: 'test.jsonl' };
const checked = { path: 'checked.jsonl' };
const base = { abbr: 'd', path, reader_cfg: reader, eval_cfg: { evaluator: { type: 'exact' } } };
const plain = { prompt_template: { template: 'Q: {q}\nA: {a}' } };
const shots = {
  ice_template: { template: 'Q: {q}\nA: {a}\n' },
  prompt_template: { template: '</E>Q: {q}\nA: {a}', ice_token: '</E>' },
};
const dialogue = {
  template: {
    begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'About {topic}.' }],
    round: [
      { role: 'HUMAN', prompt: '{q}' },
      { role: 'BOT', prompt: 'It is {a}' },
    ],
  },
};
const judge = { abbr: 'j', type: 'OpenAI', model: 'judge-model', judge: true, max_out_len: 9 };
const second = { ...judge, abbr: 'k', model: 'judge-model', generation_kwargs: { seed: 3 } };
const chat = { abbr: 'm', type: 'OpenAI', model: 'm', max_out_len: 5 };
const text = { abbr: 'p', type: 'OpenAICompletions', model: 'p', max_out_len: 6, stop: ['\n\n'] };

const tool = {
  name: 'count',
  description: 'Counts animals',
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
};

const configs: Readonly<Record<string, Mixed>> = {
  'row checks with two judges and a check of the config beside them': {
    models: [chat, text, judge, second],
    datasets: [
      {
        ...{ ...base, ...checked },
        infer_cfg: plain,
        eval_cfg: {
          evaluator: [
            { type: 'contains', value: 'it', weight: 2 },
            { type: 'llm-rubric', value: 'is polite', model: 'j', name: 'polite' },
            { type: 'judge', model: 'k', name: 'graded', rubric: 'is right about {q}' },
          ],
        },
      },
    ],
  },
  'checks of rows that ask the only judge, of a range, in reverse order': {
    models: [chat, judge],
    datasets: [
      {
        ...{ ...base, ...checked },
        reader_cfg: { ...reader, test_range: '[::-1][1:5]' },
        infer_cfg: { prompt_template: dialogue },
        eval_cfg: { evaluator: [{ type: 'not-contains', value: 'sorry' }] },
      },
    ],
  },
  'tools and a form of the answer, with samples and limits of rows': {
    models: [{ ...chat, generation_kwargs: { temperature: 0.3, top_p: 0.9 } }],
    datasets: [
      {
        ...base,
        n: 3,
        infer_cfg: {
          prompt_template: dialogue,
          tools: [tool],
          response_format: { type: 'json_object' },
          inferencer: { type: 'GenInferencer', max_out_len: 44, stopping_criteria: ['END'] },
        },
      },
    ],
  },
  'examples as text that hardly fit, on a model with a format and on chat': {
    models: [
      { ...text, max_seq_len: 90, meta_template: 'chatml' },
      { ...chat, max_seq_len: 60 },
    ],
    datasets: [
      {
        ...base,
        infer_cfg: {
          ...shots,
          retriever: { type: 'RandomRetriever', ice_num: 4, seed: 5 },
          shots_as: 'text',
          inferencer: { type: 'GenInferencer', max_out_len: 20 },
        },
      },
    ],
  },
  'labels of the data on a server, with examples of the same topic': {
    models: [text],
    datasets: [
      {
        ...base,
        infer_cfg: {
          ice_template: { template: { A: '{q} A', B: '{q} B', C: '{q} C' } },
          prompt_template: {
            template: { A: '</E>{q} A', B: '</E>{q} B', C: '</E>{q} C' },
            ice_token: '</E>',
          },
          retriever: { type: 'BM25Retriever', ice_num: 2, columns: ['q'] },
          inferencer: { type: 'PPLInferencer' },
        },
      },
    ],
  },
  'compat of one of two models, windows, and a range of both splits': {
    models: [{ ...text, compat: 'opencompass' }, chat],
    datasets: [
      {
        ...base,
        reader_cfg: { ...reader, test_range: '[2:6]', train_range: '[1:8]' },
        infer_cfg: {
          ice_template: { type: 'PromptTemplate', template: 'Q: {q}\nA: {a}' },
          prompt_template: {
            type: 'PromptTemplate',
            template: '</E>Q: {q}\nA: {a}',
            ice_token: '</E>',
          },
          retriever: { type: 'SlidingWindowRetriever', k: 2 },
          inferencer: { type: 'GenInferencer', max_out_len: 30 },
        },
      },
    ],
  },
  'pictures for the model and its judge, streamed, two samples a row': {
    models: [{ ...chat, stream: true }, judge],
    datasets: [
      {
        ...base,
        n: 2,
        reader_cfg: { ...reader, input_columns: ['q', 'A', 'B', 'C', 'picture'] },
        infer_cfg: {
          prompt_template: {
            type: 'MMPromptTemplate',
            template: {
              round: [
                {
                  role: 'HUMAN',
                  prompt_mm: {
                    image: '{picture}',
                    text: '{q}\nA. {A}\nB. {B}\nC. {C}',
                  },
                },
              ],
            },
          },
        },
        eval_cfg: {
          evaluator: {
            type: 'judge',
            model: 'j',
            prompt: {
              type: 'MMPromptTemplate',
              template: {
                round: [
                  {
                    role: 'HUMAN',
                    prompt_mm: {
                      image: '{picture}',
                      text: '{prediction} for {reference}? A or B.',
                    },
                  },
                ],
              },
            },
            verdict: { type: 'choice', correct: 'A', incorrect: 'B' },
          },
        },
      },
    ],
  },
  'two datasets that share requests, samples of one of them, seeds of the model': {
    models: [{ ...chat, generation_kwargs: { seed: 11, temperature: 1 } }, text],
    datasets: [
      { ...base, infer_cfg: plain },
      { ...base, abbr: 'e', n: 2, k: 2, infer_cfg: plain },
      {
        ...base,
        abbr: 'f',
        infer_cfg: { ...plain, inferencer: { type: 'SCInferencer', sc_size: 3 } },
      },
    ],
  },
  'aisbench with limits of rows, stop words at three places and keys of its own': {
    models: [
      { ...chat, stop: ['STOP'], generation_kwargs: { top_k: 4, ignore_eos: true } },
      { ...text, abbr: 't' },
    ],
    top: { compat: 'aisbench' },
    datasets: [
      {
        ...base,
        infer_cfg: {
          prompt_template: {
            type: 'PromptTemplate',
            template: { round: [{ role: 'HUMAN', prompt: '{q}\n{level}' }] },
          },
          retriever: { type: 'ZeroRetriever' },
          inferencer: { type: 'GenInferencer', stopping_criteria: ['DONE'] },
        },
      },
    ],
  },
  'one label a row by likelihood, normalized, beside perplexities and written labels': {
    models: [text],
    datasets: [
      {
        ...base,
        infer_cfg: {
          prompt_template: { template: 'Q: {q}\nA: {a}' },
          inferencer: { type: 'PPLInferencer', labels: ['A', 'B', 'C'], normalizing_str: 'A:' },
        },
      },
      {
        ...base,
        abbr: 'e',
        infer_cfg: {
          prompt_template: { template: '{q}' },
          inferencer: { type: 'PPLOnlyInferencer' },
        },
        eval_cfg: undefined,
      },
      {
        ...base,
        abbr: 'f',
        infer_cfg: {
          prompt_template: { template: '{q}: {label}' },
          inferencer: { type: 'LLInferencer', labels: [' A', ' B', ' C'] },
        },
        eval_cfg: { evaluator: { type: 'exact', normalize: true } },
      },
    ],
  },
};

test.each(Object.entries(configs))(
  '%s',
  async (_, { models = [chat], datasets, top, levels }) => {
    await using server = await startRecordingServer();
    const config = {
      ...top,
      models: models.map((model) => ({ base_url: server.url, ...model })),
      datasets,
    };
    const folder = await writeFolder({ ...files, 'c.json': JSON.stringify(config) });
    await writeFile(join(folder, 'pixel.png'), Buffer.from(pixel, 'base64'));
    const joint = await callAll(join(folder, 'c.json'), { server, call: callCommand });
    const all: Levels = { ...plainLevels, ...levels };
    expect([
      ...joint.failures,
      ...checkRun(joint),
      ...checkViews(joint, all),
      ...checkPlans(joint, all),
    ]).toEqual([]);
  },
  60_000,
);
