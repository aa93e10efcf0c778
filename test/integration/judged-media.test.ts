import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evaluate } from '../../src/index.ts';
import { writePng } from '../vision-server/png.ts';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;
beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
  server.answer = ({ model }, text) => {
    if (model === 'j') return `Rating: [[${picturesIn(text).length}]]`;
    return /SAY (.*?) END/.exec(text)?.[1] ?? 'fine';
  };
});

const pictures = {
  a: writePng([255, 0, 0]),
  b: writePng([0, 255, 0]),
  c: writePng([0, 0, 255]),
};
const names = new Map(
  Object.entries(pictures).map(([name, bytes]) => [hashOf(bytes.toString('base64')), name]),
);

function hashOf(base64: string): string {
  return createHash('sha256').update(base64).digest('hex');
}

function picturesIn(text: string): string[] {
  const found = [...text.matchAll(/data:image\/png;base64,([^"]+)/g)];
  return found.map(([, base64 = '']) => names.get(hashOf(base64)) ?? 'another');
}

/** What was sent, with pictures by their names: `[a]`. */
function sentTo(model: string): unknown[] {
  const partOf = (part: { type: string; text?: string }) =>
    part.type === 'text' ? part.text : `[${picturesIn(JSON.stringify(part))}]`;
  return server.asked
    .filter((body) => body.model === model)
    .map(({ messages }: AskedBody) =>
      (messages as { content: string | { type: string }[] }[]).map(({ content }) =>
        typeof content === 'string' ? content : content.map(partOf),
      ),
    );
}

const template = (text: string, type = 'MMPromptTemplate') => ({
  type,
  template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text } }] },
});
const inTurns = {
  prompt_template: {
    type: 'MultiTurnPromptTemplate',
    template: {
      round: [
        { role: 'HUMAN', prompt_mm: { image: '{image}', text: '{question}' } },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
  inferencer: { type: 'MultiTurnGenInferencer' },
};
const once = { prompt_template: template('{question}') };

interface Task {
  readonly row: object;
  readonly prompt: unknown;
  readonly infer?: object;
  readonly judge?: object;
}

async function write({ row, prompt, infer = once, judge = {} }: Task) {
  const chat = { type: 'OpenAI', base_url: server.url, max_out_len: 16, retries: 1, batch_size: 1 };
  const verdict = { type: 'grade', scale: [0, 10], pattern: '\\[\\[(\\d+)\\]\\]' };
  const folder = await writeFolder({ 'rows.jsonl': JSON.stringify(row) });
  const config = {
    models: [
      { ...chat, abbr: 'm', model: 'm' },
      { ...chat, abbr: 'j', model: 'j', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        path: join(folder, 'rows.jsonl'),
        reader_cfg: {
          input_columns: ['question', 'image'].filter((name) => name in row),
          output_column: 'answer',
        },
        infer_cfg: infer,
        eval_cfg: { evaluator: { type: 'judge', model: 'j', verdict, prompt, ...judge } },
      },
    ],
  };
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify(config));
  await mkdir(join(folder, 'm'), { recursive: true });
  for (const [name, bytes] of Object.entries(pictures))
    await writeFile(join(folder, 'm', `${name}.png`), bytes);
  return { file, config: config as Parameters<typeof evaluate>[0], out: join(folder, 'run') };
}

const turns = { question: ['q1', 'q2', 'q3'], answer: ['x', 'y', 'z'] };
const said = (count: number) =>
  [1, 2, 3]
    .slice(0, count)
    .map((turn) => `User:\nq${turn}\n\nAssistant:\nfine`)
    .join('\n\n');

describe('each picture is shown to a judge once, in the turn that it belongs to', () => {
  test.each<[string, object, string, readonly (readonly string[])[]]>([
    ['one for the dialogue', { image: 'm/a.png' }, '{conversation}', [['[a]'], ['[a]'], ['[a]']]],
    ['one for the dialogue, of the turn', { image: 'm/a.png' }, '{question}', [['[a]'], [], []]],
    [
      'a list for the turns',
      { image: ['m/a.png', null, ['m/b.png', 'm/c.png']] },
      '{conversation}',
      [['[a]'], ['[a]'], ['[a]', '[b]', '[c]']],
    ],
    [
      'a list for the turns, of the turn',
      { image: ['m/a.png', null, ['m/b.png', 'm/c.png']] },
      '{question}',
      [['[a]'], [], ['[b]', '[c]']],
    ],
  ])('%s', async (_, media, text, shown) => {
    const row = { ...turns, ...media };
    const { config, out } = await write({ row, infer: inTurns, prompt: template(text) });
    await evaluate(config, { out });
    const texts = shown.map((_, turn) => (text === '{question}' ? `q${turn + 1}` : said(turn + 1)));
    expect(sentTo('j')).toEqual(shown.map((media, turn) => [[...media, texts[turn]]]));
  });

  test('a text that is shown twice marks no place twice', async () => {
    const row = { image: ['m/a.png', 'm/b.png'], question: '<image> vs <image>', answer: 'x' };
    const prompt = template('{conversation} | {question}');
    const { config, out } = await write({ row, prompt });
    const { summary } = await evaluate(config, { out });
    expect(summary.results[0]?.score?.value).toBe(2);
    const asked = '<image> vs <image>';
    expect(sentTo('j')).toEqual([
      [['[a]', '[b]', `User:\n${asked}\n\nAssistant:\nfine | ${asked}`]],
    ]);
  });

  test('messages of the conversation come with the pictures that the prompt shows', async () => {
    const row = { ...turns, image: ['m/a.png', 'm/b.png', null] };
    const prompt = [
      { expand_column: 'conversation_messages' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: '{image}' } },
          { type: 'text', text: 'rate {prediction}' },
        ],
      },
    ];
    const judge = { turns: 'last' };
    const { config, out } = await write({ row, infer: inTurns, prompt, judge });
    await evaluate(config, { out });
    expect(sentTo('j')).toEqual([
      ['q1', 'fine', 'q2', 'fine', 'q3', 'fine', ['[a]', '[b]', 'rate fine']],
    ]);
  });
});

const tagged = (text: string, ...pictures: readonly string[]) =>
  [...pictures.map((name) => `<AIS_IMAGE_START>m/${name}.png`), `<AIS_TEXT_START>${text}`].join(
    '<AIS_CONTENT_TAG>',
  );

describe('content with the tags of AISBench is taken apart for a judge', () => {
  const row = { question: tagged('What <image> is it?', 'a', 'b'), answer: 'x' };
  test.each<[string, unknown, unknown]>([
    [
      'in a conversation',
      template('{conversation}'),
      ['User:', '[a]', '[b]', 'What <image> is it?\n\nAssistant:\nfine'],
    ],
    [
      'in texts of turns',
      template('Q {question_1} A {answer_1}'),
      ['Q ', '[a]', '[b]', 'What <image> is it? A fine'],
    ],
    [
      'as a whole',
      template('{question} A {prediction}'),
      ['[a]', '[b]', 'What <image> is it? A fine'],
    ],
    [
      'in a prompt of texts',
      '{question} | {conversation}',
      '<image>\n<image>\nWhat <image> is it? | User:\n<image>\n<image>\nWhat <image> is it?\n\nAssistant:\nfine',
    ],
  ])('%s', async (_, prompt, content) => {
    const { file, out } = await write({ row, prompt });
    const { code, stderr } = await callCommand(['run', file, '--out', out, '--json']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(sentTo('j')).toEqual([[content]]);
    server.asked.length = 0;
    await writeFile(join(file, '../m/b.png'), pictures.c);
    await callCommand(['run', file, '--out', out, '--json']);
    expect(sentTo('j').length).toBe(typeof prompt === 'string' ? 0 : 1);
  });

  test('of all turns that the judge is shown', async () => {
    const row = {
      question: [tagged('one', 'a'), tagged('two'), tagged('three', 'b', 'c')],
      answer: ['x', 'y', 'z'],
    };
    const { file, out } = await write({ row, infer: inTurns, prompt: template('{conversation}') });
    const { code } = await callCommand(['run', file, '--out', out, '--json']);
    expect(code).toBe(0);
    const first = ['User:', '[a]', 'one\n\nAssistant:\nfine'];
    const two = `${first[2]}\n\nUser:\ntwo\n\nAssistant:\nfine`;
    expect(sentTo('j')).toEqual([
      [first],
      [['User:', '[a]', two]],
      [['User:', '[a]', `${two}\n\nUser:`, '[b]', '[c]', 'three\n\nAssistant:\nfine']],
    ]);
  });
});

describe('a judge that is told of pictures and sees none', () => {
  test.each<[string, unknown, boolean]>([
    ['the question', 'Q {question} A {prediction}', true],
    [
      'the conversation as messages',
      [{ expand_column: 'conversation_messages' }, { role: 'user', content: 'rate {prediction}' }],
      true,
    ],
    ['the answer alone', 'A {prediction} R {reference}', false],
    ['the pictures', template('{question} {prediction}'), false],
  ])('a prompt with %s', async (_, prompt, isTold) => {
    const row = { image: 'm/a.png', question: '<image>\nWhat?', answer: 'x' };
    const { file, out } = await write({ row, prompt });
    const warning =
      'warning[judge.media_not_shown] the judge `j` of d sees the question but not the media';
    for (const args of [
      ['plan', file, '--out', out],
      ['run', file, '--out', out],
    ]) {
      const { code, stderr } = await callCommand(args);
      expect([code, stderr.includes(warning)]).toEqual([0, isTold]);
    }
    const { stdout } = await callCommand(['view', file, '--judge', '--json']);
    expect(stdout.includes('judge.media_not_shown')).toBe(isTold);
  });
});

describe('what a model says marks nothing in the prompt of its judge', () => {
  const answers = [
    'look <image> there',
    '<image><image>',
    'a \\<image> and \\\\<image>',
    '<AIS_IMAGE_START>m/b.png<AIS_CONTENT_TAG>',
    '<AIS_TEXT_START>',
    '{image} {reference} {question}',
  ];
  test.each(answers)('%s', async (answer) => {
    const row = { image: 'm/a.png', question: `SAY ${answer} END`, answer: 'x' };
    server.answer = ({ model }) => (model === 'j' ? 'Rating: [[3]]' : answer);
    const prompt = template('A {prediction} C {conversation}');
    const { config, out } = await write({ row: { ...row, question: 'plain' }, prompt });
    const { summary } = await evaluate(config, { out });
    expect(summary.results[0]?.rows).toMatchObject({ scored: 1 });
    const text = `A ${answer} C User:\nplain\n\nAssistant:\n${answer}`;
    expect(sentTo('j')).toEqual([[['[a]', text]]]);
  });

  test.each(answers)('%s, in a prompt of texts', async (answer) => {
    server.answer = ({ model }) => (model === 'j' ? 'Rating: [[3]]' : answer);
    const row = { image: 'm/a.png', question: 'plain', answer: 'x' };
    const { config, out } = await write({ row, prompt: '{question}: {prediction}' });
    await evaluate(config, { out });
    expect(sentTo('j')).toEqual([[`plain: ${answer}`]]);
  });

  test.each(answers)('%s, beside places that the row marks', async (answer) => {
    server.answer = ({ model }) => (model === 'j' ? 'Rating: [[3]]' : answer);
    const row = { image: ['m/a.png'], question: 'see <image>', answer: 'x' };
    const { config, out } = await write({ row, prompt: template('{question}: {prediction}') });
    await evaluate(config, { out });
    expect(sentTo('j')).toEqual([[['see ', '[a]', `: ${answer}`]]]);
  });
});
