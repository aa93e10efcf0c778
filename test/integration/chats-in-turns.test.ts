import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
});

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const system = { begin: [{ role: 'SYSTEM', prompt: '{system}' }] };
const texts = { prompt: '{question}' };
const withImage = { prompt_mm: { image: '{image}', text: '{question}' } };
const lists = { question: ['q1', 'q2'], answer: ['a1', 'a2'] };
const image = `data:image/png;base64,${picture}`;

interface Case {
  readonly rows: readonly object[];
  readonly template: object;
  readonly columns?: readonly string[];
  readonly dataset?: object;
}

const cases: readonly (readonly [string, Case])[] = [
  [
    'a system message that rows may lack, or have without text',
    {
      rows: [{ ...lists, system: 's' }, lists, { ...lists, system: '' }],
      template: { ...system, human: texts },
      columns: ['question', 'system'],
    },
  ],
  [
    'a column that a row lacks',
    {
      rows: [
        { ...lists, kind: 'k' },
        { question: ['q3', 'q4'], answer: ['a', 'b'] },
      ],
      template: { begin: [{ role: 'SYSTEM', prompt: 'A {kind}' }], human: texts },
      columns: ['question', 'kind'],
    },
  ],
  [
    'one image for a dialogue',
    {
      rows: [{ ...lists, image }],
      template: { human: withImage },
      columns: ['question', 'image'],
    },
  ],
  [
    'messages with an image',
    {
      rows: [
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'q1' },
                { type: 'image_url', image_url: { url: image } },
              ],
            },
            { role: 'assistant', content: 'a1' },
            { role: 'user', content: 'q2' },
            { role: 'assistant', content: 'a2' },
          ],
        },
      ],
      template: { human: withImage },
      dataset: { type: 'Messages' },
    },
  ],
  [
    'tagged content',
    {
      rows: [
        {
          question: [
            `<AIS_IMAGE_START>${image}<AIS_CONTENT_TAG><AIS_TEXT_START>q1<AIS_CONTENT_TAG>`,
            'q2',
          ],
          answer: ['a1', 'a2'],
        },
      ],
      template: { human: withImage },
    },
  ],
];

test.each(
  cases.flatMap(([name, one]) =>
    ['every', 'every_with_gt', 'last'].map((mode) => [name, mode, one] as const),
  ),
)('ChatInferencer asks as MultiTurnGenInferencer does: %s, %s', async (_, infer_mode, one) => {
  const { human, ...around } = one.template as { human: object };
  const round = [
    { role: 'HUMAN', ...human },
    { role: 'BOT', prompt: '{answer}' },
  ];
  const seen = [];
  for (const type of ['MultiTurnGenInferencer', 'ChatInferencer']) {
    const folder = await writeFolder({
      'rows.jsonl': one.rows.map((row) => JSON.stringify(row)).join('\n'),
      'c.json': JSON.stringify({
        models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm', max_out_len: 9 }],
        datasets: [
          {
            abbr: 'd',
            path: 'rows.jsonl',
            ...one.dataset,
            reader_cfg: { input_columns: one.columns ?? ['question'], output_column: 'answer' },
            infer_cfg: {
              prompt_template: { type: 'MultiTurnPromptTemplate', template: { ...around, round } },
              inferencer: { type, infer_mode },
            },
            eval_cfg: { evaluator: { type: 'contains' } },
          },
        ],
      }),
    });
    server.asked.length = 0;
    server.answer = () => 'mine';
    const { code } = await callCommand(['run', join(folder, 'c.json'), '--out', join(folder, 'o')]);
    const bodies = server.asked.map(({ messages }) => JSON.stringify(messages)).sort();
    seen.push({ code, bodies });
  }
  const [turns, chat] = seen;
  expect(turns?.bodies.length).toBeGreaterThan(0);
  expect(turns?.bodies.join()).not.toMatch(/\{system\}|\{kind\}|"content":""/);
  expect(chat).toEqual(turns);
});
