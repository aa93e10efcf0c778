import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { makeLargeRun } from './large-run.ts';
import { median } from './measure.ts';
import { makeDeepRun, makeWideRun } from './wide-run.ts';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const rows = Number(process.env.ROWS ?? 1_000_000);
const folder = process.env.FOLDER ?? mkdtempSync(join(tmpdir(), 'typecase-viewer-bench-'));
const patient = { timeout: 300_000 };

/** A figure; where a server answered, with the time that it computed, which a busy machine hardly changes. */
function line(name: string, value: number, unit: string, cpu?: number): void {
  const own = cpu === undefined ? '' : `   (server ${cpu.toFixed(0)} ms of CPU)`;
  console.log(`${name.padEnd(48)}${value.toFixed(0).padStart(8)} ${unit}${own}`);
}

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ms: number;
}

/** Starts the server, and gives its address and how long that took. */
async function serve(): Promise<Served> {
  const start = performance.now();
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').once('data', resolve);
  });
  const url = /http:\S+/.exec(text)?.[0].replace(/\/$/, '') ?? '';
  return { child, url, ms: performance.now() - start };
}

function residentOf({ child: { pid } }: Served): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const msPerTick = 10;

function cpuOf({ child: { pid } }: Served): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

async function timed(served: Served, path: string): Promise<{ ms: number; cpu: number }> {
  const [start, cpu] = [performance.now(), cpuOf(served)];
  const reply = await fetch(served.url + path);
  await reply.text();
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return { ms: performance.now() - start, cpu: cpuOf(served) - cpu };
}

async function timedLine(name: string, served: Served, path: string): Promise<void> {
  const { ms, cpu } = await timed(served, path);
  line(name, ms, 'ms', cpu);
}

async function startTimes(): Promise<void> {
  const helps: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    spawnSync(process.execPath, [cli, '--help']);
    helps.push(performance.now() - start);
    const { child, ms } = await serve();
    starts.push(ms);
    child.kill();
  }
  line('typecase --help', median(helps), 'ms');
  line('typecase serve, to its address', median(starts), 'ms');
}

/** One row of a server that has read nothing yet. */
async function farRow(name: string): Promise<void> {
  const cold = await serve();
  await timed(cold, '/api/runs');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const place = `${name}&id=${rows - 1}`;
  await timedLine('the last row at once, its record', cold, `/api/row?${place}`);
  await timedLine('the last row at once, its prompt', cold, `/api/prompt?${place}`);
  cold.child.kill();
}

async function isGone(page: Page, text: string): Promise<void> {
  await page.waitForFunction((said) => !document.body.textContent?.includes(said), text, patient);
}

async function openRun(page: Page, served: Served, name: string): Promise<() => [number, number]> {
  await page.goto(served.url);
  await page.getByRole('link', { name, exact: true }).waitFor();
  await page.waitForTimeout(1500);
  const [clicked, cpu] = [performance.now(), cpuOf(served)];
  await page.getByRole('link', { name, exact: true }).click();
  await page.locator('.row .badge').first().waitFor(patient);
  return () => [performance.now() - clicked, cpuOf(served) - cpu];
}

async function search(page: Page, served: Served, text: string, when: string): Promise<void> {
  const [searched, cpu] = [performance.now(), cpuOf(served)];
  await page.locator('#find-row').fill(text);
  await page.locator(`.row .text:has-text("${text}")`).first().waitFor(patient);
  line(
    `search${when}, first hits on the page`,
    performance.now() - searched,
    'ms',
    cpuOf(served) - cpu,
  );
  await isGone(page, 'searching');
  line(`search${when}, all hits`, performance.now() - searched, 'ms', cpuOf(served) - cpu);
}

async function searchAtOnce(browser: Browser): Promise<void> {
  const served = await serve();
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await openRun(page, served, 'large');
  await search(page, served, 'clerk 1012', ' at once');
  await page.close();
  served.child.kill();
}

async function anyRow(served: Served, name: string): Promise<void> {
  const e = encodeURIComponent('["recorded","sums"]');
  const paths = {
    'any row, its record': (id: number) => `/api/row?${name}&id=${id}`,
    'any row, its prompt': (id: number) => `/api/prompt?${name}&id=${id}`,
    'any page of the list': (id: number) => `/api/rows?run=large&e=${e}&show=all&from=${id}`,
  };
  for (const [what, pathOf] of Object.entries(paths)) {
    const all: { ms: number; cpu: number }[] = [];
    for (let round = 0; round < 20; round++) {
      all.push(await timed(served, pathOf(Math.floor((rows * (round + 0.5)) / 20))));
    }
    const slowest = (of: 'ms' | 'cpu') => Math.max(...all.map((one) => one[of]));
    line(`${what} (slowest of 20)`, slowest('ms'), 'ms', slowest('cpu'));
  }
  await timedLine(
    'sorted by time',
    served,
    `/api/rows?run=large&e=${e}&show=all&sort=ms&order=down`,
  );
}

/** Through all rows and to the last one. */
async function scroll(page: Page): Promise<void> {
  const list = page.locator('.list');
  for (let step = 0; step < 60; step++) {
    await list.evaluate((element, part) => {
      element.scrollTop = (element.scrollHeight * part) / 60;
    }, step);
    await page.waitForTimeout(50);
  }
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.locator(`.row a:has-text("#${rows - 1}")`).waitFor(patient);
  line('rows in the page', await page.locator('.row').count(), '');
}

async function heapOf(page: Page): Promise<number> {
  const bytes = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  );
  return bytes / 2 ** 20;
}

async function largeRun(browser: Browser, name: string): Promise<void> {
  const served = await serve();
  const before = residentOf(served);
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const since = await openRun(page, served, 'large');
  const [ms, cpu] = since();
  line(`click to first failures of ${rows} rows`, ms, 'ms', cpu);
  await page.locator('.chip:has-text("all")').waitFor();
  for (const [text, what] of [
    ['reading the log', 'true counts of all rows'],
    ['reading the data', 'data of all rows'],
  ] as const) {
    await isGone(page, text);
    const [total, own] = since();
    line(what, total, 'ms', own);
  }
  await anyRow(served, name);
  await page.locator('.chip:has-text("all")').click();
  await search(page, served, 'clerk 1012', '');
  await page.locator('#find-row').fill('');
  await page.waitForTimeout(600);
  await scroll(page);
  line('memory of the page', await heapOf(page), 'MB');
  line('memory of the server, before', before, 'MB');
  line('memory of the server, after', residentOf(served), 'MB');
  await page.close();
  served.child.kill();
}

/** Runs that are wide or deep: 500 tasks, rows of 10 MB. */
async function unusualRuns(browser: Browser): Promise<void> {
  const served = await serve();
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const wide = (await openRun(page, served, 'wide'))();
  line('click to first failures of 500 tasks', wide[0], 'ms', wide[1]);
  line('memory of the page, 500 tasks', await heapOf(page), 'MB');
  const deep = (await openRun(page, served, 'deep'))();
  line('click to first failures, rows of 10 MB', deep[0], 'ms', deep[1]);
  const [clicked, cpu] = [performance.now(), cpuOf(served)];
  await page.locator('.row a').first().click();
  await page.locator('.turn pre').first().waitFor(patient);
  line(
    'click to the prompt of a row of 10 MB',
    performance.now() - clicked,
    'ms',
    cpuOf(served) - cpu,
  );
  const [asked, before] = [performance.now(), cpuOf(served)];
  await page.getByRole('button', { name: 'show more' }).first().click();
  await page.getByText('80,000 of').first().waitFor(patient);
  line('a further piece of it', performance.now() - asked, 'ms', cpuOf(served) - before);
  line('memory of the page, a row of 10 MB', await heapOf(page), 'MB');
  line('memory of the server', residentOf(served), 'MB');
  await page.close();
  served.child.kill();
}

if (!existsSync(join(folder, 'runs/large'))) await makeLargeRun({ folder, cli, rows });
if (!existsSync(join(folder, 'runs/wide'))) makeWideRun({ folder, cli, tasks: 500, rows: 20 });
if (!existsSync(join(folder, 'runs/deep'))) makeDeepRun({ folder, cli, characters: 10_000_000 });
const name = 'run=large&model=recorded&dataset=sums';
await startTimes();
await farRow(name);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--enable-precise-memory-info'],
});
await largeRun(browser, name);
await searchAtOnce(browser);
await unusualRuns(browser);
await browser.close();
if (process.env.FOLDER === undefined) rmSync(folder, { recursive: true });
