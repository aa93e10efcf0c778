import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { evaluate, openEvaluations, planRun, rescore } from '../../src/index.ts';
import { type SentBody, startAnsweringServer } from './answering-server.ts';

const scratch = await mkdtemp(join(tmpdir(), 'typecase-chats-'));
/** Answers with the number of the turn. */
const server = await startAnsweringServer((body) => {
  const answers = body.messages?.filter(({ role }) => role === 'assistant').length;
  return `R${(answers ?? (body.prompt ?? '').split('R').length - 1) + 1}`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});
let folders = 0;
const newFolder = () => join(scratch, String(folders++));

const chat = { type: 'OpenAI' };
const chatml = { type: 'OpenAICompletions', meta_template: 'chatml' };
const plain = { type: 'OpenAICompletions' };
type Compat = 'opencompass' | undefined;

interface Case {
  readonly rows: readonly object[];
  readonly model?: object;
  readonly reader?: object;
  readonly infer?: object;
  readonly inferencer?: object;
  readonly compat?: Compat;
}

function configOf({ rows, model = chat, reader, infer, inferencer, compat }: Case): ConfigInput {
  return {
    ...(compat && { compat }),
    models: [{ abbr: 'm', model: 'x', base_url: server.url, batch_size: 1, ...model }],
    datasets: [
      {
        abbr: 'd',
        rows,
        reader_cfg: { input_columns: ['question'], output_column: 'answer', ...reader },
        infer_cfg: { ...infer, inferencer: { type: 'ChatInferencer', ...inferencer } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  } as unknown as ConfigInput;
}

const shorten = ({ messages, prompt }: SentBody) =>
  prompt ?? messages?.map(({ role, content }) => `${role[0]}:${content}`).join('|');

/** What a run sends; what is viewed and planned before must be the same. */
async function sentFor(given: Case) {
  const config = configOf(given);
  await using evaluations = await openEvaluations(config, { purpose: 'view' });
  const viewed: unknown[] = [];
  for (const evaluation of evaluations) {
    for await (const batch of evaluation.rows.batches()) {
      for (const row of batch) {
        const answers: string[] = [];
        for (let turn = 1; ; turn++) {
          const { requests } = await evaluation.trace(row, answers);
          const [request] = requests;
          if (!request) break;
          viewed.push(shorten(JSON.parse(request.encoded)));
          answers.push(`R${turn}`);
        }
      }
    }
  }
  server.bodies.length = 0;
  const out = newFolder();
  const { tasks } = await planRun(config, { out });
  const run = await evaluate(config, { out });
  const sent = server.bodies.map(shorten);
  expect(viewed.toSorted()).toEqual(sent.toSorted());
  expect(tasks.map(({ send }) => send)).toEqual([sent.length]);
  const [result] = run.summary.results;
  const again = await rescore(out);
  expect(again.summary.results[0]?.score).toEqual(result?.score);
  return { sent, result, run };
}

const template = {
  prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } },
};
const lists = [{ question: ['u1', 'u2', 'u3'], answer: ['R1', 'g2', 'R3'] }];
const dialogue = [
  { role: 'system', content: 's' },
  { role: 'user', content: 'u1' },
  { role: 'assistant', content: 'g1' },
  { role: 'user', content: 'u2' },
  { role: 'assistant', content: 'g2' },
];
const held = [{ dialogue, capability: 'math', judge: 'none' }];
const ofDialogue = { input_columns: ['dialogue', 'capability'], output_column: 'judge' };

describe.each(['last', 'every', 'every_with_gt'] as const)('%s', (infer_mode) => {
  const inferencer = { infer_mode };
  const modes = {
    last: ['u:u1|a:R1|u:u2|a:g2|u:u3'],
    every: ['u:u1', 'u:u1|a:R1|u:u2', 'u:u1|a:R1|u:u2|a:R2|u:u3'],
    every_with_gt: ['u:u1', 'u:u1|a:R1|u:u2', 'u:u1|a:R1|u:u2|a:g2|u:u3'],
  }[infer_mode];

  test.each<Compat>([undefined, 'opencompass'])('lists of texts, compat %s', async (compat) => {
    const { sent, result } = await sentFor({ rows: lists, inferencer, compat });
    expect(sent).toEqual(modes);
    // The server counts answers, so the third one is right whatever was said before.
    expect(result?.score?.value).toBeCloseTo(infer_mode === 'last' ? 1 : 2 / 3);
  });

  test('lists of texts with a template', async () => {
    const { sent } = await sentFor({ rows: lists, infer: template, inferencer });
    expect(sent).toEqual(modes.map((text) => text.replaceAll('u:', 'u:Q: ')));
  });

  const messages = {
    last: ['s:s|u:u1|a:g1|u:u2'],
    every: ['s:s|u:u1', 's:s|u:u1|a:R1|u:u2'],
    every_with_gt: ['s:s|u:u1', 's:s|u:u1|a:g1|u:u2'],
  }[infer_mode];

  test.each([
    ['a list', held, undefined],
    ['a list', held, 'opencompass'],
    ['JSON', [{ ...held[0], dialogue: JSON.stringify(dialogue) }], undefined],
  ] as const)('a dialogue as %s (%#)', async (_, rows, compat) => {
    const infer = { prompt_template: { template: '{dialogue}' } };
    const { sent } = await sentFor({ rows, reader: ofDialogue, infer, inferencer, compat });
    expect(sent).toEqual(messages);
  });

  test('for a text model in its format', async () => {
    const given = { rows: held, reader: ofDialogue, inferencer, model: chatml };
    const { sent } = await sentFor(given);
    const names = { s: 'system', u: 'user', a: 'assistant' };
    const written = messages.map((text) =>
      [...text.split('|'), 'a:']
        .map((said) => {
          const role = names[said[0] as keyof typeof names];
          const end = said === 'a:' ? '' : '<|im_end|>\n';
          return `<|im_start|>${role}\n${said.slice(2)}${end}`;
        })
        .join(''),
    );
    expect(sent).toEqual(written);
  });
});

test.each<[string, Case, readonly string[]]>([
  ['texts without a template', { rows: [{ question: 'u', answer: 'g' }] }, ['u:u']],
  ['last is what is asked unless said', { rows: lists }, ['u:u1|a:R1|u:u2|a:g2|u:u3']],
  [
    'a template that shows the answer does not show it',
    {
      rows: [{ question: 'u', answer: 'gold' }],
      infer: { prompt_template: { template: 'Q: {question}\nA: {answer}' } },
    },
    ['u:Q: u\nA:'],
  ],
  [
    'turns of the template are asked too',
    {
      rows: [{ question: 'u', answer: 'gold' }],
      inferencer: { infer_mode: 'every' },
      infer: {
        prompt_template: {
          template: {
            begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }],
            round: [
              { role: 'HUMAN', prompt: 'Hi' },
              { role: 'BOT', prompt: 'Hello' },
              { role: 'HUMAN', prompt: '{question}' },
              { role: 'BOT', prompt: '{answer}' },
            ],
          },
        },
      },
    },
    ['s:Be brief.|u:Hi', 's:Be brief.|u:Hi|a:R1|u:u'],
  ],
  [
    'a dialogue that ends with a question',
    {
      rows: [{ m: [{ role: 'user', content: '{m}' }], answer: 'R1' }],
      reader: { input_columns: ['m'] },
    },
    ['u:{m}'],
  ],
  [
    'no format: what was said, line by line',
    { rows: lists, model: plain, inferencer: { infer_mode: 'every' } },
    ['u1\n', 'u1\nR1\nu2\n', 'u1\nR1\nu2\nR2\nu3\n'],
  ],
])('%s', async (_, given, wanted) => {
  const { sent } = await sentFor(given);
  expect(sent).toEqual(wanted);
});

test('a plan knows that turns follow each other', async () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ question: [name, `${name}2`], answer: ['', ''] }));
  const times = [1, 2, 8].map(async (batch_size) => {
    const given = { rows, model: { ...chat, batch_size }, inferencer: { infer_mode: 'every' } };
    return (await planRun(configOf(given), { out: newFolder(), latency: 1 })).time.seconds;
  });
  expect(await Promise.all(times)).toEqual([6, 4, 2]);
});

test('each turn has its own limit, and its own right answer', async () => {
  const inferencer = { infer_mode: 'every', max_out_len: [3, 9] };
  const { run } = await sentFor({ rows: lists, inferencer });
  expect(server.bodies.map(({ max_tokens }) => max_tokens)).toEqual([3, 9, 9]);
  const [result] = run.summary.results;
  expect(result?.metrics).toMatchObject([{ name: 'turn_1' }, {}, {}, {}]);
});

test.each<[Case, object]>([
  [
    { rows: held, reader: ofDialogue, infer: template },
    { code: 'template.chat_and_text', at: undefined },
  ],
  [
    {
      rows: [{ question: 'u', answer: 'g' }],
      infer: {
        ice_template: { template: '</E>{question}{answer}', ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [0] },
      },
    },
    { code: 'template.chat_examples' },
  ],
  [
    {
      rows: [{ question: 'u', other: 'o', answer: 'g' }],
      reader: { input_columns: ['question', 'other'] },
    },
    { code: 'template.missing' },
  ],
])('refused: %j', async (given, { code }: { code?: string }) => {
  server.bodies.length = 0;
  await expect(evaluate(configOf(given), { out: newFolder() })).rejects.toMatchObject({ code });
  expect(server.bodies).toEqual([]);
});

const user = { role: 'user', content: 'u' };
const empty = { role: 'assistant', content: null };
const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
const tool = { role: 'tool', tool_call_id: 'c', content: '3' };

test.each<[row: object, reason: string, mode?: string]>([
  [{ question: ['u1', 'u2'], answer: 'g' }, 'is not a chat of several turns'],
  [{ question: ['u1', 'u2'], answer: ['g'] }, '2 elements in `question` and 1 in `answer`'],
  [{ question: null, answer: 'g' }, '`question` of the row is empty (null)'],
  [{ question: [{ role: 'person', content: 'u' }], answer: 'g' }, 'message 1 of `question`'],
  [
    { question: [user, { ...empty, tool_calls: calls }, tool, user] },
    'message 2 of `question` has `tool_calls`',
  ],
  [{ question: [user, tool] }, 'message 2 of `question` has `tool_call_id`'],
  [{ question: [{ ...user, name: 'Ann' }] }, 'message 1 of `question` has `name`'],
  [{ question: [user, empty, user] }, 'message 2 of `question`'],
  [{ question: [user, empty, user] }, 'message 2 of `question`', 'every_with_gt'],
  [{ question: [empty] }, '`question` begins with an answer'],
  [{ question: [{ ...empty, content: 'Hi' }, user] }, 'begins with an answer', 'every'],
])('a row that fails: %j, %s, %s', async (row, reason, infer_mode = 'last') => {
  const rows = [{ question: 'u', answer: 'R1' }, row];
  const config = configOf({ rows, inferencer: { infer_mode } });
  const run = await evaluate(config, { out: newFolder() });
  expect(run.summary.results[0]?.rows).toMatchObject({ scored: 1, failed: 1 });
  for await (const { id, reason: found } of run.rows()) {
    if (id === 1) expect(found).toContain(reason);
  }
});

describe('what later turns are told', () => {
  const round = [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: 'A: {answer}.' },
  ];
  const rows = [{ question: ['u1', 'u2'], answer: ['g1', 'g2'] }];
  const inTurns = { type: 'MultiTurnGenInferencer' };
  const prefill = { ...chat, prefill: 'last_message' };
  const begin = '<|im_start|>user\nu1<|im_end|>\n<|im_start|>assistant\nA:';
  const end = '<|im_end|>\n<|im_start|>user\nu2<|im_end|>\n<|im_start|>assistant\nA:';

  test.each<[string, object, string, string]>([
    ['a chat that is not given the beginning', chat, 'R1', 'u:u1|a:R1|u:u2'],
    ['the same, with spaces', chat, ' R1\n', 'u:u1|a: R1\n|u:u2'],
    ['a chat that goes on with it', prefill, ' R1', 'u:u1|a:A: R1|u:u2|a:A:'],
    ['the same that says it again', prefill, 'A: R1', 'u:u1|a:A: R1|u:u2|a:A:'],
    ['a text that goes on with it', chatml, ' R1', `${begin} R1${end}`],
    ['the same that says it again', chatml, 'A: R1', `${begin} R1${end}`],
  ])('by %s', async (_, model, said, wanted) => {
    await using saying = await startAnsweringServer(() => said);
    for (const inferencer of [{}, inTurns]) {
      const type = inferencer === inTurns ? 'MultiTurnPromptTemplate' : 'PromptTemplate';
      const config = configOf({
        rows,
        model: { ...model, base_url: saying.url },
        infer: { prompt_template: { type, template: { round } } },
        inferencer: { infer_mode: 'every', ...inferencer },
      });
      saying.bodies.length = 0;
      await evaluate(config, { out: newFolder() });
      expect(saying.bodies.map(shorten)[1]).toBe(wanted);
    }
  });
});
