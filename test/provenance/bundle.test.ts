import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import { readZip } from '../../src/base/zip.ts';
import { verifyBundle, writeBundle } from '../../src/index.ts';
import { startModelServer } from './model-server.ts';
import { type Changes, runTask } from './small-task.ts';

const jinja =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}';
const turns = {
  rows: [
    { q: ['1 + 1', '2 + 2'], a: ['2', '4'] },
    { q: ['3 + 3', '4 + 4'], a: ['6', '8'] },
  ],
  inference: {
    ice_template: undefined,
    prompt_template: {
      type: 'MultiTurnPromptTemplate',
      template: {
        round: [
          { role: 'HUMAN', prompt: '{q}' },
          { role: 'BOT', prompt: '{a}' },
        ],
      },
    },
    retriever: { type: 'ZeroRetriever' },
  },
};
const local = {
  type: 'Local',
  path: 'typecase-tiny',
  base_url: undefined,
  model: undefined,
  meta_template: undefined,
};
const labels = {
  model: local,
  rows: [
    { q: '1 + 1', a: '2' },
    { q: '1 + 2', a: '3' },
    { q: '2 + 0', a: '2' },
  ],
  inference: {
    ice_template: undefined,
    prompt_template: { template: '{q}={a}' },
    retriever: { type: 'ZeroRetriever' },
    inferencer: { type: 'PPLInferencer' },
  },
  dataset: { eval_cfg: { evaluator: { type: 'exact' } } },
};

const tasks: readonly (readonly [string, Changes, number])[] = [
  ['examples in a named format', {}, 6],
  ['messages', { model: { type: 'OpenAI', meta_template: undefined } }, 6],
  [
    'a chat template',
    {
      model: { meta_template: undefined, chat_template: 'c.jinja' },
      files: { 'c.jinja': jinja, 'tokenizer_config.json': '{"eos_token":"</s>"}' },
    },
    6,
  ],
  ['examples that are dropped', { model: { max_seq_len: 80 } }, 6],
  ['three samples', { dataset: { n: 3 } }, 18],
  ['turns', turns, 4],
  [
    'rows in clusters',
    {
      rows: Array.from({ length: 12 }, (_, id) => ({
        q: `${id} + 1`,
        a: String(id % 5),
        document: id % 6,
      })),
      dataset: {
        reader_cfg: { input_columns: ['q'], output_column: 'a', cluster_by: 'document' },
      },
    },
    12,
  ],
  [
    'what a judge scored',
    {
      judge: {},
      dataset: { eval_cfg: { evaluator: { type: 'judge', model: 'j', question_column: 'q' } } },
    },
    6,
  ],
  [
    'options in all orders',
    {
      rows: [
        { q: 'x?', A: 'one', B: 'two', a: 'A' },
        { q: 'y?', A: 'two', B: 'one', a: 'B' },
      ],
      inference: {
        ice_template: undefined,
        prompt_template: { template: '{q} A {A} B {B}' },
        retriever: { type: 'ZeroRetriever' },
      },
      dataset: {
        eval_cfg: {
          circular: 'rotations',
          evaluator: { type: 'choice', options: ['A', 'B'], text_columns: ['A', 'B'] },
        },
      },
    },
    4,
  ],
  ['labels of the data on a local model', labels, 3],
  [
    'numbers as they are written',
    {
      rows: [
        { q: 1.5, a: '2' },
        { q: 12345678901234567890n.toString(), a: '2' },
      ],
    },
    2,
  ],
  ['compat', { config: { compat: 'opencompass' }, model: { meta_template: undefined } }, 6],
];

test.each(tasks)(
  'a bundle of %s is verified without run, config and data',
  async (_, change, requests) => {
    const server = await startModelServer(({ messages }) => ({
      text: JSON.stringify(messages)?.includes('You grade') ? 'Verdict: A' : '4',
    }));
    const { out, folder } = await runTask(server.url, change);
    const file = join(folder, 'x.zip');
    const written = await writeBundle(out, file);
    expect(written.checks.flatMap(({ wrong, open }) => [...wrong, ...open])).toEqual([]);
    for (const name of ['out', 'config.json', 'rows.jsonl', 'train.jsonl', 'c.jinja'])
      await rm(join(folder, name), { recursive: true, force: true });
    const { holds, checks } = await verifyBundle(file);
    expect(holds).toBe(true);
    expect(checks.flatMap(({ wrong, open }) => [...wrong, ...open])).toEqual([]);
    const verified = Object.fromEntries(checks.map((check) => [check.kind, check.verified]));
    expect(verified).toMatchObject({ requests, prompts: requests, scores: 1 });
  },
);

/** The files of a bundle, by name. */
async function unpack(file: string): Promise<Record<string, string>> {
  const entries = readZip(await readFile(file), file);
  return Object.fromEntries(entries.map(({ name, read }) => [name, read().toString()]));
}

async function bundleOf(changes: Changes = {}, url?: (address: string) => string) {
  const server = await startModelServer(() => ({ text: '4' }));
  const address = url?.(server.url) ?? server.url;
  const { out, folder } = await runTask(address, changes);
  const file = join(folder, 'x.zip');
  await writeBundle(out, file);
  return { file, folder, out, files: await unpack(file) };
}

test('one changed byte is named, in whatever file it is', async () => {
  const { file, files } = await bundleOf();
  for (const [name, text] of Object.entries(files)) {
    if (name === 'manifest.json') continue;
    const changed = { ...files, [name]: `${text.slice(0, -2)}~${text.slice(-1)}` };
    await writeFile(file, makeZip(changed));
    const { holds, checks } = await verifyBundle(file);
    expect(holds).toBe(false);
    expect(checks[0]?.wrong).toEqual([`${name} was changed`]);
  }
  const { 'run.json': _, ...less } = files;
  await writeFile(file, makeZip({ ...less, 'more.txt': 'x' }));
  expect((await verifyBundle(file)).checks[0]?.wrong).toEqual([
    'run.json is missing',
    'more.txt was added',
  ]);
  const bytes = makeZip(files);
  const place = bytes.indexOf('m/sums/log') + 40;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(file, bytes);
  expect((await verifyBundle(file)).checks[0]?.wrong).toEqual(['m/sums/log.0.jsonl is damaged']);
});

/** What is changed in which file, with the manifest made to fit, and what then does not hold. */
const forgeries: readonly (readonly [string, string, RegExp, string, RegExp])[] = [
  ['a score', 'm/sums/log.0.jsonl', /"score":0/, '"score":1', /scores: .*score: the summary says/],
  [
    'a number of the summary',
    'summary.json',
    /"value": [\d.]+/,
    '"value": 0.99',
    /scores: .*the summary says 0.99/,
  ],
  ['a row', 'm/sums/rows.0.jsonl', /3 \+ 1/, '3 + 2', /rows: .*row 3 holds something else/],
  ['a request', 'm/sums/requests.0.jsonl', /3 \+ 1/, '3 + 2', /requests: .*row 3 has another key/],
  [
    'an example',
    'm/sums/examples.0.jsonl',
    /\d \+ 9/,
    '8 + 8',
    /prompts: .*another prompt is made/,
  ],
  [
    'the format',
    'run.json',
    /"metaTemplate": "chatml"/,
    '"metaTemplate": "zephyr"',
    /prompts: .*another prompt/,
  ],
  ['the model', 'run.json', /"model": "x"/, '"model": "y"', /requests: .*has another key/],
];

test.each(forgeries)(
  '%s that was changed together with the manifest is found',
  async (...[, name, found, put, told]) => {
    const { file, files } = await bundleOf();
    const forged = (files[name] ?? '').replace(found, put);
    expect(forged).not.toBe(files[name]);
    const manifest = JSON.parse(files['manifest.json'] ?? '');
    const entry = manifest.files.find((one: { name: string }) => one.name === name);
    Object.assign(entry, {
      bytes: Buffer.byteLength(forged),
      sha256: hash('sha256', forged, 'hex'),
    });
    await writeFile(
      file,
      makeZip({ ...files, [name]: forged, 'manifest.json': JSON.stringify(manifest) }),
    );
    const { holds, checks } = await verifyBundle(file);
    expect(holds).toBe(false);
    const wrong = checks.flatMap((check) => check.wrong.map((text) => `${check.kind}: ${text}`));
    expect(wrong.join('\n')).toMatch(told);
  },
);

test('nothing secret is inside, and nothing of this machine', async () => {
  const { files, folder } = await bundleOf(
    { model: { headers: { 'x-key': 'hidden3' } } },
    (url) => `${url.replace('//', '//user:hidden1@')}/v1?token=hidden2`,
  );
  const all = Object.values(files).join('\n');
  expect(all).not.toMatch(/hidden\d/);
  expect(all).not.toContain(folder);
});

test('a run whose prompts cannot be made again is not bundled, and nothing is left', async () => {
  const server = await startModelServer();
  const { out, folder } = await runTask(server.url);
  const file = join(folder, 'x.zip');
  const config = await readFile(join(folder, 'config.json'), 'utf8');
  await writeFile(join(folder, 'config.json'), config.replace('{q} =', '{q} is'));
  await expect(writeBundle(out, file)).rejects.toMatchObject({
    code: 'bundle.prompts_not_made',
    message: expect.stringMatching(/config\.json has changed since the run: 6 rows/),
  });
  expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
});

test.each([
  ['no archive', 'hello', 'bundle.damaged'],
  ['another archive', makeZip({ 'a.txt': 'a' }), 'bundle.damaged'],
  [
    'a newer one',
    makeZip({
      'manifest.json': JSON.stringify({
        format: 9,
        typecase: '9',
        run: 'x',
        evaluations: [],
        files: [],
      }),
    }),
    'bundle.newer',
  ],
])('%s is refused', async (_, content, code) => {
  const { folder } = await runTask((await startModelServer()).url);
  const file = join(folder, 'x.zip');
  await writeFile(file, content);
  await expect(verifyBundle(file)).rejects.toMatchObject({ code });
  await expect(verifyBundle(`${file}.gone`)).rejects.toMatchObject({ code: 'bundle.not_found' });
});
