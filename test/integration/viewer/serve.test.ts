import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { RowPrompt, RowsPage, RunDetails, RunList } from '../../../src/server/viewer/api.ts';
import { cli } from '../build-cli.ts';
import { runCli, writeFolder } from '../run-cli.ts';
import { browserPath, launch } from './browser.ts';
import { serve } from './viewer-runs.ts';

/** A server that takes its time over each answer. */
async function slowServer(ms: number, message: object = { content: '1' }): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      setTimeout(() => {
        reply.setHeader('content-type', 'application/json');
        reply.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
      }, ms);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function configOf(url: string): string {
  return `models: [{ abbr: slow, type: OpenAI, base_url: '${url}', model: slow, batch_size: 2 }]
datasets:
  - abbr: ones
    path: rows.jsonl
    reader_cfg: { input_columns: [q], output_column: a }
    infer_cfg:
      prompt_template: { template: "{q}" }
      inferencer: { type: GenInferencer, max_out_len: 4 }
    eval_cfg: { evaluator: { type: exact } }
`;
}

const rows = Array.from({ length: 400 }, (_, id) => JSON.stringify({ q: `${id}?`, a: '1' })).join(
  '\n',
);

test('a config opens in the workbench, before there is any run', async () => {
  const folder = await writeFolder({
    'c.yaml': configOf('http://127.0.0.1:9/v1'),
    'rows.jsonl': `${rows}\n`,
  });
  const { child, url } = await serve(folder, ['c.yaml']);
  onTestFinished(() => {
    child.kill();
  });
  expect(url).toMatch(/\/workbench\?config=c\.yaml$/);
  expect((await fetch(url)).status).toBe(200);
});

test('folders that are not there are named, with what to do', async () => {
  const folder = await writeFolder({ 'a.txt': '' });
  const nothing = await runCli(['serve'], { cwd: folder });
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toMatch(/error\[serve\.no_folder\].*runs[\s\S]*typecase run/);
  const file = await runCli(['serve', 'a.txt'], { cwd: folder });
  expect(file.stderr).toMatch(/a\.txt is not a folder/);
});

test('the view command of a row works for data files too, wherever the server was started', async () => {
  const folder = await writeFolder({
    'rows.jsonl': `{"q":"one","a":"1"}\n{"q":"it's two","a":"2"}\n`,
  });
  const template = 'Say \\\\new:\\n{q}';
  const ran = await runCli(
    [
      ...['run', 'rows.jsonl', '--model', 'typecase-tiny', '--template', template],
      ...['--output-column', 'a', '--max-out-len', '3', '--ids', '1'],
    ],
    { cwd: folder },
  );
  expect(ran).toMatchObject({ code: 0 });
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const { child, url } = await serve(elsewhere, [folder]);
  onTestFinished(() => {
    child.kill();
  });
  const { runs } = (await (await fetch(`${url}/api/runs`)).json()) as RunList;
  const run = runs[0]?.id ?? '';
  const details = (await (await fetch(`${url}/api/run?run=${run}`)).json()) as RunDetails;
  const [{ model, dataset } = { model: '', dataset: '' }] = details.evaluations;
  const name = new URLSearchParams({ run, model, dataset, id: '1' });
  const prompt = (await (await fetch(`${url}/api/prompt?${name}`)).json()) as RowPrompt;
  expect(prompt.viewCommand).toMatch(/^cd \S+ && typecase view rows\.jsonl .* --row 1 --run /s);
  const typecase = `typecase() { '${process.execPath}' '${cli}' "$@"; }`;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `${typecase}; ${prompt.viewCommand} --json`],
    { cwd: elsewhere },
  );
  const { views } = JSON.parse(stdout);
  expect(views[0].prompts[0].prompt).toEqual({ type: 'text', text: "Say \\new:\nit's two" });
  expect(views[0].prompts).toEqual((prompt.view as { prompts: unknown }).prompts);
});

test.skipIf(browserPath === undefined)(
  'an answer that only calls tools is shown as its calls',
  { timeout: 60_000 },
  async () => {
    const call = { name: 'weather', arguments: '{"city":"東京"}' };
    const message = { content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] };
    const url = await slowServer(0, message);
    const tools = 'prompt_template: { template: "{q}" }\n      tools: [{ name: weather }]';
    const folder = await writeFolder({
      'c.yaml': configOf(url)
        .replace('prompt_template: { template: "{q}" }', tools)
        .replace('type: exact', 'type: checks, checks: [{ type: tool-called, tool: weather }]'),
      'rows.jsonl': '{"q":"and there?","a":"1"}\n',
    });
    await runCli(['run', 'c.yaml', '--out', 'runs/called'], { cwd: folder });
    const { child, url: viewer } = await serve(folder);
    const browser = await launch();
    onTestFinished(async () => {
      await browser.close();
      child.kill();
    });
    const page = await browser.newPage();
    await page.goto(`${viewer}/run?run=called&show=all`);
    const shown = 'weather({"city":"東京"})';
    expect(await page.locator('.row .got').innerText()).toBe(shown);
    await page.goto(`${viewer}/row?run=called&model=slow&dataset=ones&id=0`);
    await page.getByText('The answer has no text: it only calls tools.').waitFor();
    expect(await page.locator('.checks pre').innerText()).toBe(shown);
  },
);

test('a run in progress is followed, stopped gently, and taken up again', async () => {
  const url = await slowServer(100);
  const folder = await writeFolder({ 'c.yaml': configOf(url), 'rows.jsonl': `${rows}\n` });
  const run = spawn(process.execPath, [cli, 'run', 'c.yaml'], { cwd: folder, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
  const { child, url: viewer } = await serve(folder, [folder]);
  onTestFinished(() => {
    child.kill();
  });
  const get = async <Reply>(path: string) =>
    (await (await fetch(`${viewer}${path}`)).json()) as Reply;
  const patient = { timeout: 40_000, interval: 200 };
  await expect
    .poll(async () => (await get<RunList>('/api/runs')).runs[0]?.state, patient)
    .toBe('running');
  const [{ id = '' } = {}] = (await get<RunList>('/api/runs')).runs;
  const e = encodeURIComponent('["slow","ones"]');
  const rowsOf = () => get<RowsPage>(`/api/rows?run=${encodeURIComponent(id)}&e=${e}&show=all`);
  await expect.poll(async () => (await rowsOf()).running?.rows ?? 0, patient).toBeGreaterThan(2);
  const { running } = await rowsOf();
  // Wilson's interval of nothing but right answers, of the rows reached so far.
  const low = (running?.rows ?? 0) / ((running?.rows ?? 0) + 1.959964 ** 2);
  expect(running?.score).toMatchObject({ value: 1, low: expect.closeTo(low, 6), high: 1 });
  expect(running).not.toHaveProperty('partial');
  const page = await (await fetch(viewer)).text();
  const token = /name="typecase-token" content="(\w+)"/.exec(page)?.[1] ?? '';
  const post = (path: string) =>
    fetch(`${viewer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-typecase-token': token },
      body: JSON.stringify({ run: id }),
    });
  const address = `/api/run?run=${encodeURIComponent(id)}`;
  await expect
    .poll(async () => (await get<RunDetails>(address)).live?.progress?.perSecond ?? 0, patient)
    .toBeGreaterThan(0);
  expect((await get<RunDetails>(address)).live?.progress?.inFlight).toBeGreaterThan(0);
  const left = async () => (await get<RunDetails>(address)).live?.progress;
  await expect.poll(async () => (await left())?.secondsLeft ?? 0, patient).toBeGreaterThan(0);
  const { done = 0, total = 0, perSecond = 0, secondsLeft = 0 } = (await left()) ?? {};
  expect(total).toBe(400);
  expect(secondsLeft).toBeCloseTo((total - done) / perSecond);
  expect((await post('/api/resume')).status).toBe(409);
  expect((await post('/api/stop')).status).toBe(200);
  expect(await ended).toBe(3);
  const details = () => get<RunDetails>(`/api/run?run=${encodeURIComponent(id)}`);
  expect(await details()).toMatchObject({ state: 'incomplete', canResume: true });
  const stopped = (await rowsOf()).running;
  expect(stopped?.score ?? { interval: 'partial' }).toMatchObject({ interval: 'partial' });
  expect((await post('/api/stop')).status).toBe(409);
  expect(existsSync(join(folder, id, 'progress.json'))).toBe(false);
  const before = (await rowsOf()).total;
  expect((await post('/api/resume')).status).toBe(200);
  await expect.poll(async () => (await rowsOf()).total, patient).toBeGreaterThan(before);
  await expect.poll(async () => (await post('/api/stop')).status, patient).toBe(200);
  await expect.poll(async () => (await details()).state, patient).toBe('incomplete');
});

test.skipIf(browserPath === undefined)(
  'the page of a run in progress shows how it goes, stops it and takes it up again',
  { timeout: 120_000 },
  async () => {
    const url = await slowServer(100);
    const folder = await writeFolder({ 'c.yaml': configOf(url), 'rows.jsonl': `${rows}\n` });
    const run = spawn(process.execPath, [cli, 'run', 'c.yaml', '--out', 'runs/slow'], {
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
    const { child, url: viewer } = await serve(folder, [folder]);
    const browser = await launch();
    onTestFinished(async () => {
      await browser.close();
      child.kill();
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(40_000);
    await page.goto(viewer);
    await page.locator('.state.running').waitFor();
    await page.locator('.run-name a').click();
    await page
      .getByText(/\d+ of 400 rows · [\d.]+ .*left · [\d.]+ per second · \d+ in flight/)
      .waitFor();
    const interval = page.locator('.one-head .interval');
    await page.locator('.one-head .interval:has-text("so far")').waitFor();
    expect(await interval.innerText()).toMatch(/^\[[\d.]+, 100\.0\], of the rows reached so far$/);
    await page.getByRole('button', { name: 'Stop after requests in flight' }).click();
    await page.getByText('The run is incomplete.').waitFor();
    await expect.poll(() => interval.innerText()).toBe('rows reached');
    expect(await ended).toBe(3);
    expect(await page.locator('.live').innerText()).not.toContain('Stopping');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Stop after requests in flight' }).click();
    await page.getByText('The run is incomplete.').waitFor();
  },
);
