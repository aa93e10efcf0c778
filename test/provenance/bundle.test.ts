import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import { readZip } from '../../src/base/zip.ts';
import { evaluate, loadConfig, verifyBundle, writeBundle } from '../../src/index.ts';
import { startModelServer } from './model-server.ts';
import { type Changes, runTask, writeTask } from './small-task.ts';

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
      text: JSON.stringify(messages)?.includes('You grade') ? '{"verdict":"A"}' : '4',
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
    const scores = change.rows?.length ?? 6;
    expect(verified).toMatchObject({ requests, prompts: requests, scores, summary: 1 });
  },
);

/** The files of a bundle, by name. */
async function unpack(file: string): Promise<Record<string, string>> {
  const entries = readZip(await readFile(file), file);
  return Object.fromEntries(entries.map(({ name, read }) => [name, read().toString()]));
}

async function bundleOf(changes: Changes = {}, url?: (address: string) => string) {
  const usage = { prompt_tokens: 10, completion_tokens: 2 };
  const server = await startModelServer(() => ({ text: '4', usage }));
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

const log = 'm/sums/log.0.jsonl';

/** What is changed in which file, with the manifest made to fit, and what then does not hold. */
const forgeries: readonly (readonly [string, string, RegExp, string, RegExp])[] = [
  ['a row', 'm/sums/rows.0.jsonl', /3 \+ 1/, '3 + 2', /rows: .*row 3 has different content/],
  ['a request', 'm/sums/requests.0.jsonl', /3 \+ 1/, '3 + 2', /requests: .*row 3 has another key/],
  [
    'an example',
    'm/sums/examples.0.jsonl',
    /\d \+ 9/,
    '8 + 8',
    /prompts: .*the rebuilt prompt differs/,
  ],
  [
    'the format',
    'run.json',
    /"metaTemplate": "chatml"/,
    '"metaTemplate": "zephyr"',
    /prompts: .*rebuilt prompt/,
  ],
  ['the model', 'run.json', /"model": "x"/, '"model": "y"', /requests: .*has another key/],
  [
    'a score',
    log,
    /"score":0/,
    '"score":1',
    /scores: .*row 0: score: the log says 1, rescoring gives 0/,
  ],
  ['what was read', log, /"extracted":"4"/, '"extracted":"1"', /scores: .*row 0: extracted/],
  ['a right answer', log, /"gold":"1"/, '"gold":"4"', /scores: .*row 0: gold/],
  ['a price', 'run.json', /"in": 10/, '"in": 1', /summary: .*cost: the summary says/],
  ['a served name', 'run.json', /"name": "served"/, '"name": "x"', /summary: served/],
  ['a start', 'run.json', /"sent": 6/, '"sent": 1', /summary: starts.sent/],
  ['the time of an answer', log, /"ms":\d+/, '"ms":99999', /summary: .*latency.total/],
];

type Json = ReturnType<typeof JSON.parse>;

/** What is changed in the summary. */
const falseSummaries: readonly (readonly [(summary: Json) => void, RegExp])[] = [
  [({ results: [one] }) => (one.score.value = 0.99), /score.value: the summary says 0.99/],
  [({ results: [one] }) => (one.score.low = 0.16), /score.low/],
  [({ results: [one] }) => (one.metric = 'exact_match'), /metric: the summary says exact_match/],
  [({ results: [one] }) => (one.rows.total = 7), /rows.total/],
  [({ results: [one] }) => (one.rows.failed = 1), /rows.failed/],
  [({ results: [one] }) => (one.tokens.output = 1), /tokens.output/],
  [({ results: [one] }) => (one.cost = 0), /cost: the summary says 0,/],
  [({ results: [one] }) => (one.cutOff = 6), /cutOff/],
  [({ results: [one] }) => (one.promptHash = 'x'), /promptHash/],
  [({ results: [one] }) => (one.seed = 1), /seed/],
  [({ results: [one] }) => (one.model = 'z'), /m on sums: the summary has no result/],
  [
    ({ results }) => results.push({ ...results[0], model: 'z' }),
    /z on sums: the summary has a result without any record/,
  ],
  [({ groups: [one] }) => (one.score.value = 0.9), /groups.0.score.value/],
  [({ gates }) => (gates.at(-1).passed = true), /gates.0.passed/],
  [({ gates }) => (gates.at(-1).got = 0.9), /gates.0.got/],
  [({ cost }) => (cost.total = 0), /cost.total/],
  [(summary) => (summary.complete = false), /complete: the summary says false/],
  [({ starts }) => (starts.count = 9), /starts.count/],
  [(summary) => delete summary.served, /served: the summary says nothing/],
];

const heldTo = {
  model: { price: { in: 10, out: 20 } },
  config: {
    gate: { fail_under: '90%' },
    summarizer: { summary_groups: [{ name: 'all', subsets: ['sums'] }] },
  },
};

/** Puts files into a bundle whose manifest fits them. */
async function forge(file: string, files: Readonly<Record<string, string>>) {
  const manifest = JSON.parse(files['manifest.json'] ?? '');
  for (const entry of manifest.files) {
    const text = files[entry.name] ?? '';
    entry.bytes = Buffer.byteLength(text);
    entry.sha256 = hash('sha256', text, 'hex');
  }
  await writeFile(file, makeZip({ ...files, 'manifest.json': JSON.stringify(manifest) }));
  const { holds, checks } = await verifyBundle(file);
  const wrong = checks.flatMap((check) => check.wrong.map((text) => `${check.kind}: ${text}`));
  return { holds, wrong: wrong.join('\n') };
}

test('what was changed together with the manifest is found', async () => {
  const { file, files } = await bundleOf(heldTo);
  expect(await forge(file, files)).toEqual({ holds: true, wrong: '' });
  for (const [what, name, found, put, told] of forgeries) {
    const text = (files[name] ?? '').replace(found, put);
    expect(text, what).not.toBe(files[name]);
    const { holds, wrong } = await forge(file, { ...files, [name]: text });
    expect(holds, what).toBe(false);
    expect(wrong).toMatch(told);
  }
  for (const [change, told] of falseSummaries) {
    const summary = JSON.parse(files['summary.json'] ?? '');
    change(summary);
    const text = JSON.stringify(summary);
    const { holds, wrong } = await forge(file, { ...files, 'summary.json': text });
    expect(holds, String(change)).toBe(false);
    expect(wrong).toMatch(told);
  }
});

test('a score is found out by what the judge said, and its words are inside', async () => {
  const server = await startModelServer(({ messages }) => ({
    text: JSON.stringify(messages)?.includes('You grade') ? '{"verdict":"B"}' : '4',
  }));
  const { out, folder } = await runTask(server.url, {
    judge: { price: { in: 1, out: 1 } },
    dataset: { eval_cfg: { evaluator: { type: 'judge', model: 'j', question_column: 'q' } } },
  });
  const file = join(folder, 'x.zip');
  await writeBundle(out, file);
  const files = await unpack(file);
  expect(files['m/sums/verdicts.0.jsonl']).toContain('verdict');
  const text = files[log]?.replace('"score":0', '"score":1') ?? '';
  expect((await forge(file, { ...files, [log]: text })).wrong).toMatch(
    /row 0: score: the log says 1, rescoring gives 0/,
  );
});

test('what a function scored is not scored again, and its summary is verified all the same', async () => {
  const server = await startModelServer(() => ({ text: '4' }));
  const folder = await writeTask(server.url);
  const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
  config.datasets[0].eval_cfg = 'MARK';
  const text = JSON.stringify(config).replace(
    '"MARK"',
    "{ evaluator: { type: 'function', score: (answer, { gold }) => answer === gold } }",
  );
  await writeFile(join(folder, 'config.mjs'), `export default ${text}`);
  const out = join(folder, 'out');
  await evaluate(await loadConfig(join(folder, 'config.mjs')), { out });
  const file = join(folder, 'x.zip');
  const { checks } = await writeBundle(out, file);
  expect(checks.flatMap(({ open }) => open)).toEqual([
    'm on sums: not rescored: they are scored by a function, which runs do not record',
  ]);
  const files = await unpack(file);
  const forged = files['summary.json']?.replace(/"value": [\d.]+/, '"value": 0.99') ?? '';
  expect((await forge(file, { ...files, 'summary.json': forged })).wrong).toMatch(/says 0.99/);
});

test('the bundle of an interrupted run says how many rows are missing', async () => {
  const abort = new AbortController();
  let asked = 0;
  const server = await startModelServer(() => {
    if (++asked === 3) abort.abort();
    return { text: '4' };
  });
  const folder = await writeTask(server.url, { model: { batch_size: 1 } });
  const out = join(folder, 'out');
  const config = await loadConfig(join(folder, 'config.json'));
  await evaluate(config, { out, signal: abort.signal }).catch(() => undefined);
  const file = join(folder, 'x.zip');
  const { missing, total, holds } = await writeBundle(out, file);
  expect({ missing, total, holds }).toEqual({ missing: 4, total: 6, holds: true });
  const files = await unpack(file);
  const summary = JSON.parse(files['summary.json'] ?? '');
  const [result] = summary.results;
  Object.assign(summary, { complete: true });
  Object.assign(result.rows, { total: 2, missing: 0 });
  delete result.partial;
  const { wrong } = await forge(file, { ...files, 'summary.json': JSON.stringify(summary) });
  expect(wrong).toMatch(/rows.total: the summary says 2, recomputing gives 6/);
  expect(wrong).toMatch(/complete: the summary says true/);
});

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
