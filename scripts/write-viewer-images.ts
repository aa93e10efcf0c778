import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { writeReport } from '../src/server/viewer/export/write-report.ts';
import { startViewer } from '../src/server/viewer/start-viewer.ts';
import { takeTerminal } from './terminal-picture.ts';

/** Writes the pictures of the viewer for the docs, from the runs that `npm start` makes and two more. */
const root = fileURLToPath(new URL('..', import.meta.url));
const evaluation = (dataset: string) => JSON.stringify(['typecase-tiny', dataset]);
const row = { run: 'tour', model: 'typecase-tiny', dataset: 'larger number, 4 shots', show: 'all' };
const shots = ['0 shots', '1 shot', '2 shots', '4 shots'].map((name) => `larger number, ${name}`);

interface Picture {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** What is there when the page has its data. */
  readonly shown: string;
  readonly height?: number;
}

const pictures: Readonly<Record<string, Picture>> = {
  'viewer-runs': { path: '/', shown: '.run-name a', height: 490 },
  'viewer-run': {
    path: '/run',
    query: { run: 'tour', e: [evaluation('larger number, 2 shots')] },
    shown: '.row .badge',
  },
  'viewer-row': {
    path: '/row',
    query: { ...row, id: '12', e: [evaluation('larger number, 4 shots')] },
    shown: '.turn pre .span',
  },
  'viewer-matrix': {
    path: '/run',
    query: { run: 'tour', e: shots.map(evaluation) },
    shown: '.row.matrix',
  },
  'viewer-sweep': { path: '/sweep', query: { run: 'tour-sweep' }, shown: '.heat td' },
  'viewer-comparison': { path: '/compare', query: { a: 'arrow', b: 'given' }, shown: '.flip' },
  'viewer-workbench': {
    path: '/workbench',
    query: { config: 'examples/tour.yaml', dataset: 'larger number, 2 shots', id: '12' },
    shown: '.live-prompt[data-agrees=true]',
  },
};
// In a folder of its own, further pictures to look at: narrow, wide, light and dark.
const [, , runs = join(root, 'runs'), looks] = process.argv;

/** One task in two templates, to compare; what is there already is not asked again. */
for (const template of ['arrow', 'given']) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...[join(root, 'dist/cli.js'), 'run', `task:latent-operation/${template}`, '--shots', '2'],
      ...['--limit', '200', '--model', 'typecase-tiny', '--out', join(runs, template)],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

const viewer = await startViewer({
  folders: [runs],
  configs: [join(root, 'examples/tour.yaml')],
  host: '127.0.0.1',
  port: 0,
});
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [name, { path, query = {}, shown, height = 700 }] of Object.entries(pictures)) {
  const address = new URL(path, viewer.url);
  for (const [key, value] of Object.entries(query)) {
    for (const one of [value].flat()) address.searchParams.append(key, one);
  }
  const take = async (file: string, width: number, colorScheme: 'light' | 'dark') => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(address.href);
    await page.locator(shown).first().waitFor();
    await page.getByText('reading the data').waitFor({ state: 'hidden' });
    await page.waitForTimeout(1000);
    await page.screenshot({ path: file, fullPage: looks !== undefined });
    await page.close();
  };
  if (looks === undefined) await take(join(root, 'docs/images', `${name}.png`), 1280, 'light');
  else {
    for (const width of [390, 1280]) {
      for (const scheme of ['light', 'dark'] as const) {
        await take(join(looks, `${name}-${width}-${scheme}.png`), width, scheme);
      }
    }
  }
}
if (looks === undefined) await takeTerminal(browser, join(root, 'docs/images/view-origins.png'));
const folder = await mkdtemp(join(tmpdir(), 'typecase-images-'));
const { file } = await writeReport([join(runs, 'tour')], { file: join(folder, 'tour.html') });
const page = await browser.newPage({ viewport: { width: 1280, height: 700 } });
await page.goto(`file://${file}`);
await page.locator('.row .badge').first().waitFor();
await page.screenshot({ path: join(root, 'docs/images/report-page.png') });
await rm(folder, { recursive: true });
await browser.close();
await viewer.close();
