import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConfigInput, evaluate, planRun, studyPrefixCache } from '../../src/index.ts';
import { buildCli } from './build-cli.ts';
import { startRecordingServer } from './joints/recording-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const tokenizer = join(import.meta.dirname, '../../models/typecase-tiny/tokenizer.json');
const passages = ['The river is long and the mountain is high.', 'A house has a door and a roof.'];
const rows = passages.flatMap((passage, document) =>
  ['How long?', 'How high?', 'What of it?'].map((question) => ({
    passage,
    question: `${question} (${document})`,
    answer: 'x',
  })),
);

/** One token for each byte, as this tokenizer has it, with marks where messages begin. */
function bytesOf(body: {
  readonly prompt?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}): string[] {
  if (body.prompt !== undefined) return Array.from(Buffer.from(body.prompt), String);
  return (body.messages ?? []).flatMap(({ role, content }) =>
    Array.from(Buffer.from(content), (byte, index) => (index === 0 ? `${role}${byte}` : `${byte}`)),
  );
}

/** The longest run of whole blocks that any earlier prompt begins with, summed over all. */
function sharedWithEarlier(prompts: readonly string[][], block: number): number {
  let saved = 0;
  for (const [index, prompt] of prompts.entries()) {
    const longest = prompts.slice(0, index).reduce((most, earlier) => {
      const end = prompt.findIndex((token, at) => token !== earlier[at]);
      return Math.max(most, end < 0 ? prompt.length : end);
    }, 0);
    saved += Math.floor(Math.min(longest, prompt.length - 1) / block) * block;
  }
  return saved;
}

const template = 'Answer the question about the text.\n\n{passage}\nQuestion: {question}\nAnswer:';
const round = [
  { role: 'HUMAN', prompt: '{passage}\nQuestion: {question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const examples = {
  ice_template: { template: 'Text: {passage}\nQuestion: {question}\nAnswer: {answer}\n' },
  retriever: { type: 'FixKRetriever' as const, fix_id_list: [0, 1] },
};

describe('what is planned is what a cache would find in the requests that a server gets', () => {
  test.each<[string, string, object]>([
    ['a text', 'completions', { prompt_template: { template } }],
    [
      'examples',
      'completions',
      { prompt_template: { template: `</E>${template}`, ice_token: '</E>' }, ...examples },
    ],
    [
      'messages',
      'chat',
      {
        prompt_template: { template: { begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }], round } },
      },
    ],
    [
      'messages by a chat format',
      'completions',
      { prompt_template: { template: { round } }, meta: 'chatml' },
    ],
  ])('%s', async (_, api, { meta, ...infer }: { meta?: 'chatml' }) => {
    await using server = await startRecordingServer();
    const out = await writeFolder({});
    const config: ConfigInput = {
      models: [
        {
          abbr: 'm',
          type: api === 'completions' ? 'OpenAICompletions' : 'OpenAI',
          base_url: `${server.url}/v1`,
          model: 'm',
          ...(meta && { meta_template: meta }),
          tokenizer,
          max_out_len: 4,
        },
      ],
      datasets: [
        {
          abbr: 'd',
          rows,
          reader_cfg: { input_columns: ['passage', 'question'], output_column: 'answer' },
          infer_cfg: infer,
        },
      ],
    };
    const { total, exactTokens } = await planRun(config, { out });
    await evaluate(config, { out, concurrency: 1 });
    const prompts = server.requests.map(({ body }) => bytesOf(JSON.parse(body)));
    expect(prompts).toHaveLength(6);
    expect(exactTokens).toBe(true);
    expect(total.inputTokens).toBe(prompts.flat().length);
    expect(total.sharedTokens).toBe(sharedWithEarlier(prompts, 16));
    expect(total.sharedTokens).toBeGreaterThan(0);
    for (const block of [1, 7]) {
      const [study] = await studyPrefixCache(config, { block });
      expect(study?.savings).toMatchObject({
        requests: 6,
        saved: sharedWithEarlier(prompts, block),
      });
    }
  });
});

const served = {
  abbr: 'm',
  type: 'OpenAI' as const,
  base_url: 'http://127.0.0.1:9/v1',
  model: 'm',
  tokenizer,
} as const;

test('a later turn finds the turns before it; answers that are not there are not counted', async () => {
  const dialogue = {
    abbr: 'd',
    rows: [
      { question: ['Who?', 'Where?', 'When?'], answer: ['a', 'b', 'c'] },
      { question: ['Who?', 'Why?'], answer: ['a', 'b'] },
    ],
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        type: 'MultiTurnPromptTemplate' as const,
        template: {
          round: [
            { role: 'HUMAN', prompt: '{question}' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
      inferencer: { type: 'MultiTurnGenInferencer' as const, infer_mode: 'every' } as const,
    },
  };
  const config: ConfigInput = { models: [served], datasets: [dialogue] };
  const [study] = await studyPrefixCache(config, { block: 1 });
  const [who, where, when, why] = ['Who?', 'Where?', 'When?', 'Why?'].map(
    (text) => text.length,
  ) as [number, number, number, number];
  expect(study?.withoutAnswers).toBe(true);
  expect(study?.savings).toEqual({
    // the second dialogue begins as the first: that turn is one request
    requests: 4,
    tokens: who + (who + where) + (who + where + when) + (who + why),
    saved: who + (who + where) + (who + 'Wh'.length),
    tooLong: 0,
  });
});

test('labels share their prompt, images are found again by what they hold', async () => {
  const choice = {
    abbr: 'd',
    rows: rows.slice(0, 2),
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: { template: { yes: '{question} yes', no: '{question} no' } },
      inferencer: { type: 'PPLInferencer' as const },
    },
  };
  const scored = { abbr: 'tiny', type: 'Local', path: 'typecase-tiny' } as const;
  const [labels] = await studyPrefixCache({ models: [scored], datasets: [choice] }, { block: 1 });
  const lengths = rows.slice(0, 2).map(({ question }) => question.length);
  expect(labels?.likelihoods).toBe(true);
  expect(labels?.savings).toMatchObject({
    requests: 4,
    saved: lengths.reduce((sum, length) => sum + length + 1, 'How '.length),
  });
  const png = (byte: number) =>
    Buffer.from(
      `89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de${'00'.repeat(20)}0${byte}`,
      'hex',
    ).toString('base64');
  const pictures = {
    abbr: 'd',
    rows: [1, 2, 1].map((byte, index) => ({
      image: png(byte),
      question: `Q${index}`,
      answer: 'x',
    })),
    reader_cfg: { input_columns: ['image', 'question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        type: 'MMPromptTemplate' as const,
        template: {
          round: [
            {
              role: 'HUMAN',
              prompt_mm: {
                image: { type: 'image_url', image_url: { url: 'data:image/png;base64,{image}' } },
                text: { type: 'text', text: '{question}' },
              },
            },
          ],
        },
      },
    },
  };
  const config: ConfigInput = { models: [served], datasets: [pictures] };
  const [images] = await studyPrefixCache(config, { block: 1, imageTokens: 10 });
  expect(images).toMatchObject({
    media: 3,
    savings: { requests: 3, tokens: 36, saved: 10 + 'Q'.length },
  });
});

const page = readFileSync(
  join(import.meta.dirname, '../../docs/reference/prefix-cache.md'),
  'utf8',
);
const written = /```yaml reading.yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

test('the example of docs/reference/prefix-cache.md is true, as text, JSON and pages', async () => {
  const cwd = await writeFolder({
    'reading.yaml': written,
    'after.yaml': written.replace(
      'Question: {question}\\nText: {text}',
      'Text: {text}\\nQuestion: {question}',
    ),
  });
  const study = (...args: string[]) =>
    runCli(['cache-study', ...args, '--group-by', 'text'], { cwd });
  const blocks = [...page.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const shown = (start: string) => blocks.find((block) => block.startsWith(start)) ?? '';
  const before = await study('reading.yaml');
  expect(before.stderr).toBe('');
  expect(before.stdout.endsWith(`\n${shown('reading\nparts')}`)).toBe(true);
  const after = await study('after.yaml');
  expect(after.stdout.startsWith(shown('served · reading'))).toBe(true);
  const { stdout } = await study('after.yaml', '--json', '--report', 'a.html', '--in-flight', '2');
  expect(JSON.parse(stdout)[0]).toMatchObject({
    model: 'served',
    in_flight: 2,
    by_order: [
      { order: 'sent' },
      { order: 'read', by_size: [{ size: 128 }, { size: 256 }] },
      { order: 'sorted' },
      { order: 'random' },
      { order: 'grouped' },
    ],
    datasets: [{ part_orders: { prompts: 6 } }],
  });
  const html = await readFile(join(cwd, 'a.html'), 'utf8');
  expect(html).toContain('Parts of the prompt of reading in another order');
  expect(html.match(/"svg":"/g)).toHaveLength(2);
});

test('room in GiB, and what cannot be', async () => {
  const cwd = await writeFolder({ 'reading.yaml': written });
  const study = (...args: string[]) => runCli(['cache-study', 'reading.yaml', ...args], { cwd });
  const gib = ['--prefix-gib', '0.5', '--bytes-per-token', String(2 ** 20)];
  expect(JSON.parse((await study(...gib, '--json')).stdout)[0]).toMatchObject({ size: 512 });
  const failures = await Promise.all([
    study('--prefix-gib', '1'),
    study(...gib, '--prefix-size', '10'),
    study('--group-by', 'nope'),
  ]);
  expect(failures.map(({ stderr }) => /error\[(.*?)\]/.exec(stderr)?.[1])).toEqual([
    'usage.missing_argument',
    'usage.conflicting_options',
    'data.unknown_column',
  ]);
});
