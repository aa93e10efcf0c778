import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { evaluate } from '../../../api/evaluate.ts';
import { loadConfig } from '../../../config/load-config.ts';
import type { Failure, RowPrompt } from '../api.ts';
import { DataRows } from '../data-rows.ts';
import { OpenedRuns } from '../opened-runs.ts';
import { ServedRuns } from '../served-runs.ts';
import { type ViewerApp, viewerApp } from '../viewer-app.ts';
import {
  type BenchDetails,
  type BenchPrompt,
  type ConfigList,
  type Rescored,
  workbenchRoutes,
} from './api.ts';
import { makePrompts } from './make-prompts.ts';
import type { TemplateText } from './template-text.ts';
import { readTemplates } from './template-text.ts';
import { Workbench } from './workbench.ts';

const pageToken = 'a token of the page';
const host = '127.0.0.1:7007';
let folder = '';
let viewer: ViewerApp;
let config = '';

const rows = Array.from({ length: 6 }, (_, id) => ({ q: `${id}?`, a: String(id) }));
const dataset = {
  abbr: 'd',
  path: 'rows.jsonl',
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: {
    prompt_template: { template: 'Q: {q}' },
    inferencer: { type: 'GenInferencer', max_out_len: 4 },
  },
  eval_cfg: { evaluator: { type: 'exact' } },
};
const models = [
  { abbr: 'm', type: 'Replay', path: 'answers.jsonl' },
  { abbr: 'w', type: 'OpenAICompletions', base_url: 'http://127.0.0.1:9/v1', model: 'w' },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-workbench-'));
  const lines = (values: readonly object[]) =>
    values.map((one) => `${JSON.stringify(one)}\n`).join('');
  await writeFile(join(folder, 'rows.jsonl'), lines(rows));
  await writeFile(
    join(folder, 'answers.jsonl'),
    lines(rows.map(({ a }, id) => ({ id, answer: a }))),
  );
  config = join(folder, 'c.json');
  await writeFile(config, JSON.stringify({ models, datasets: [dataset] }));
  await writeFile(
    join(folder, 'program.mjs'),
    `export const config = ${JSON.stringify({ models, datasets: [dataset] })};\nexport default config;\n`,
  );
  viewer = viewerApp(new ServedRuns([join(folder, 'runs')]), {
    host: '127.0.0.1',
    pageToken,
    configs: [config, join(folder, 'program.mjs'), join(folder, 'commented.yaml')],
  });
});

afterAll(async () => {
  await viewer?.close();
  await rm(folder, { recursive: true });
});

async function get<Reply>(path: string): Promise<Reply> {
  const reply = await viewer.app.request(`http://${host}${path}`, { headers: { host } });
  return (await reply.json()) as Reply;
}

async function post<Reply>(path: string, body: object, token = pageToken) {
  const reply = await viewer.app.request(`http://${host}${path}`, {
    method: 'POST',
    headers: { host, 'content-type': 'application/json', 'x-typecase-token': token },
    body: JSON.stringify(body),
  });
  return { status: reply.status, value: (await reply.json()) as Reply };
}

async function nameOf(ending: string): Promise<string> {
  const { configs } = await get<ConfigList>('/api/workbench/configs');
  return configs.find((one) => one.config?.endsWith(ending))?.config ?? '';
}

const prompt = async (change: object) =>
  (
    await post<BenchPrompt>('/api/workbench/prompt', {
      config: await nameOf('c.json'),
      dataset: 'd',
      model: 'w',
      ...change,
    })
  ).value;

describe('who may ask', () => {
  const posts = workbenchRoutes.filter(({ method }) => method === 'post');
  test.each(posts)('$path needs the token of the page', async ({ path }) => {
    const { status, value } = await post<Failure>(path, {}, 'another');
    expect({ status, code: value.error.code }).toEqual({ status: 403, code: 'serve.no_token' });
  });

  test.each(['../c.json', '/etc/passwd', 'c.json/../c.json', ''])(
    '%j is no config',
    async (name) => {
      const reply = await get<Failure>(`/api/workbench/config?config=${encodeURIComponent(name)}`);
      expect(reply.error.code).toBe('serve.no_such_config');
    },
  );
});

test('what looks wrong with a prompt is told, all kinds of it', async () => {
  const file = join(folder, 'lint.json');
  const own = {
    models: [{ ...models[1], meta_template: 'llama3', stop: [' '] }],
    datasets: [
      {
        ...dataset,
        path: undefined,
        rows: [
          { q: '1?', a: '1' },
          { q: '2?', a: '2' },
          { q: '1?', a: 'one' },
        ],
        infer_cfg: {
          ice_template: { template: 'Q: {q}\nA: {a}' },
          prompt_template: { template: '</E>Q: {q} {p}\nA: {a}', ice_token: '</E>' },
          retriever: { type: 'FixKRetriever', fix_id_list: [0] },
          inferencer: { type: 'GenInferencer', max_out_len: 4 },
        },
      },
    ],
  };
  await writeFile(file, JSON.stringify(own));
  const bench = new Workbench([file], new OpenedRuns(new ServedRuns([folder])));
  const { config: name } = (await bench.list()).configs[0] ?? {};
  const codesOf = async (row: number, templates?: TemplateText) => {
    const asked = { config: name, dataset: 'd', model: 'w', row };
    const { lint, problem } = await bench.prompt({ ...asked, ...(templates && { templates }) });
    expect(problem).toBeUndefined();
    return lint.map(({ code }) => code);
  };
  const always = ['template.unknown_field', 'template.stop_before_answer'];
  expect(await codesOf(0)).toEqual(expect.arrayContaining([...always, 'retrieve.leak_same_row']));
  expect(await codesOf(2)).toEqual(
    expect.arrayContaining([...always, 'retrieve.leak_same_question']),
  );
  expect((await codesOf(1)).filter((code) => code.startsWith('retrieve.'))).toEqual([]);
  const turns = "round: [{ role: HUMAN, prompt: '{q}' }, { role: BOT, prompt: '{a}' }]";
  const text = `ice_template: { template: { ${turns} } }
prompt_template: { template: { begin: [</E>], ${turns} }, ice_token: </E> }
`;
  expect(await codesOf(1, { form: 'yaml', text })).toContain('model.doubled_bos');
  await bench.close();
});

test('without a name the first config that opens is taken', async () => {
  const gone = await mkdtemp(join(tmpdir(), 'typecase-gone-'));
  const runs = join(folder, 'some-runs');
  for (const name of ['c.json', 'rows.jsonl', 'answers.jsonl']) {
    await cp(join(folder, name), join(gone, name));
  }
  for (const [name, file] of Object.entries({ old: config, new: join(gone, 'c.json') })) {
    await evaluate(await loadConfig(file), { models: ['m'], out: join(runs, name) });
  }
  await rm(gone, { recursive: true });
  const bench = new Workbench(
    [],
    new OpenedRuns(new ServedRuns([runs]), { allowed: [folder, gone] }),
  );
  expect((await bench.list()).configs.map(({ run }) => run)).toEqual(['new', 'old']);
  expect(await bench.details({})).toMatchObject({ run: 'old', name: 'c.json' });
  await expect(bench.details({ run: 'new' })).rejects.toMatchObject({
    code: 'serve.no_config',
    hint: expect.stringContaining('typecase serve'),
  });
  await bench.close();
});

test('data is read once, whatever is edited, and again when it has changed', async () => {
  const file = join(folder, 'many.jsonl');
  const many = (mark: string) =>
    Array.from({ length: 20_000 }, (_, id) => `${JSON.stringify({ q: `${mark}${id}`, a: '1' })}\n`);
  await writeFile(file, many('a').join(''));
  const own = join(folder, 'many.json');
  const datasets = [{ ...dataset, path: 'many.jsonl' }];
  await writeFile(own, JSON.stringify({ models, datasets }));
  const read = vi.spyOn(DataRows, 'open');
  const { app, close } = viewerApp(new ServedRuns([join(folder, 'runs')]), {
    host: '127.0.0.1',
    pageToken,
    configs: [own],
  });
  const list = await app.request(`http://${host}/api/workbench/configs`, { headers: { host } });
  const [{ config: name } = {}] = ((await list.json()) as ConfigList).configs;
  const look = async (change: object): Promise<BenchPrompt> => {
    const reply = await app.request(`http://${host}/api/workbench/prompt`, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', 'x-typecase-token': pageToken },
      body: JSON.stringify({ config: name, dataset: 'd', model: 'w', ...change }),
    });
    return (await reply.json()) as BenchPrompt;
  };
  expect(await look({})).toMatchObject({ id: 0, next: 1, row: { q: 'a0' } });
  expect(await look({ row: 19_999 })).toMatchObject({ previous: 19_998, row: { q: 'a19999' } });
  for (const text of ['A {q}', 'B {q}', 'C {q}', 'D {q}', 'E {q}', 'F {q}']) {
    const edited = await look({ row: 15_000, templates: { form: 'text', text } });
    expect(edited).toMatchObject({ previous: 14_999, next: 15_001, row: { q: 'a15000' } });
  }
  expect(await look({ row: 20_000 })).toMatchObject({ problem: { code: 'serve.no_such_row' } });
  expect(read).toHaveBeenCalledTimes(1);
  await writeFile(file, many('b').slice(0, 3).join(''));
  await utimes(file, new Date(), new Date(Date.now() + 5000));
  expect(await look({ row: 2 })).toMatchObject({ previous: 1, row: { q: 'b2' } });
  expect(read).toHaveBeenCalledTimes(2);
  await close();
  read.mockRestore();
});

describe('templates', () => {
  test('a plain template is its text, and what is made of it has places in it', async () => {
    const details = await get<BenchDetails>(
      `/api/workbench/config?config=${encodeURIComponent(await nameOf('c.json'))}`,
    );
    expect(details.datasets[0]?.templates).toEqual({ form: 'text', text: 'Q: {q}' });
    const reply = await prompt({ row: 2, templates: { form: 'text', text: 'A\n {p} {q}' } });
    expect(reply.lint).toMatchObject([
      { code: 'template.unknown_field', at: { line: 2, column: 2 } },
    ]);
    expect(JSON.stringify(reply.view)).toContain('A\\n {p} 2?');
  });

  test.each([
    ['prompt_template: [', 'config.syntax'],
    ['prompt: 1', 'workbench.not_templates'],
    ['', 'workbench.not_templates'],
    ['prompt_template: { template: 5 }', 'template.wrong_type'],
    ['prompt_template: { tempalte: x }', 'config.unknown_key'],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [${'*a,'.repeat(9)}*a]\n`)}`,
      '',
    ],
  ])('%j is said to be wrong', async (text, code) => {
    const { problem } = await prompt({ templates: { form: 'yaml', text } });
    expect(problem).toBeDefined();
    if (code !== '' && problem?.code !== code) expect(problem?.at).toBeDefined();
  });

  test('a template that would fill the memory is refused at once', async () => {
    const text = '{q}'.repeat(60_000);
    const started = performance.now();
    const { problem } = await prompt({
      templates: { form: 'text', text: text + '{q}'.repeat(6000) },
    });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(problem?.code).toBe('workbench.too_large');
    const { status } = await post('/api/workbench/prompt', {
      config: await nameOf('c.json'),
      dataset: 'd',
      templates: { form: 'text', text: 'x'.repeat(200_001) },
    });
    expect(status).toBe(400);
  });

  test('what the page makes is what the server shows, for every line end', async () => {
    for (const text of [
      '{q}\r\n{q}\r',
      ' \u2028{q}\t',
      '{q}',
      '日本{q}\u0000',
      '{{q}} {"a": {q}}',
    ]) {
      const { view, kit = '' } = await prompt({ row: 1, templates: { form: 'text', text } });
      const { texts } = await makePrompts(kit, readTemplates({ form: 'text', text }).templates);
      const [shown] = (view as { prompts: { spans: { text: string }[] }[] }).prompts;
      const [made] = texts;
      expect(made?.prompt.type === 'text' && made.prompt.spans.map((span) => span.text)).toEqual(
        shown?.spans.map((span) => span.text),
      );
    }
  });
});

describe('saving', () => {
  const save = async (change: object, ending = 'c.json') =>
    post<Failure & { file: string }>('/api/workbench/save', {
      config: await nameOf(ending),
      dataset: 'd',
      model: 'w',
      templates: { form: 'text', text: 'New: {q}' },
      as: 'config',
      ...change,
    });

  test('a config is written whole, with another template and another format', async () => {
    const { status } = await save({ name: 'new', format: 'chatml' });
    expect(status).toBe(200);
    const written = await loadConfig(join(folder, 'new.json'));
    expect(written.datasets[0]?.inferCfg.promptTemplate?.config.template).toBe('New: {q}');
    expect(written.models.map(({ metaTemplate }) => metaTemplate)).toEqual([undefined, 'chatml']);
  });

  const head = `# who asked for this
models: [{ abbr: m, type: Replay, path: answers.jsonl }] # recorded
`;
  const rows = 'rows: [{ q: a, a: b }]\n    reader_cfg: { input_columns: [q], output_column: a }';
  test.each([
    [
      'comments inside a template',
      `${head}datasets:
  - abbr: d
    ${rows}
    infer_cfg: # how
      prompt_template:
        # the wording of May
        template: "Old: {q}" # short
      inferencer: &shared { type: GenInferencer, max_out_len: 7 }
`,
      { form: 'text', text: 'New: {q}' },
      ['who asked', 'recorded', '# how', 'the wording of May', '# short', '&shared', 'New: {q}'],
    ],
    [
      'a new turn',
      `${head}datasets:
  - abbr: d
    ${rows}
    infer_cfg:
      prompt_template:
        template:
          round:
            # what is asked
            - { role: HUMAN, prompt: "{q}" } # the question
            - { role: BOT, prompt: "{a}" } # the answer
`,
      {
        form: 'yaml',
        text: 'prompt_template: { template: { round: [{ role: SYSTEM, prompt: Be brief. }, { role: HUMAN, prompt: "{q}" }, { role: BOT, prompt: "{a}" }] } }',
      },
      ['what is asked', '# the question', '# the answer', 'Be brief.'],
    ],
    [
      'what is merged in stays',
      `${head}datasets:
  - &base
    abbr: other
    ${rows}
    infer_cfg: { prompt_template: { template: "Old: {q}" }, inferencer: { type: GenInferencer, max_out_len: 7 } }
  - { <<: *base, abbr: d } # the second
`,
      { form: 'text', text: 'New: {q}' },
      ['# the second', '&base', '*base'],
    ],
    [
      'what others merge in stays',
      `${head}datasets:
  - &base
    abbr: d
    ${rows}
    infer_cfg: { prompt_template: &p { template: "Old: {q}" }, inferencer: { type: GenInferencer, max_out_len: 7 } }
  - { <<: *base, abbr: other } # the second
  - abbr: third
    ${rows}
    infer_cfg: { prompt_template: *p } # the third
`,
      { form: 'text', text: 'New: {q}' },
      ['# the second', '# the third', '&base'],
    ],
    [
      'labels in another order',
      `${head}datasets:
  - abbr: d
    ${rows}
    infer_cfg:
      prompt_template: { template: { x: "x {q}", y: "y {q}" } } # both
      inferencer: { type: PPLInferencer }
`,
      { form: 'yaml', text: 'prompt_template: { template: { y: "y {q}", x: "x {q}" } }' },
      ['# both'],
    ],
  ])('keeps comments and all else of a config: %s', async (name, text, templates, kept) => {
    const file = join(folder, 'commented.yaml');
    await writeFile(file, text);
    const saved = join(folder, `${name}.yaml`);
    const { status, value } = await save({ name, templates, model: 'm' }, 'commented.yaml');
    expect({ status, value }).toMatchObject({ status: 200, value: { file: expect.any(String) } });
    const written = await readFile(saved, 'utf8');
    for (const part of kept) expect(written).toContain(part);
    const [before, after] = [await loadConfig(file), await loadConfig(saved)];
    const untouched = ({ datasets }: typeof before) =>
      datasets.map(({ abbr, inferCfg, readerCfg }) => ({
        ...{ abbr, inferencer: inferCfg.inferencer, readerCfg },
        ...(abbr !== 'd' && { template: inferCfg.promptTemplate?.config }),
      }));
    expect(untouched(after)).toEqual(untouched(before));
    const edited = after.datasets.find(({ abbr }) => abbr === 'd')?.inferCfg.promptTemplate?.config;
    const { prompt_template: wanted } = readTemplates(templates as TemplateText).templates;
    expect(JSON.stringify(edited?.template)).toBe(
      JSON.stringify((wanted as { template: unknown }).template),
    );
  });

  test.each([
    [{ name: 'c' }, 'workbench.exists'],
    [{ name: '../c2' }, 'workbench.bad_name'],
    [{ name: '.hidden' }, 'workbench.bad_name'],
    [{ name: 'a/b' }, 'workbench.bad_name'],
    [{ name: 'a\u0000b' }, 'workbench.bad_name'],
  ])('%j is refused', async (change, code) => {
    const before = await readFile(config, 'utf8');
    const { status, value } = await save(change);
    expect({ status, code: value.error.code }).toEqual({ status: 400, code });
    expect(await readFile(config, 'utf8')).toBe(before);
    expect((await readdir(folder)).filter((name) => name.includes('draft'))).toEqual([]);
  });

  test('a program is not written, but its templates are', async () => {
    const refused = await save({ name: 'p' }, 'program.mjs');
    expect(refused.value.error.code).toBe('workbench.no_config_file');
    expect((await save({ name: 'p', as: 'template' }, 'program.mjs')).status).toBe(200);
    expect(await readFile(join(folder, 'p.yaml'), 'utf8')).toContain('New: {q}');
  });
});

test('by its own evaluator a run scores as it did, by another one with no options', async () => {
  const scored = join(folder, 'scored.json');
  const evaluator = [
    { type: 'contains', value: '3', name: 'three' },
    { type: 'length', max: 5 },
  ];
  const own = { ...dataset, eval_cfg: { evaluator } };
  const byRows = {
    ...{
      ...dataset,
      abbr: 'by-rows',
      path: undefined,
      eval_cfg: { evaluator: { type: 'checks' } },
    },
    rows: [{ q: '0?', a: '0', checks: [{ type: 'contains' }] }],
  };
  await writeFile(scored, JSON.stringify({ models: [models[0]], datasets: [own, byRows] }));
  await evaluate(await loadConfig(scored), { out: join(folder, 'runs/scored') });
  const rescore = async (type: string) => {
    const body = { run: 'scored', model: 'm', dataset: 'd', evaluator: type };
    return (await post<Rescored>('/api/workbench/rescore', body)).value;
  };
  const { before, after, changedRows } = await rescore('checks');
  expect(after).toEqual(before);
  expect({ changedRows, score: after.score?.value }).toEqual({ changedRows: 0, score: 7 / 12 });
  expect((await rescore('exact')).after).toMatchObject({ metric: 'accuracy', score: { value: 1 } });
});

test('prompts that a run kept are shown when its config is gone', async () => {
  const gone = join(folder, 'gone.json');
  await writeFile(gone, JSON.stringify({ models: [models[0]], datasets: [dataset] }));
  const out = join(folder, 'runs/kept');
  await evaluate(await loadConfig(gone), { out, savePrompts: true, limit: 3 });
  await evaluate(await loadConfig(gone), { out, savePrompts: true });
  const file = await readFile(join(out, 'm/d.jsonl.prompts'), 'utf8');
  expect(file.trim().split('\n')).toHaveLength(rows.length);
  await rm(gone);
  const kept = await get<RowPrompt>('/api/prompt?run=kept&model=m&dataset=d&id=4');
  expect(kept.problem).toBeUndefined();
  expect(kept.kept).toMatch(/gone/);
  expect(JSON.stringify(kept.view)).toContain('Q: 4?');
  expect(JSON.stringify(kept.view)).toContain('"origin":null');
  expect(JSON.stringify(kept.view)).not.toContain('literal');
});
