import { hash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Color, writePng } from '../../vision-server/png.ts';
import { callCommand } from './call-command.ts';
import { startRecordingServer } from './recording-server.ts';
import { type DatasetRun, runDataset, type WirePart, writeDataset } from './run-dataset.ts';

const red: Color = [255, 0, 0];
const png = writePng(red);
const other = writePng([0, 0, 255]);
const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(100, 3)]);
const mp4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(60, 7)]);
const files = { 'a.png': png, 'b.png': other, 'wrong.jpg': other, 'say.wav': wav, 'clip.mp4': mp4 };

const sha = (bytes: Buffer) => hash('sha256', bytes, 'hex').slice(0, 12);
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const tag = (type: string, value: string) => `<AIS_${type}_START>${value}<AIS_CONTENT_TAG>`;

/** A part with its bytes, wherever they stand in it, by their media type and hash. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === 'data' ? sha(Buffer.from(String(item), 'base64')) : named(item),
      ]),
    );
  }
  const [, type, bytes] = /^data:([^;]+);base64,(.*)$/s.exec(String(value)) ?? [];
  return type === undefined ? value : `${type} ${sha(Buffer.from(bytes ?? '', 'base64'))}`;
}

function shows(prompt_mm: object, more: object = {}) {
  return {
    prompt_template: {
      type: 'MMPromptTemplate',
      template: {
        round: [
          { role: 'HUMAN', prompt_mm },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
    inferencer: { type: 'GenInferencer' },
    ...more,
  };
}

const contentsOf = async (given: DatasetRun) => {
  const ran = await runDataset({ files, ...given });
  return {
    ...ran,
    contents: ran.bodies.map(({ messages }) => messages.map(({ content }) => named(content))),
  };
};

const image = (url: unknown, more: object = {}) => ({
  type: 'image_url',
  image_url: { url, ...more },
});
const text = (said: string) => ({ type: 'text', text: said });
const pngPart = image(`image/png ${sha(png)}`);
const otherPart = image(`image/png ${sha(other)}`);

const documentUrls = {
  text: { type: 'text', text: '{anything}\nQuestion: {question}' },
  image: { type: 'image_url', image_url: { url: 'file://{image}' } },
  video: { type: 'video_url', video_url: { url: 'file://{video}' } },
  audio: { type: 'audio_url', audio_url: { url: 'file://{audio}' } },
};
const documentBase64 = {
  text: { type: 'text', text: '{anything}\nQuestion: {question}' },
  image: { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,{image}' } },
  video: { type: 'video_url', video_url: { url: 'data:video/jpeg;base64,{video}' } },
  audio: { type: 'audio_url', audio_url: { url: 'data:audio/wav;base64,{audio}' } },
};
const asked = {
  answer: 'a cat',
  anything: 'blabla',
};
const documentParts = [
  text('blabla\nQuestion: What is this?'),
  pngPart,
  { type: 'audio_url', audio_url: { url: `audio/wav ${sha(wav)}` } },
  { type: 'video_url', video_url: { url: `video/mp4 ${sha(mp4)}` } },
];
const tagged = (values: { image: string; audio: string; video: string }) =>
  tag('TEXT', 'What is this?') +
  tag('IMAGE', values.image) +
  tag('AUDIO', values.audio) +
  tag('VIDEO', values.video);

describe('the media of a request', () => {
  it.each<[string, DatasetRun, unknown[]]>([
    [
      'of the document, files by tags',
      {
        rows: [
          { ...asked, question: tagged({ image: 'a.png', audio: 'say.wav', video: 'clip.mp4' }) },
        ],
        infer: shows(documentUrls),
      },
      [documentParts],
    ],
    [
      'of the document, base64 by tags',
      {
        rows: [
          {
            ...asked,
            question: tagged({
              image: png.toString('base64'),
              audio: wav.toString('base64'),
              video: mp4.toString('base64'),
            }),
          },
        ],
        infer: shows(documentBase64),
      },
      [documentParts],
    ],
    [
      'of the document, addresses by tags',
      {
        rows: [
          {
            ...asked,
            question: tagged({
              image: 'https://a.example/i',
              audio: 'https://a.example/a',
              video: 'https://a.example/v',
            }),
          },
        ],
        infer: shows(documentUrls),
      },
      [
        [
          documentParts[0],
          image('https://a.example/i'),
          { type: 'audio_url', audio_url: { url: 'https://a.example/a' } },
          { type: 'video_url', video_url: { url: 'https://a.example/v' } },
        ],
      ],
    ],
    [
      'by the address of the file, where bytes are not to be sent',
      {
        rows: [{ image: ['a.png', 'file://b.png'], question: 'Which?', answer: 'x' }],
        infer: shows({ image: '{image}', text: '{question}' }),
        dataset: { media: { inline: false } },
      },
      [[image('file:///a.png'), image('file:///b.png'), text('Which?')]],
    ],
    [
      'in every form that a column may have, several of them in order',
      {
        rows: [
          {
            image: [
              'a.png',
              'file://b.png',
              dataUrl('image/jpeg', png),
              other.toString('base64'),
              'https://a.example/c.png',
              'wrong.jpg',
            ],
            question: 'Which?',
            answer: 'x',
          },
        ],
        infer: shows({ image: 'file://{image}', text: '{question}' }),
      },
      [
        [
          ...[pngPart, otherPart, pngPart, otherPart],
          ...[image('https://a.example/c.png'), otherPart, text('Which?')],
        ],
      ],
    ],
    [
      'with fields beside the address, from the template and from columns',
      {
        rows: [{ image: 'a.png', video: 'clip.mp4', fps: 2, level: 'low', answer: 'x' }],
        infer: shows({
          image: {
            type: 'image_url',
            image_url: { url: '{image}', detail: '{level}' },
            uuid: 'u1',
          },
          video: {
            type: 'video_url',
            video_url: { url: '{video}', fps: '{fps}' },
            max_pixels: 1024,
            min_pixels: 16,
            nested: { list: ['{level}', 1] },
          },
        }),
      },
      [
        [
          { ...image(`image/png ${sha(png)}`, { detail: 'low' }), uuid: 'u1' },
          {
            type: 'video_url',
            video_url: { url: `video/mp4 ${sha(mp4)}`, fps: 2 },
            max_pixels: 1024,
            min_pixels: 16,
            nested: { list: ['low', 1] },
          },
        ],
      ],
    ],
    [
      'with fields, in messages',
      {
        rows: [{ image: 'a.png', answer: 'x' }],
        infer: {
          prompt_template: {
            type: 'RawPromptTemplate',
            messages: [
              {
                role: 'user',
                content: [
                  text('Look.'),
                  { type: 'image_url', image_url: { url: '{image}', detail: 'high' } },
                ],
              },
            ],
          },
        },
      },
      [[text('Look.'), image(`image/png ${sha(png)}`, { detail: 'high' })]],
    ],
    [
      'in columns that some rows lack, whichever row is the first',
      {
        rows: [
          { picture: 'a.png', question: 'What?', answer: 'x' },
          { picture: 'b.png', sound: 'say.wav', question: 'Why?', answer: 'x' },
          { sound: 'say.wav', question: 'How?', answer: 'x' },
        ],
        infer: shows({ image: '{picture}', audio: 'file://{sound}', text: '{question}' }),
      },
      [
        [pngPart, text('What?')],
        [
          otherPart,
          { type: 'audio_url', audio_url: { url: `audio/wav ${sha(wav)}` } },
          text('Why?'),
        ],
        [{ type: 'audio_url', audio_url: { url: `audio/wav ${sha(wav)}` } }, text('How?')],
      ],
    ],
    [
      'where the text has tags of its own',
      {
        rows: [
          { image: ['a.png', 'b.png'], question: 'Is <image> like <image>?', answer: 'x' },
          { image: 'a.png', question: '<image>\nWhat?', answer: 'x' },
          { image: 'a.png', question: 'What?\n<image>', answer: 'x' },
        ],
        infer: shows({ image: '{image}', text: '{question} Say.' }),
      },
      [
        [text('Is '), pngPart, text(' like '), otherPart, text('? Say.')],
        [pngPart, text('What? Say.')],
        [text('What?'), pngPart, text(' Say.')],
      ],
    ],
  ])('%s', async (_, given, parts) => {
    const { code, stderr, contents, folder } = await contentsOf(given);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    // Requests with a common beginning are sent one after the other.
    const sorted = (contents: unknown[]) =>
      contents.map((one) => JSON.stringify(one).replaceAll(folder, '')).sort();
    expect(sorted(contents)).toEqual(sorted(parts.map((content) => [content])));
  });

  it.each([
    ['audio_url', {}, 'audio_url'],
    ['audio_url', { audio: 'input_audio' }, 'input_audio'],
    ['input_audio', {}, 'input_audio'],
    ['input_audio', { audio: 'audio_url' }, 'audio_url'],
  ])('audio of a part %s of a model with %j goes out as %s', async (part, model, sent) => {
    const written =
      part === 'audio_url'
        ? { type: part, audio_url: { url: '{audio}' } }
        : { type: part, input_audio: { data: '{audio}' } };
    const { contents } = await contentsOf({
      rows: [{ audio: 'say.wav', question: 'q', answer: 'x' }],
      infer: shows({ audio: written }),
      model,
    });
    const url = { type: 'audio_url', audio_url: { url: `audio/wav ${sha(wav)}` } };
    const data = { type: 'input_audio', input_audio: { data: sha(wav), format: 'wav' } };
    expect(contents).toEqual([[[sent === 'audio_url' ? url : data]]]);
  });

  it('is as AISBench writes it in its mode, byte for byte', async () => {
    const content = `${tag('AUDIO', '/x/a.wav')}${tag('IMAGE', dataUrl('image/jpeg', png))}<AIS_TEXT_START>Q`;
    const { bodies, folder } = await runDataset({
      rows: [{ content, question: 'x', answer: 'x' }],
      infer: shows({
        text: { type: 'text', text: '{question}' },
        image: { image_url: { detail: 'low', url: '{image}' }, type: 'image_url', k: 1 },
        audio: { type: 'audio_url', audio_url: 'file://{audio}' },
      }),
      model: { compat: 'aisbench' },
    });
    expect(JSON.stringify(bodies[0]?.messages[0]?.content)).toBe(
      JSON.stringify([
        { type: 'audio_url', audio_url: 'file:///x/a.wav' },
        { image_url: { detail: 'low', url: dataUrl('image/jpeg', png) }, type: 'image_url', k: 1 },
        { type: 'text', text: 'Q' },
      ]),
    );
    expect(await readFile(join(folder, 'out/m/d.jsonl'), 'utf8')).not.toContain(
      png.toString('base64'),
    );
  });

  it('in tags of another column than `content` is refused with its place in the mode of AISBench', async () => {
    const { code, stderr, bodies } = await runDataset({
      rows: [{ question: tag('TEXT', 'Q') + tag('IMAGE', 'https://a.example/i'), answer: 'x' }],
      infer: shows(documentUrls),
      model: { compat: 'aisbench' },
    });
    expect([code, bodies]).toEqual([2, []]);
    expect(stderr).toMatch(
      /error\[compat\.key_error\] the key 'content' is missing\n {2}at .*c\.json:\d+:\d+/,
    );
    expect(stderr).toContain("hint: add 'content'; present: 'question', 'answer'");
  });

  it.each([
    [{}, 'What?\nAnswer:'],
    [{ keep_trailing_spaces: true }, 'What?\nAnswer: '],
  ])('stand beside a text without the spaces before its hidden answer, %j', async (more, said) => {
    const { contents } = await contentsOf({
      rows: [{ image: 'a.png', question: 'What?', answer: 'x' }],
      infer: {
        ...shows({ image: '{image}', text: '{question}\nAnswer: {answer}' }),
        inferencer: { type: 'GenInferencer', ...more },
      },
    });
    expect(contents).toEqual([[[pngPart, text(said)]]]);
  });

  it('are shown in examples, also where the row has several', async () => {
    const parts = { image: '{image}', text: '{question}' };
    const { contents } = await contentsOf({
      rows: [{ image: ['b.png', 'a.png'], question: 'Which?', answer: 'x' }],
      infer: {
        ...shows(parts),
        ice_template: shows(parts).prompt_template,
        prompt_template: {
          type: 'MMPromptTemplate',
          ice_token: '</E>',
          template: { begin: ['</E>'], round: [{ role: 'HUMAN', prompt_mm: parts }] },
        },
        retriever: { type: 'FixKRetriever', fix_id_list: [0] },
      },
      dataset: { path: { train: 'rows.jsonl', test: 'rows.jsonl' } },
    });
    expect(contents).toEqual([
      [[otherPart, pngPart, text('Which?')], 'x', [otherPart, pngPart, text('Which?')]],
    ]);
  });
});

function turnsOf(prompt_mm: object = { image: '{image}', text: '{question}' }, mode = 'last') {
  return {
    prompt_template: {
      type: 'MultiTurnPromptTemplate',
      template: {
        round: [
          { role: 'HUMAN', prompt_mm },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
    inferencer: { type: 'MultiTurnGenInferencer', infer_mode: mode },
  };
}

const two = { question: ['What?', 'Why?'], answer: ['a', 'b'] };
const llava = (first: string, second: string) => [
  { from: 'human', value: first },
  { from: 'gpt', value: 'a' },
  { from: 'human', value: second },
  { from: 'gpt', value: 'b' },
];
const once = [[pngPart, text('What?')], 'a', [text('Why?')]];

describe('media of a dialogue', () => {
  it.each<[string, object, object, unknown[]]>([
    ['one for all turns', { ...two, image: 'a.png' }, {}, once],
    ['one for the first, null after', { ...two, image: ['a.png', null] }, {}, once],
    ['one for the first, nothing after', { ...two, image: ['a.png', ''] }, {}, once],
    ['lists for the turns', { ...two, image: [['a.png'], []] }, {}, once],
    [
      'one for the last turn',
      { ...two, image: [null, 'a.png'] },
      {},
      [[text('What?')], 'a', [pngPart, text('Why?')]],
    ],
    [
      'AIS tags in one turn',
      { ...two, question: [tag('IMAGE', 'a.png') + tag('TEXT', 'What?'), 'Why?'] },
      {},
      once,
    ],
    [
      'ShareGPT with image and a tag',
      { image: 'a.png', conversations: llava('<image>\nWhat?', 'Why?') },
      { type: 'ShareGPT' },
      once,
    ],
    [
      'ShareGPT with image and no tag',
      { image: 'a.png', conversations: llava('What?', 'Why?') },
      { type: 'ShareGPT' },
      once,
    ],
    [
      'ShareGPT with images, tags in two turns',
      { images: ['a.png', 'b.png'], conversations: llava('What?\n<image>', '<image>\nWhy?') },
      { type: 'ShareGPT' },
      [[text('What?'), pngPart], 'a', [otherPart, text('Why?')]],
    ],
    [
      'ShareGPT with images, both in the first turn',
      { images: ['a.png', 'b.png'], conversations: llava('<image>\n<image>\nWhat?', 'Why?') },
      { type: 'ShareGPT' },
      [[pngPart, otherPart, text('What?')], 'a', [text('Why?')]],
    ],
    [
      'Messages with parts',
      {
        messages: [
          { role: 'user', content: [image('a.png'), text('What?')] },
          { role: 'assistant', content: 'a' },
          { role: 'user', content: 'Why?' },
          { role: 'assistant', content: 'b' },
        ],
      },
      { type: 'Messages' },
      once,
    ],
    [
      'Messages with fields in parts',
      {
        messages: [
          {
            role: 'user',
            content: [{ ...image('a.png', { detail: 'low' }), uuid: 'u' }, text('What?')],
          },
          { role: 'assistant', content: 'a' },
          { role: 'user', content: [text('Why?'), image('b.png')] },
          { role: 'assistant', content: 'b' },
        ],
      },
      { type: 'Messages' },
      [
        [{ ...image(`image/png ${sha(png)}`, { detail: 'low' }), uuid: 'u' }, text('What?')],
        'a',
        [text('Why?'), otherPart],
      ],
    ],
  ])('%s', async (_, row, dataset, contents) => {
    const ran = await contentsOf({ rows: [row], infer: turnsOf(), dataset });
    expect(ran.records.map(({ reason }) => reason)).toEqual([undefined]);
    expect(ran.contents).toEqual([contents]);
  });

  it.each([
    [{ ...two, image: null }, {}, 'nothing in `image`'],
    [{ ...two, image: ['', null] }, {}, 'nothing in `image`'],
    [
      { ...two, image: ['a.png', 'b.png', 'a.png'] },
      {},
      '2 elements in `question` and 3 in `image`',
    ],
    [
      { image: 'a.png', conversations: llava('<image>What <image>?', 'Why?') },
      { type: 'ShareGPT' },
      '2 tags <image>',
    ],
    [
      { ...two, question: [tag('IMAGE', ''), 'Why?'] },
      {},
      '<AIS_IMAGE_START> does not name the image',
    ],
  ])('%j fails its row: %s', async (row, dataset, told) => {
    const { bodies, records, stderr } = await runDataset({
      rows: [row],
      infer: turnsOf(),
      dataset,
      files,
    });
    expect(bodies).toEqual([]);
    expect(`${stderr}${records[0]?.reason}`).toContain(told);
  });
});

describe('what is not sent', () => {
  const base64 = Buffer.concat([
    png,
    Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 37) % 251)),
  ]).toString('base64');
  const unknown = Buffer.from(
    Array.from({ length: 6000 }, (_, at) => (at * 91 + 7) % 253),
  ).toString('base64');

  it('a row over max_bytes by any way, with an empty tag, or that is no medium', async () => {
    const rows = [
      { question: tag('IMAGE', 'big.png') },
      { question: tag('IMAGE', 'file://big.png') },
      { question: tag('IMAGE', dataUrl('image/png', Buffer.from(base64, 'base64'))) },
      { question: tag('IMAGE', base64) },
      { question: tag('IMAGE', '') + tag('TEXT', 'x') },
      { question: tag('IMAGE', unknown) },
      { question: tag('IMAGE', 'data:image/svg+xml,<svg/>') },
      { question: tag('IMAGE', JSON.stringify({ bytes: base64.slice(0, 300), path: null })) },
      { question: tag('IMAGE', 'empty.png') },
      { question: tag('IMAGE', 'a.tiff') },
      { question: tag('IMAGE', 'a.svg') },
      { question: tag('IMAGE', 'a.png') },
    ].map((row) => ({ ...row, answer: 'x' }));
    for (const inline of [true, false]) {
      const { bodies, records, stdout, stderr } = await runDataset({
        rows,
        infer: shows({ text: '{question}', image: 'file://{image}' }),
        dataset: { media: { inline, max_bytes: 1000 } },
        files: {
          ...files,
          'big.png': Buffer.from(base64, 'base64'),
          'empty.png': Buffer.alloc(0),
          'a.tiff': Buffer.from('II*\0\x08\0\0\0'),
          'a.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        },
      });
      expect(bodies).toHaveLength(1);
      expect(records.map(({ reason }) => reason?.replace(/`.*?`/, '…'))).toEqual([
        ...Array(4).fill('… has 4073 bytes, more than the limit of 1000'),
        'column …: <AIS_IMAGE_START> does not name the image',
        'not an image or other media file: … cannot be read',
        '… is a data URL without `;base64`',
        'not an image or other media file: … cannot be read',
        ...Array(3).fill('… is not a known type of media file'),
        undefined,
      ]);
      for (const output of [stdout, stderr, JSON.stringify(records)]) {
        expect(output).not.toContain(unknown.slice(0, 40));
        expect(output).not.toContain(base64.slice(0, 40));
      }
    }
  });

  it.each([undefined, 'aisbench'])(
    'bytes reach no terminal and no file, compat %s',
    async (compat) => {
      await using server = await startRecordingServer();
      const folder = await writeDataset(
        {
          rows: [base64, dataUrl('image/png', png), `file://${unknown}`].map((value) => ({
            content: tag('IMAGE', value) + tag('TEXT', 'What?'),
            answer: 'x',
          })),
          infer: shows({
            text: { type: 'text', text: '{question}' },
            image: { type: 'image_url', image_url: { url: 'file://{image}' } },
          }),
          model: { ...(compat && { compat }) },
        },
        server.url,
      );
      const [config, out] = [join(folder, 'c.json'), join(folder, 'out')];
      const cache = ['--cache', join(folder, 'cache')];
      const printed: string[] = [];
      for (const command of [
        ['run', config, '--out', out, '--allow-failed', '1', ...cache],
        ['view', config, '-a', '--rows', ':', '--full'],
        ['plan', config, '--out', out],
        ...['0', '1', '2'].flatMap((row) => [
          ['show', out, '--row', row, '--full'],
          ['show', out, '--row', row, '--json'],
        ]),
        ['score', out],
      ]) {
        const { stdout, stderr } = await callCommand(command);
        printed.push(stdout, stderr);
      }
      expect(server.requests).toHaveLength(compat ? 3 : 2);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.isFile() || entry.name === 'rows.jsonl') continue;
        printed.push(await readFile(join(entry.parentPath, entry.name), 'utf8'));
      }
      const parts = [base64, unknown, png.toString('base64')].map((bytes) => bytes.slice(0, 60));
      for (const output of printed) for (const bytes of parts) expect(output).not.toContain(bytes);
    },
  );

  it('likelihoods of texts that show media, not even a probe', async () => {
    for (const compat of [undefined, 'aisbench']) {
      const { code, stderr, bodies } = await runDataset({
        rows: [{ image: 'a.png', question: 'q', answer: 'x' }],
        infer: shows(
          { image: '{image}', text: '{question}' },
          { inferencer: { type: 'PPLInferencer', labels: ['x', 'y'] } },
        ),
        model: { type: 'OpenAICompletions', ...(compat && { compat }) },
        files,
      });
      expect([code, bodies]).toEqual([2, []]);
      expect(stderr).toContain('template.media_need_messages');
    }
  });

  it('a request that was asked: the bytes and the fields count, not the name', async () => {
    await using server = await startRecordingServer();
    const config = (detail: object) => ({
      rows: [{ image: 'a.png', question: 'q', answer: 'x' }],
      infer: shows({
        image: { type: 'image_url', image_url: { url: '{image}', ...detail } },
        text: '{question}',
      }),
      files,
    });
    const folder = await writeDataset(config({ detail: 'low' }), server.url);
    const run = ['run', join(folder, 'c.json'), '--out', join(folder, 'out'), '--json'];
    const sentBy = async () => {
      server.clear();
      await callCommand(run);
      return server.requests.length;
    };
    const rewrite = async (detail: object) => {
      const again = await writeDataset(config(detail), server.url);
      await writeFile(join(folder, 'c.json'), await readFile(join(again, 'c.json')));
    };
    expect(await sentBy()).toBe(1);
    await rename(join(folder, 'a.png'), join(folder, 'c.png'));
    const lines = await readFile(join(folder, 'rows.jsonl'), 'utf8');
    await writeFile(join(folder, 'rows.jsonl'), lines.replace('a.png', 'c.png'));
    expect(await sentBy()).toBe(0);
    await rewrite({ detail: 'high' });
    expect(await sentBy()).toBe(1);
    await rewrite({});
    expect(await sentBy()).toBe(1);
    await writeFile(join(folder, 'c.png'), other);
    expect(await sentBy()).toBe(1);
  });
});

it('a medium whose column no row has is warned about as what it is', async () => {
  const { stderr, contents } = await contentsOf({
    rows: [{ image: 'a.png', question: 'q', answer: 'x' }],
    infer: shows({ image: '{image}', audio: '{sound}', text: '{question} {hint}' }),
  });
  expect(contents).toEqual([[[pngPart, text('q {hint}')]]]);
  expect(stderr).toContain('`{sound}` is not a column, so no audio is sent for it');
  expect(stderr).toContain('`{hint}` is not a column, so it is sent as written');
});

it('parts that are not what they say are refused', async () => {
  const parts: WirePart[] = [
    { type: 'video_url', image_url: { url: '{image}' } },
    { type: 'image_url', image_ulr: { url: '{image}' } },
    { type: 'image_url', image_url: { uri: '{image}' } },
  ];
  for (const image of parts) {
    const { code, stderr, bodies } = await runDataset({
      rows: [{ image: 'a.png', question: 'q', answer: 'x' }],
      infer: shows({ image, text: '{question}' }),
    });
    expect([code, bodies]).toEqual([2, []]);
    expect(stderr).toContain('prompt_mm');
  }
});
