import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { evaluate } from '../../api/evaluate.ts';
import { loadConfig } from '../../config/load-config.ts';
import * as api from './api.ts';
import { RunLister } from './list-runs.ts';
import { openApiDocument } from './openapi.ts';
import { ServedRuns } from './served-runs.ts';
import { type ViewerApp, viewerApp } from './viewer-app.ts';
import { workbenchRoutes } from './workbench/api.ts';

const pageToken = 'a token of the page';
const host = '127.0.0.1:7007';
let folder = '';
let viewer: ViewerApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-viewer-app-'));
  const rows = Array.from({ length: 8 }, (_, id) => ({ q: `${id}?`, a: String(id) }));
  await writeFile(
    join(folder, 'rows.jsonl'),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
  const answers = rows.map((_, id) => ({ id, answer: id % 2 === 0 ? String(id) : 'no' }));
  await writeFile(
    join(folder, 'answers.jsonl'),
    answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''),
  );
  const config = `models: [{ abbr: m, type: Replay, path: answers.jsonl }]
datasets:
  - abbr: d
    path: rows.jsonl
    reader_cfg: { input_columns: [q], output_column: a }
    infer_cfg:
      prompt_template: { template: "{q}" }
      inferencer: { type: GenInferencer, max_out_len: 4 }
    eval_cfg: { evaluator: { type: exact } }
`;
  await writeFile(join(folder, 'c.yaml'), config);
  await mkdir(join(folder, 'runs'));
  const loaded = await loadConfig(join(folder, 'c.yaml'));
  await evaluate(loaded, { out: join(folder, 'runs/one') });
  await evaluate(loaded, { out: join(folder, 'elsewhere') });
  await symlink(join(folder, 'elsewhere'), join(folder, 'runs/link'));
  viewer = viewerApp(new ServedRuns([join(folder, 'runs')]), { host: '127.0.0.1', pageToken });
});

afterAll(async () => {
  await viewer?.close();
  await rm(folder, { recursive: true });
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const { headers, ...rest } = init;
  return Promise.resolve(
    viewer.app.request(`http://${host}${path}`, { ...rest, headers: { host, ...headers } }),
  );
}

async function codeOf(reply: Response): Promise<string> {
  return ((await reply.json()) as api.Failure).error.code;
}

const row = 'run=one&model=m&dataset=d&id=1';
const rows = `run=one&e=${encodeURIComponent('["m","d"]')}`;

describe('who may ask', () => {
  test.each([
    [{ host: 'evil.example' }, 'serve.host_not_allowed'],
    [{ host: '10.0.0.1:7007' }, 'serve.host_not_allowed'],
    [{ origin: 'http://evil.example' }, 'serve.origin_not_allowed'],
    [{ origin: 'http://127.0.0.1:8000' }, 'serve.origin_not_allowed'],
    [{ origin: 'null' }, 'serve.origin_not_allowed'],
    [{ 'sec-fetch-site': 'cross-site' }, 'serve.origin_not_allowed'],
    [{ 'sec-fetch-site': 'same-site' }, 'serve.origin_not_allowed'],
  ])('%j is refused', async (headers, code) => {
    const reply = await ask('/api/runs', { headers });
    expect(reply.status).toBe(403);
    expect(await codeOf(reply)).toBe(code);
  });

  test('what writes needs the token of the page', async () => {
    const body = JSON.stringify({ run: 'one', model: 'm', dataset: 'd', id: 1, grade: 'right' });
    const json = { 'content-type': 'application/json' };
    const post = (headers: Record<string, string>) =>
      ask('/api/notes', { method: 'POST', headers, body });
    expect(await codeOf(await post(json))).toBe('serve.no_token');
    expect(await codeOf(await post({ ...json, 'x-typecase-token': 'guess' }))).toBe(
      'serve.no_token',
    );
    const plain = { 'x-typecase-token': pageToken, 'content-type': 'text/plain' };
    expect((await post(plain)).status).toBe(415);
    expect((await post({ ...json, 'x-typecase-token': pageToken })).status).toBe(200);
    for (const path of ['/api/stop', '/api/resume']) {
      const reply = await ask(path, { method: 'POST', headers: json, body: '{"run":"one"}' });
      expect(await codeOf(reply)).toBe('serve.no_token');
    }
  });

  test('with an access token nobody gets in without it', async () => {
    const { app, close } = viewerApp(new ServedRuns([join(folder, 'runs')]), {
      host: '0.0.0.0',
      pageToken,
      accessToken: 'secret',
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      app.request(`http://192.168.0.7:7007${path}`, {
        headers: { host: '192.168.0.7:7007', ...headers },
      });
    expect((await get('/api/runs')).status).toBe(401);
    expect((await get('/?token=guess')).status).toBe(401);
    const entered = await get('/?token=secret&x=1');
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe('/?x=1');
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect((await get('/api/runs', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
    expect((await get('/api/runs', { authorization: 'Bearer secret' })).status).toBe(200);
    await close();
  });

  test('every answer forbids what is not needed', async () => {
    const { headers } = await ask('/api/runs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('nothing outside of the folders served', () => {
  test.each(['../elsewhere', '..', '/etc', 'one/../../elsewhere', 'link', 'one/m', ''])(
    'no run %j',
    async (run) => {
      const reply = await ask(`/api/run?run=${encodeURIComponent(run)}`);
      expect(reply.status).toBe(404);
    },
  );

  test('a link is not followed out of them', async () => {
    const list = api.runList.parse(await (await ask('/api/runs')).json());
    expect(list.runs.map(({ id }) => id)).toEqual(['one']);
  });

  test.each([
    ['a file that is there', 'outside.jsonl'],
    ['a file that would be made', 'not-yet.jsonl'],
  ])('notes are not written through a link to %s', async (_, target) => {
    await writeFile(join(folder, 'outside.jsonl'), '{"secret": 1}\n');
    await mkdir(join(folder, 'linked'));
    await cp(join(folder, 'runs/one'), join(folder, 'linked/two'), { recursive: true });
    await rm(join(folder, 'linked/two/notes.jsonl'), { force: true });
    await symlink(join(folder, target), join(folder, 'linked/two/notes.jsonl'));
    const { app, close } = viewerApp(new ServedRuns([join(folder, 'linked')]), {
      host: '127.0.0.1',
      pageToken,
    });
    const body = JSON.stringify({ run: 'two', model: 'm', dataset: 'd', id: 1, note: 'here' });
    const headers = { host, 'content-type': 'application/json', 'x-typecase-token': pageToken };
    const written = await app.request(`http://${host}/api/notes`, {
      ...{ method: 'POST', headers, body },
    });
    expect(await codeOf(written)).toBe('serve.outside');
    const read = await app.request(`http://${host}/api/notes?run=two`, { headers: { host } });
    expect(await codeOf(read)).toBe('serve.outside');
    expect(await readFile(join(folder, 'outside.jsonl'), 'utf8')).toBe('{"secret": 1}\n');
    expect(existsSync(join(folder, 'not-yet.jsonl'))).toBe(false);
    await close();
    await rm(join(folder, 'linked'), { recursive: true });
  });

  test.each([
    '/assets/..%2fcli.js',
    '/assets/../../package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/api/nothing',
    '/package.json',
  ])('%s is not there', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

test('runs of one name are told apart', async () => {
  await mkdir(join(folder, 'other'));
  await symlink(join(folder, 'runs/one'), join(folder, 'other/one'));
  const served = new ServedRuns([join(folder, 'runs/one'), join(folder, 'other/one')]);
  const ids = (await served.list()).map(({ id }) => id);
  expect(ids.sort()).toEqual(['other/one', 'runs/one']);
});

test.each<[string, z.ZodType]>([
  ['/api/runs', api.runList],
  ['/api/run?run=one', api.runDetails],
  [`/api/rows?${rows}`, api.rowsPage],
  [`/api/rows?${rows}&show=all&q=3&sort=ms&order=down&min=0`, api.rowsPage],
  [`/api/row?${row}`, api.rowRecord],
  [`/api/prompt?${row}`, api.rowPrompt],
  ['/api/notes?run=one', api.agreement],
])('%s answers as its schema says', async (path, schema) => {
  const reply = await ask(path);
  expect(reply.status).toBe(200);
  expect(schema.safeParse(await reply.json()).error).toBeUndefined();
});

test('of a note and a grade that come together both are kept', async () => {
  const write = (change: object) =>
    ask('/api/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-typecase-token': pageToken },
      body: JSON.stringify({ run: 'one', model: 'm', dataset: 'd', id: 5, ...change }),
    });
  await Promise.all([write({ note: 'odd' }), write({ grade: 'wrong' })]);
  const { notes } = api.agreement.parse(await (await ask('/api/notes?run=one')).json());
  expect(notes.find(({ id }) => id === 5)).toMatchObject({ note: 'odd', grade: 'wrong' });
  await rm(join(folder, 'runs/one/notes.jsonl'));
});

test('scores of another harness are by no rule of ours', async () => {
  const out = join(folder, 'opened/theirs');
  await cp(join(folder, 'runs/one'), out, { recursive: true });
  const file = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  const source = '0'.repeat(32);
  file.settings = {
    opened: { harness: 'promptfoo', scoredBy: { d: 'function' }, shots: {}, source },
  };
  file.datasets[0].evalCfg = { evaluator: { type: 'function' } };
  await writeFile(join(out, 'run.json'), JSON.stringify(file));
  const theirs = viewerApp(new ServedRuns([join(folder, 'opened')]), {
    host: '127.0.0.1',
    pageToken,
  });
  const address = `http://${host}/api/row?run=theirs&model=m&dataset=d&id=1`;
  const reply = await theirs.app.request(address, { headers: { host } });
  const { rule } = api.rowRecord.parse(await reply.json());
  expect(rule).toMatchObject({
    evaluator: 'of promptfoo',
    summary: 'scores as they were recorded',
  });
  await theirs.close();
});

test('a list of runs covers all evaluations, metric by metric', async () => {
  const out = join(folder, 'listed');
  await cp(join(folder, 'runs/one'), join(out, 'many'), { recursive: true });
  const file = join(out, 'many/summary.json');
  const summary = JSON.parse(await readFile(file, 'utf8'));
  const [result] = summary.results;
  const made = (index: number, change: object) => ({
    ...result,
    dataset: `d${index}`,
    score: { value: index / 100, interval: 'too few' },
    ...change,
  });
  summary.results = [
    ...Array.from({ length: 100 }, (_, index) => made(index, {})),
    made(100, { score: undefined }),
    made(101, { metric: 'ter', plain: true, direction: 'lower' }),
  ];
  await writeFile(file, JSON.stringify(summary));
  const { runs } = await new RunLister(new ServedRuns([out])).list();
  expect(runs[0]?.metrics).toMatchObject([
    { metric: result.metric, evaluations: 101, without: 1 },
    { metric: 'ter', plain: true, direction: 'lower', evaluations: 1, scores: [1.01] },
  ]);
  expect(runs[0]?.metrics[0]?.scores).toHaveLength(100);
  expect(runs[0]?.metrics[0]?.scores.at(-1)).toBe(0.99);
});

test('a list of runs says where a cost is the least that is known', async () => {
  const out = join(folder, 'priced');
  await cp(join(folder, 'runs/one'), join(out, 'priced'), { recursive: true });
  const file = join(out, 'priced/summary.json');
  const summary = JSON.parse(await readFile(file, 'utf8'));
  const [result] = summary.results;
  summary.results = [
    { ...result, cost: 0.25 },
    { ...result, model: 'free' },
  ];
  await writeFile(file, JSON.stringify({ ...summary, cost: { total: 0.25 } }));
  const { runs } = await new RunLister(new ServedRuns([out])).list();
  expect(runs[0]?.cost).toBe('at least 0.25');
});

test('counts, pages and neighbours of rows', async () => {
  const read = async (query: string) =>
    api.rowsPage.parse(await (await ask(`/api/rows?${rows}${query}`)).json());
  const first = await read('');
  expect(first.counts).toMatchObject({ right: 4, wrong: 4, all: 8, problems: 4 });
  expect(first.rows.map(({ id }) => id)).toEqual([1, 3, 5, 7]);
  expect((await read('&show=all&from=6')).rows.map(({ id }) => id)).toEqual([6, 7]);
  expect((await read('&show=all&near=4&count=3')).rows.map(({ id }) => id)).toEqual([3, 4, 5]);
  expect((await read('&show=all&order=down')).rows[0]?.id).toBe(7);
});

test('what is asked in a wrong way is said', async () => {
  const reply = await ask('/api/rows?run=one');
  expect(reply.status).toBe(400);
  expect(await codeOf(reply)).toBe('serve.bad_request');
  expect((await ask(`/api/row?${row.replace('id=1', 'id=99')}`)).status).toBe(404);
});

test('what was read from an answer is told by its place', async () => {
  const answers = ['7 apples, 12 pears: 12', '<think>12, no</think>12 of 112', '1,200'];
  const own = {
    models: [{ abbr: 'm', type: 'Replay', path: 'said.jsonl' }],
    datasets: [
      {
        abbr: 'd',
        rows: answers.map((_, id) => ({ q: `${id}?`, a: '1200' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { template: '{q}' },
          inferencer: { type: 'GenInferencer', max_out_len: 4 },
        },
        eval_cfg: { evaluator: { type: 'number' } },
      },
    ],
  };
  const lines = answers.map((answer, id) => `${JSON.stringify({ id, answer })}\n`).join('');
  await writeFile(join(folder, 'runs/said.jsonl'), lines);
  await writeFile(join(folder, 'runs/numbers.json'), JSON.stringify(own));
  const config = await loadConfig(join(folder, 'runs/numbers.json'));
  await evaluate(config, { out: join(folder, 'runs/numbers') });
  const read = async (path: string, id: number) =>
    (await ask(`/api/${path}?run=numbers&model=m&dataset=d&id=${id}`)).json();
  const marked: (string | undefined)[] = [];
  for (const [id, answer] of answers.entries()) {
    const { spoken = answer } = api.rowRecord.parse(await read('row', id));
    const { extractedAt } = api.rowPrompt.parse(await read('prompt', id));
    marked.push(extractedAt && `${extractedAt[0]} ${spoken.slice(...extractedAt)}`);
  }
  expect(marked).toEqual(['20 12', '6 112', '0 1,200']);
});

test('the API describes itself', () => {
  const { paths } = openApiDocument() as { paths: Record<string, unknown> };
  expect(Object.keys(paths).sort()).toEqual(
    [...new Set([...api.routes, ...workbenchRoutes].map(({ path }) => path))].sort(),
  );
  expect(JSON.stringify(paths['/api/rows'])).toContain('"name":"sort"');
});
