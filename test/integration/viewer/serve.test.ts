import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RowsPage, RunDetails, RunList } from '../../../src/server/viewer/api.ts';
import { cli } from '../build-cli.ts';
import { runCli, writeFolder } from '../run-cli.ts';
import { browserPath, launch } from './browser.ts';
import { serve } from './viewer-runs.ts';

/** A server that takes its time over each answer. */
async function slowServer(ms: number): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      setTimeout(() => {
        reply.setHeader('content-type', 'application/json');
        reply.end(
          JSON.stringify({ choices: [{ message: { content: '1' }, finish_reason: 'stop' }] }),
        );
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
  expect((await rowsOf()).running?.score).toMatchObject({ value: 1 });
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
    await page.locator('.one-head .interval:has-text("[")').waitFor();
    await page.getByRole('button', { name: 'Stop after requests in flight' }).click();
    await page.getByText('The run is incomplete.').waitFor();
    expect(await ended).toBe(3);
    expect(await page.locator('.live').innerText()).not.toContain('Stopping');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Stop after requests in flight' }).click();
    await page.getByText('The run is incomplete.').waitFor();
  },
);
