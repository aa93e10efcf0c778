import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startViewer } from '../src/server/viewer/start-viewer.ts';

/** Writes the pictures of the viewer for the docs, from the runs that `npm start` makes. */
const root = fileURLToPath(new URL('..', import.meta.url));
const evaluation = (dataset: string) => JSON.stringify(['typecase-tiny', dataset]);
const row = { run: 'tour', model: 'typecase-tiny', dataset: 'larger number, 4 shots', show: 'all' };

const pictures = {
  'viewer-run': { path: '/run', query: { run: 'tour', e: [evaluation('larger number, 2 shots')] } },
  'viewer-row': {
    path: '/row',
    query: { ...row, id: '12', e: [evaluation('larger number, 4 shots')] },
  },
};

const viewer = await startViewer({
  folders: [process.argv[2] ?? join(root, 'runs')],
  host: '127.0.0.1',
  port: 0,
});
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [name, { path, query }] of Object.entries(pictures)) {
  const address = new URL(path, viewer.url);
  for (const [key, value] of Object.entries(query)) {
    for (const one of [value].flat()) address.searchParams.append(key, one);
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
  await page.goto(address.href);
  await page
    .locator(path === '/row' ? '.turn pre .span' : '.row .badge')
    .first()
    .waitFor();
  await page.getByText('reading the data').waitFor({ state: 'hidden' });
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) });
  await page.close();
}
await browser.close();
await viewer.close();
