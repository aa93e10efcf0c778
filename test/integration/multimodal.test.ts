import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { hashOf } from '../vision-server/describe-parts.ts';
import { type Color, writePng } from '../vision-server/png.ts';
import { startVisionServer } from '../vision-server/vision-server.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, runArguments } from './run-task.ts';

const red: Color = [255, 0, 0];
const green: Color = [0, 255, 0];
const blue: Color = [0, 0, 255];

const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(100)]);
const mp4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(60, 7)]);

const parts = {
  text: { type: 'text', text: '{question}' },
  image: { type: 'image_url', image_url: { url: 'file://{image}' } },
  audio: { type: 'audio_url', audio_url: { url: 'file://{audio}' } },
  video: { type: 'video_url', video_url: { url: 'file://{video}' } },
};

function mmTemplate(prompt_mm: object = parts, more: object = {}) {
  return {
    type: 'MMPromptTemplate',
    template: {
      ...more,
      round: [
        { role: 'HUMAN', prompt_mm },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  };
}

interface Setup {
  readonly rows: readonly object[];
  readonly media?: Readonly<Record<string, Buffer>>;
  readonly infer?: object;
  readonly dataset?: object;
  readonly model?: object;
  readonly url: string;
}

async function writeTask({ rows, media, infer, dataset, model, url }: Setup): Promise<string> {
  const text = (lines: readonly object[]) => lines.map((row) => JSON.stringify(row)).join('\n');
  const cwd = await writeFolder({
    'rows.jsonl': text(rows),
    'config.json': configFor(url, model, {
      infer_cfg: {
        prompt_template: mmTemplate(),
        retriever: { type: 'ZeroRetriever' },
        inferencer: { type: 'GenInferencer' },
        ...infer,
      },
      ...dataset,
    }),
  });
  for (const [name, bytes] of Object.entries(media ?? {})) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), bytes);
  }
  return cwd;
}

async function readLog(cwd: string): Promise<RowRecord[]> {
  const text = await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8');
  const records: RowRecord[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return records.sort((a, b) => Number(a.id) - Number(b.id));
}

const tag = (type: string, value: string) => `<AIS_${type}_START>${value}<AIS_CONTENT_TAG>`;

describe('a run with media', () => {
  it('shows the model the bytes of the files, in the order of the data', async () => {
    await using server = await startVisionServer();
    const question = [
      tag('IMAGE', 'images/a.png'),
      tag('TEXT', 'before'),
      tag('IMAGE', 'file://images/b.jpg'),
      tag('AUDIO', 'say.mp3'),
      tag('TEXT', 'after'),
      tag('VIDEO', 'clip.avi'),
      tag('IMAGE', `data:image/jpeg;base64,${writePng(green).toString('base64')}`),
      tag('IMAGE', 'https://example.com/c.png'),
    ].join('');
    const seen = `red | before | blue | wav of 116 bytes | after | video ${hashOf(mp4)} | green | image at https://example.com/c.png`;
    const cwd = await writeTask({
      url: server.url,
      rows: [{ question, answer: seen }],
      media: {
        'images/a.png': writePng(red),
        'images/b.jpg': writePng(blue),
        'say.mp3': wav,
        'clip.avi': mp4,
      },
      model: { audio: 'input_audio' },
    });
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await readLog(cwd)).toMatchObject([{ outcome: 'scored', score: 1, answer: seen }]);
  });

  it('takes media from columns of their own, several in a list, with any column in the text', async () => {
    await using server = await startVisionServer();
    const cwd = await writeTask({
      url: server.url,
      rows: [
        { image: 'a.png', question: 'Which colour?', hint: 'one word', answer: 'x' },
        { image: ['a.png', 'b.png'], question: 'Which colours?', hint: 'two words', answer: 'x' },
        { image: writePng(green).toString('base64'), question: 'And?', hint: '', answer: 'x' },
      ],
      media: { 'a.png': writePng(red), 'b.png': writePng(blue) },
      infer: {
        prompt_template: mmTemplate({ image: '{image}', text: '{question} ({hint})' }),
      },
    });
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    expect((await readLog(cwd)).map(({ answer }) => answer)).toEqual([
      'red | Which colour? (one word)',
      'red | blue | Which colours? (two words)',
      'green | And? ()',
    ]);
  });

  it('shows media in the examples as well as in the question', async () => {
    await using server = await startVisionServer();
    const cwd = await writeTask({
      url: server.url,
      rows: [{ image: 'b.png', question: 'Which?', answer: 'x' }],
      media: { 'a.png': writePng(red), 'b.png': writePng(blue), 'c.png': writePng(green) },
      infer: {
        ice_template: mmTemplate({ image: '{image}', text: '{question}' }),
        prompt_template: {
          ...mmTemplate(
            { image: '{image}', text: '{question}' },
            {
              begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Name colours.' }, '</E>'],
            },
          ),
          ice_token: '</E>',
        },
        retriever: { type: 'FixKRetriever', fix_id_list: [1, 0] },
      },
      dataset: { path: { train: 'train.jsonl', test: 'rows.jsonl' } },
    });
    await writeFile(
      join(cwd, 'train.jsonl'),
      [
        { image: 'a.png', question: 'First?', answer: 'red' },
        { image: 'c.png', question: 'Second?', answer: 'green' },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(server.received).toEqual([
      [
        ['system', 'Name colours.'],
        ['user', 'green', 'Second?'],
        ['assistant', 'green'],
        ['user', 'red', 'First?'],
        ['assistant', 'red'],
        ['user', 'blue', 'Which?'],
      ],
    ]);
  });

  it('keeps no media in the log, and asks again only when the bytes change', async () => {
    await using server = await startVisionServer();
    const base64 = writePng(green, 64).toString('base64');
    const cwd = await writeTask({
      url: server.url,
      rows: [
        { image: 'a.png', question: 'Which?', answer: 'red | Which?' },
        { image: 'same.png', question: 'Which?', answer: 'red | Which?' },
        { image: base64, question: 'Which?', answer: 'green | Which?' },
      ],
      media: { 'a.png': writePng(red), 'same.png': writePng(red) },
      infer: { prompt_template: mmTemplate({ image: '{image}', text: '{question}' }) },
      dataset: { n: 2 },
    });
    const { stdout } = await runCli(runArguments(), { cwd });
    const { results } = JSON.parse(stdout);
    expect(results[0]).toMatchObject({ rows: { scored: 3 }, requests: { sent: 4, shared: 2 } });
    const log = await readFile(join(cwd, 'out/m/d.jsonl'), 'utf8');
    expect(log).not.toContain(base64.slice(0, 80));
    expect(log).toContain('"mediaType":"image/png"');
    expect(log).toContain(`"bytes":${writePng(red).length}`);
    const again = await runCli(runArguments(), { cwd });
    expect(JSON.parse(again.stdout).results[0].requests.sent).toBe(0);
    await writeFile(join(cwd, 'same.png'), writePng(blue));
    await runCli(runArguments(), { cwd });
    expect(server.received.slice(4)).toEqual([
      [['user', 'blue', 'Which?']],
      [['user', 'blue', 'Which?']],
    ]);
  });

  it('fails the rows whose media are bad, says why, and goes on', async () => {
    await using server = await startVisionServer();
    const asked = (question: string) => ({ question, answer: 'x' });
    const cwd = await writeTask({
      url: server.url,
      rows: [
        asked(tag('IMAGE', 'missing.png')),
        asked(tag('IMAGE', 'folder')),
        asked(tag('IMG', 'a.png')),
        asked(`${tag('TEXT', 'x')}<AIS_IMAGE_START>a.png<AIS_TEXT_START>x`),
        asked(tag('AUDIO', 'say.wav')),
        asked(tag('IMAGE', 'large.png')),
        asked(tag('IMAGE', '../a.png')),
        asked(tag('IMAGE', 'notes.txt')),
        asked(tag('IMAGE', 'say.wav')),
        asked(tag('IMAGE', 'data:image/png;base64,!!')),
        asked(`loose ${tag('IMAGE', 'a.png')}`),
        { answer: 'x', question: 'no tags, no image' },
        asked(tag('IMAGE', 'a.png')),
      ],
      media: {
        'a.png': writePng(red),
        'say.wav': wav,
        'folder/b.png': writePng(red),
        'notes.txt': Buffer.from('hello'),
      },
      infer: { prompt_template: mmTemplate({ text: '{question}', image: '{image}' }) },
    });
    const large = await open(join(cwd, 'large.png'), 'w');
    await large.write(writePng(red));
    await large.truncate(200_000_000);
    await large.close();
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 3 });
    const log = await readLog(cwd);
    expect(log.map(({ outcome }) => outcome)).toEqual([...Array(12).fill('failed'), 'scored']);
    expect(log.slice(0, 12).map(({ reason }) => reason)).toEqual([
      'File not found: `missing.png`',
      '`folder` cannot be read: it is a folder, not a file',
      'column `question` has the unknown tag <AIS_IMG_START>',
      'column `question`: <AIS_IMAGE_START> is not closed before <AIS_TEXT_START>',
      'column `question` holds audio, but prompt_mm has no part `audio`',
      '`large.png` has 200000000 bytes, more than the limit of 20000000',
      '`../a.png` is outside the folder of the data, so it is not read',
      '`notes.txt` is not a known type of media file',
      '`say.wav` is audio/wav, but the type expected there is image',
      expect.stringContaining('is not base64'),
      'column `question`: "loose " is outside the tags of its content',
      'the template has a part for image, but the row has nothing in `image`',
    ]);
  });

  it('reads files outside the folder of the data only where that is allowed', async () => {
    await using server = await startVisionServer();
    const media = { 'a.png': writePng(red), 'data/rows.jsonl': Buffer.from('') };
    const row = { image: '../a.png', question: 'Which?', answer: 'red | Which?' };
    const infer = { prompt_template: mmTemplate({ image: '{image}', text: '{question}' }) };
    const outcomeWith = async (dataset: object) => {
      const cwd = await writeTask({
        url: server.url,
        rows: [row],
        media: { ...media, 'data/rows.jsonl': Buffer.from(JSON.stringify(row)) },
        infer,
        dataset: { path: 'data/rows.jsonl', ...dataset },
      });
      await runCli(runArguments(), { cwd });
      return (await readLog(cwd))[0];
    };
    expect(await outcomeWith({})).toMatchObject({
      outcome: 'failed',
      reason: '`../a.png` is outside the folder of the data, so it is not read',
    });
    expect(await outcomeWith({ media: { allow_outside: true } })).toMatchObject({ score: 1 });
  });

  it.each([
    [2, { type: 'OpenAICompletions' }, 'the model takes text'],
    [3, { vision: false }, 'the model `m` has no `vision`, which a prompt with media needs'],
  ])(
    'is refused with %d before anything is sent to a model with %j',
    async (exit, model, message) => {
      await using server = await startVisionServer();
      const rows = [{ image: 'a.png', question: 'Which?', answer: 'x' }];
      const media = { 'a.png': writePng(red) };
      const cwd = await writeTask({ url: server.url, rows, media, model });
      const { code, stderr } = await runCli(runArguments(), { cwd });
      expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
      expect(server.received).toEqual([]);
    },
  );

  it('sends what AISBench sends in its mode', async () => {
    await using server = await startVisionServer();
    const content = `${tag('IMAGE', 'https://example.com/1.png')}<AIS_TEXT_START>What animal?`;
    const cwd = await writeTask({
      url: server.url,
      rows: [
        { content, question: 'x', answer: 'x' },
        { content: tag('TEXT', 'Which<AIS_TEXT_START> one?'), question: 'x', answer: 'x' },
      ],
      infer: {
        prompt_template: mmTemplate({
          text: { type: 'text', text: 'Q: {question} (one word)' },
          image: { type: 'image_url', image_url: { url: '{image}' } },
        }),
      },
      model: { compat: 'aisbench' },
    });
    expect(await runCli(runArguments(), { cwd })).toMatchObject({ code: 0 });
    expect(server.received).toEqual([
      [['user', 'image at https://example.com/1.png', 'Q: What animal? (one word)']],
      [['user', 'Q: Which one? (one word)']],
    ]);
  });

  it('refuses the flat form of a part in the mode of AISBench, which stops there too', async () => {
    const cwd = await writeTask({
      url: 'http://127.0.0.1:9',
      rows: [{ content: tag('TEXT', 'Which?'), question: 'x', answer: 'x' }],
      infer: { prompt_template: mmTemplate({ text: '{question}', image_url: '{image}' }) },
      model: { compat: 'aisbench' },
    });
    const { code, stderr } = await runCli(['view', 'config.json', '--row', '0'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('prompt_mm.text is a str')]);
  });

  it('can be looked at: each medium by its type, size, hash and source', async () => {
    const cwd = await writeTask({
      url: 'http://127.0.0.1:9',
      rows: [{ image: 'a.png', question: 'Which?', answer: 'x' }],
      media: { 'a.png': writePng(red) },
      infer: { prompt_template: mmTemplate({ image: '{image}', text: '{question}' }) },
    });
    const bytes = writePng(red).length;
    const shown = await runCli(['view', 'config.json', '--row', '0'], { cwd });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      new RegExp(`image/png, ${bytes} bytes, sha256 [0-9a-f]{16}, a\\.png⟩\\n.*Which\\?`),
    );
    const { stdout } = await runCli(['view', 'config.json', '--row', '0', '--json'], { cwd });
    const { views } = JSON.parse(stdout);
    expect(views[0].prompts[0].spans[0].spans[0].media).toEqual({
      type: 'image',
      source: 'a.png',
      mediaType: 'image/png',
      bytes,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
