import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evaluate, loadConfig, planRun } from '../../src/index.ts';
import { writePng } from '../vision-server/png.ts';
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
  server.answer = () => '1';
});

const image = (name = 'a') => ({ type: 'image_url', image_url: { url: `${name}.png` } });
const text = (said: string) => ({ type: 'text', text: said });
const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const bot = { role: 'assistant', content: '1' };
const ofTexts = { prompt: '{question}' };
const ofMedia = { prompt_mm: { image: '{image}', text: '{question}' } };

interface Task {
  readonly row: object;
  readonly human?: object;
  readonly begin?: readonly object[];
  readonly type?: string;
}

async function write({ row, human = ofMedia, begin = [], type = 'Messages' }: Task) {
  const folder = await writeFolder({
    'rows.jsonl': JSON.stringify(row),
    'config.json': JSON.stringify({
      models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm', retries: 1 }],
      datasets: [
        {
          abbr: 'd',
          type,
          path: 'rows.jsonl',
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: {
            prompt_template: {
              type: 'MultiTurnPromptTemplate',
              template: {
                begin,
                round: [
                  { role: 'HUMAN', ...human },
                  { role: 'BOT', prompt: '{answer}' },
                ],
              },
            },
            inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every_with_gt' },
          },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    }),
  });
  await mkdir(folder, { recursive: true });
  for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.png`), writePng([9, 9, 9]));
  return { file: join(folder, 'config.json'), out: join(folder, 'run') };
}

const refused: readonly (readonly [string, Task, string])[] = [
  [
    'a picture and a template of texts',
    { row: { messages: [user(image(), text('q')), bot] }, human: ofTexts },
    'message 1 of `messages` shows an image, and the template has no `prompt_mm` with `image`',
  ],
  [
    'audio beside a picture',
    {
      row: {
        messages: [
          user(image(), { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
          bot,
        ],
      },
    },
    'message 1 of `messages` shows audio, and the template has no `prompt_mm` with `audio`',
  ],
  [
    'a video beside a picture',
    { row: { messages: [user(image(), { type: 'video_url', video_url: { url: 'v.mp4' } }), bot] } },
    'message 1 of `messages` shows a video',
  ],
  [
    'a file',
    {
      row: { messages: [user({ type: 'file', file: { file_id: 'f' } }, text('q')), bot] },
      human: ofTexts,
    },
    'message 1 of `messages` has a part of type `file`',
  ],
  [
    'a bare text among parts',
    { row: { messages: [user('bare', text('q')), bot] }, human: ofTexts },
    'message 1 of `messages` has a part that is not a mapping',
  ],
  [
    'a picture in an answer',
    {
      row: {
        messages: [
          user(image(), text('q')),
          { role: 'assistant', content: [text('1'), image('b')] },
          user(text('q2')),
          bot,
        ],
      },
    },
    'message 2 of `messages` shows an image, which only user messages may do',
  ],
  [
    'a system message and a template without one',
    {
      row: { messages: [{ role: 'system', content: 'be brief' }, user(text('q')), bot] },
      human: ofTexts,
    },
    'message 1 of `messages` is a system message, but the template has no `{system}`',
  ],
  [
    'images beside those of messages',
    { row: { images: ['b.png'], messages: [user(image(), text('q')), bot] } },
    '`images` names media in addition to those in `messages`',
  ],
  [
    'an image beside those of messages',
    { row: { image: 'b.png', messages: [user(image(), text('q')), bot] } },
    'the row has 2 such media',
  ],
  [
    'calls of tools',
    {
      row: {
        messages: [
          user(text('q')),
          { ...bot, content: '', tool_calls: [{ id: 'c' }] },
          user(text('q')),
          bot,
        ],
      },
      human: ofTexts,
    },
    'message 2 of `messages` has `tool_calls`',
  ],
  [
    'a mark for the cache beside a text',
    {
      row: { messages: [user({ ...text('q'), cache_control: { type: 'ephemeral' } }), bot] },
      human: ofTexts,
    },
    'message 1 of `messages` has a text with `cache_control` beside it',
  ],
  [
    'the name of a user',
    { row: { messages: [{ role: 'user', content: 'q', name: 'Eve' }, bot] }, human: ofTexts },
    'message 1 of `messages` has `name`',
  ],
  [
    'a content that is not text',
    { row: { messages: [{ role: 'user', content: { text: 'q' } }, bot] }, human: ofTexts },
    'message 1 of `messages` is neither a text nor a list of parts',
  ],
  [
    'marked images of ShareGPT and a template of texts',
    {
      row: {
        images: ['a.png'],
        conversations: [
          { from: 'human', value: '<image>\nq' },
          { from: 'gpt', value: '1' },
        ],
      },
      human: ofTexts,
      type: 'ShareGPT',
    },
    '`<image>` stands for a media file, but the template has no `prompt_mm` with `image`',
  ],
  [
    'a picture and no turns',
    { row: { images: ['a.png'], conversations: [] }, type: 'ShareGPT' },
    'row 0 has no turns: none of `question`, `content`, `answer` is a list with elements',
  ],
  [
    'a picture and a tool that speaks',
    {
      row: { images: ['a.png'], conversations: [{ from: 'tool', value: 'x' }] },
      type: 'ShareGPT',
    },
    'row 0 has no turns: `tool` is a role that turns cannot have',
  ],
];

test.each(refused)('%s: the row fails by name, in plan, view and run', async (_, task, reason) => {
  const { file, out } = await write(task);
  const plan = await planRun(await loadConfig(file), { out });
  expect(plan.tasks[0]).toMatchObject({ send: 0, refused: [{ rows: 1 }] });
  expect(plan.tasks[0]?.refused?.[0]?.reason).toContain(reason);
  const view = await callCommand(['view', file, '--json']);
  expect(JSON.stringify(JSON.parse(view.stdout).views[0].diagnostics)).toContain(reason);
  const run = await callCommand(['run', file, '--out', out]);
  expect([run.code, run.stderr]).toEqual([expect.any(Number), expect.stringContaining(reason)]);
  expect(run.code).toBeGreaterThan(1);
  expect(server.asked).toEqual([]);
});

const url = `data:image/png;base64,${writePng([9, 9, 9]).toString('base64')}`;
const picture = { type: 'image_url', image_url: { url } };
const system = [{ role: 'SYSTEM', prompt: '{system}' }];

const sent: readonly (readonly [string, Task, readonly unknown[]])[] = [
  [
    'a system message that the template says',
    {
      row: { messages: [{ role: 'system', content: 'brief' }, user(text('q')), bot] },
      human: ofTexts,
      begin: system,
    },
    [['brief', 'q']],
  ],
  [
    'an empty system message',
    { row: { messages: [{ role: 'system', content: '' }, user(text('q')), bot] }, human: ofTexts },
    [['q']],
  ],
  [
    'a tag that is text beside a picture',
    { row: { messages: [user(text('literal <image> tag'), image(), text('q')), bot] } },
    [[[text('literal <image> tag'), picture, text('q')]]],
  ],
  [
    'tags that are text in another turn',
    {
      row: {
        messages: [
          user(image(), text('q')),
          bot,
          { role: 'user', content: 'no <image> \\<image>' },
          bot,
        ],
      },
    },
    [[[picture, text('q')]], [[picture, text('q')], '1', [text('no <image> \\<image>')]]],
  ],
  [
    'one picture for a whole dialogue',
    {
      row: {
        images: ['a.png'],
        conversations: [
          { from: 'human', value: 'q1' },
          { from: 'gpt', value: '1' },
          { from: 'human', value: 'q2' },
          { from: 'gpt', value: '1' },
        ],
      },
      type: 'ShareGPT',
    },
    [[[picture, text('q1')]], [[picture, text('q1')], '1', [text('q2')]]],
  ],
];

test.each(sent)('%s is sent', async (_, task, messages) => {
  const { file, out } = await write(task);
  const { summary } = await evaluate(await loadConfig(file), { out });
  expect(summary.results[0]?.rows.failed).toBe(0);
  const contents = server.asked.map((body) =>
    (body.messages as { content: unknown }[]).map(({ content }) => content),
  );
  expect(contents.sort((a, b) => a.length - b.length)).toEqual(messages);
});
