import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { makeLargeRun } from './large-run.ts';
import { median } from './measure.ts';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const rows = Number(process.env.ROWS ?? 1_000_000);
const folder = process.env.FOLDER ?? mkdtempSync(join(tmpdir(), 'typecase-viewer-bench-'));

function line(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(46)}${value.toFixed(0).padStart(8)} ${unit}`);
}

/** Starts the server, and gives its address and how long that took. */
async function serve(): Promise<{ child: ChildProcess; url: string; ms: number }> {
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

function residentOf(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function timed(address: string): Promise<number> {
  const start = performance.now();
  const reply = await fetch(address);
  await reply.text();
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return performance.now() - start;
}

if (!existsSync(join(folder, 'runs/large'))) await makeLargeRun({ folder, cli, rows });
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

const name = 'run=large&model=recorded&dataset=sums';
const cold = await serve();
await timed(`${cold.url}/api/runs`);
const far = await timed(`${cold.url}/api/row?${name}&id=${rows - 1}`);
line('the last row at once, its record', far, 'ms');
line(
  'the last row at once, its prompt',
  await timed(`${cold.url}/api/prompt?${name}&id=${rows - 1}`),
  'ms',
);
cold.child.kill();

const { child, url } = await serve();
const before = residentOf(child.pid);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--enable-precise-memory-info'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
await page.goto(url);
await page.getByRole('link', { name: 'large' }).waitFor();
const clicked = performance.now();
await page.getByRole('link', { name: 'large' }).click();
await page.locator('.row .badge').first().waitFor();
line(`click to first failures of ${rows} rows`, performance.now() - clicked, 'ms');
await page.locator('.chip:has-text("all")').waitFor();
await page.waitForFunction(
  () => !document.body.textContent?.includes('reading the log'),
  undefined,
  {
    timeout: 120_000,
  },
);
line('true counts of all rows', performance.now() - clicked, 'ms');
await page.waitForFunction(
  () => !document.body.textContent?.includes('reading the data'),
  undefined,
  {
    timeout: 120_000,
  },
);
line('data of all rows', performance.now() - clicked, 'ms');

const e = encodeURIComponent('["recorded","sums"]');
const records: number[] = [];
const prompts: number[] = [];
const pages: number[] = [];
for (let round = 0; round < 20; round++) {
  const id = Math.floor((rows * (round + 0.5)) / 20);
  records.push(await timed(`${url}/api/row?${name}&id=${id}`));
  prompts.push(await timed(`${url}/api/prompt?${name}&id=${id}`));
  pages.push(await timed(`${url}/api/rows?run=large&e=${e}&show=all&from=${id}`));
}
line('any row, its record (slowest of 20)', Math.max(...records), 'ms');
line('any row, its prompt (slowest of 20)', Math.max(...prompts), 'ms');
line('any page of the list (slowest of 20)', Math.max(...pages), 'ms');
line(
  'sorted by time',
  await timed(`${url}/api/rows?run=large&e=${e}&show=all&sort=ms&order=down`),
  'ms',
);

await page.locator('.chip:has-text("all")').click();
const searched = performance.now();
await page.locator('#find-row').fill('clerk 1012');
await page.locator('.row .text:has-text("clerk 1012")').first().waitFor();
line('search, first hits on the page', performance.now() - searched, 'ms');
await page.waitForFunction(() => !document.body.textContent?.includes('searching'), undefined, {
  timeout: 120_000,
});
line('search, all hits', performance.now() - searched, 'ms');
await page.locator('#find-row').fill('');
await page.waitForTimeout(600);

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
await page.locator(`.row a:has-text("#${rows - 1}")`).waitFor();
line('rows in the page', await page.locator('.row').count(), '');
const heap = await page.evaluate(
  () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
);
line('memory of the page', heap / 2 ** 20, 'MB');
line('memory of the server, before', before, 'MB');
line('memory of the server, after', residentOf(child.pid), 'MB');
await browser.close();
child.kill();
if (process.env.FOLDER === undefined) rmSync(folder, { recursive: true });
