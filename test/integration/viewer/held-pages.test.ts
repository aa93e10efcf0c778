import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standAlonePage } from '../../../src/api/stand-alone-page.ts';
import { sampleComparison } from '../../../src/report/compare/sample-comparison.ts';
import {
  snapshotOfComparison,
  snapshotOfLeaderboard,
  snapshotOfStudy,
  snapshotOfSweep,
} from '../../../src/report/snapshot/single-page.ts';
import type { Snapshot } from '../../../src/report/snapshot/snapshot.ts';
import { sampleSweep } from '../../../src/report/sweep/sample-sweep.ts';
import type { Comparison } from '../../../src/study/compare/comparison.ts';
import type { Leaderboard } from '../../../src/study/leaderboard/leaderboard.ts';
import { heldRows, readSnapshot } from '../../read-snapshot.ts';
import { runCli } from '../run-cli.ts';
import { browserPath, launch } from './browser.ts';
import { makeViewerRuns, type ViewerFolder } from './viewer-runs.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const plant = "document.documentElement.setAttribute('planted','')";
const attack = `</script><script>${plant}</script><img src=x onerror="${plant}"><svg onload="${plant}"><a href="javascript:${plant}">x</a><!--`;

describe.skipIf(browserPath === undefined)('pages without a server', { timeout: 180_000 }, () => {
  let runs: ViewerFolder;
  let browser: Browser;
  let site: Server;
  let siteUrl = '';

  const file = (name: string) => join(runs.folder, name);
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: runs.folder });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };

  beforeAll(async () => {
    [runs, browser] = await Promise.all([makeViewerRuns(), launch()]);
    await call('report', 'runs/exact', '-o', 'exact.html');
    await call('report', 'runs', '--site', 'site');
    await call('report', 'runs/pictures', '-o', 'pictures.html');
    await call('compare', 'runs/exact', 'runs/number', '--html', 'compare.html');
    await call('view', 'exact.yaml', '--dataset', 'sums', '--rows', '0:3', '--html', 'view.html');
    site = createServer(async (request, reply) => {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname));
      const name = path === '/' ? 'index.html' : path;
      const types = { json: 'application/json', html: 'text/html', png: 'image/png' };
      const type = types[name.split('.').at(-1) as keyof typeof types];
      try {
        const body = await readFile(join(file('site'), name));
        reply.setHeader('content-type', type ?? 'application/octet-stream').end(body);
      } catch {
        reply.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await runs?.remove();
  });

  /** A page that may not ask anybody, nor fail. */
  async function open(
    address: string,
    {
      width = 1280,
      colorScheme = 'light',
    }: { width?: number; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    page.setDefaultTimeout(20_000);
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('dialog', (dialog) => problems.push(`dialog ${dialog.message()}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address.split('#')[0] ?? '') && !/^data:/.test(url)) problems.push(url);
    });
    await page.goto(address);
    return { page, problems };
  }

  const fileUrl = (name: string, at = '') => `file://${file(name)}${at && `#${at}`}`;
  const chipsOf = async (page: Page) =>
    (await page.locator('.chip').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  const e = (dataset: string) => encodeURIComponent(`["recorded","${dataset}"]`);

  test.each(['a file', 'a site'])(
    'a run as %s: the rows of the viewer, with true counts, search, sorts and keys',
    async (kind) => {
      const url = kind === 'a file' ? fileUrl('exact.html') : `${siteUrl}#/run?run=exact`;
      const { page, problems } = await open(url);
      await page.locator('.row .badge').first().waitFor();
      const chips = await chipsOf(page);
      expect(chips).toContain('all 70');
      const wrong = Number(/\d+/.exec(chips.find((text) => text.startsWith('wrong')) ?? '')?.[0]);
      expect(wrong).toBeGreaterThan(15);
      expect(await page.locator('.row .badge').allInnerTexts()).not.toContain('right');
      await page.locator('.chip:has-text("all")').click();
      await page.keyboard.press('/');
      await page.keyboard.type('12 + 13');
      await page.locator('.list-note:has-text("1 row")').waitFor();
      expect(await page.locator('.row .id').allInnerTexts()).toEqual(['#12']);
      expect(page.url()).toContain('q=12');
      await page.locator('#find-row').fill('');
      await page.locator('.list-note:has-text("70 rows")').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: '#0 sums' }).waitFor();
      await page.getByText(/^1 of \d+ in/).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: '#1 sums' }).waitFor();
      await page.locator('.turn pre .span').first().waitFor();
      expect((await page.locator('.turn pre').innerText()).trim()).toBe('1 + 2?\nAnswer:');
      await page.locator('.span.o-field').first().hover();
      expect(await page.getByRole('tooltip').innerText()).toMatch(/column question .* exact\.yaml/);
      // What looks like a button does something.
      expect(await page.locator('span.button').allInnerTexts()).toEqual([]);
      await page.goBack();
      await page.getByRole('heading', { name: '#0 sums' }).waitFor();
      await page.keyboard.press('?');
      expect(await page.getByRole('dialog').innerText()).not.toContain('grade');
      if (kind === 'a site') {
        await page.goto(siteUrl);
        await page.locator('.runs li').first().waitFor();
        expect(await page.locator('span.button').allInnerTexts()).toEqual([]);
        expect(await page.locator('.runs input[type=checkbox]').count()).toBe(0);
      }
      await page.close();
      expect(problems).toEqual([]);
    },
  );

  test('evaluations of a file stand side by side; a site lists its runs', async () => {
    const { page, problems } = await open(
      fileUrl('exact.html', `/run?run=exact&e=${e('sums')}&e=${e('sums-verbose')}`),
    );
    await page.locator('.row.matrix').first().waitFor();
    expect(await chipsOf(page)).toContain('all 70');
    expect(await page.locator('.row.matrix').first().innerText()).not.toContain('–');
    await page.close();
    expect(problems).toEqual([]);
    const listed = await open(siteUrl);
    await listed.page.getByRole('link', { name: 'exact', exact: true }).waitFor();
    expect(await listed.page.locator('.runs > li').count()).toBe(4);
    await listed.page.getByRole('link', { name: 'sweep', exact: true }).click();
    await listed.page.locator('.heat td a').first().click();
    await listed.page.locator('.row .badge').first().waitFor();
    await listed.page.close();
    expect(listed.problems).toEqual([]);
  });

  test('a comparison holds the pages of the rows that changed, within its budget', async () => {
    const { page, problems } = await open(fileUrl('compare.html'));
    await page.locator('.flip > summary').first().click();
    await page.getByRole('link', { name: 'row in A' }).click();
    await page.locator('.turn pre .span').first().waitFor();
    await page.getByText(/in the list/).waitFor();
    await page.getByRole('link', { name: 'Typecase' }).click();
    await page.locator('.flip > summary').first().click();
    await page.getByRole('link', { name: 'row in B' }).click();
    await page.locator('.turn pre .span').first().waitFor();
    expect((await page.locator('.turn pre').innerText()).startsWith('Q: ')).toBe(true);
    await page.close();
    expect(problems).toEqual([]);
    const at = '/compare?a=exact&b=number&side=b';
    await call('report', 'runs', '--at', at, '-o', 'tight.html', '--max-bytes', '20000');
    const snapshot = await readSnapshot(file('tight.html'));
    expect(snapshot.start).toBe(at);
    const comparison = snapshot.replies['/api/compare?a=exact&b=number'] as Comparison;
    const flips = comparison.tasks.flatMap((task) =>
      task.flips.shown.map((flip) => ({ task, flip })),
    );
    expect(flips.length).toBeGreaterThan(0);
    const held = snapshot.evaluations.map((_, index) => heldRows(snapshot, index));
    expect(
      JSON.stringify([held, comparison.tasks.map((task) => task.flips.shown)]).length,
    ).toBeLessThan(22_000);
    const [{ task, flip } = { task: undefined, flip: undefined }] = flips;
    const place = snapshot.evaluations.findIndex(
      (one) => one.run === 'exact' && one.dataset === task?.a.dataset,
    );
    expect(held[place]?.map(({ details }) => details.id)).toContain(flip?.a.id);
  });

  test('a budget leaves rows out, says how many, and keeps the counts true', async () => {
    const said = await call('report', 'runs/exact', '-o', 'small.html', '--max-bytes', '60000');
    expect(said).toMatch(
      /^Report: small\.html \d+ kB, \d+ of 140 rows, wrong and failed rows first/,
    );
    const snapshot = await readSnapshot(file('small.html'));
    const held = snapshot.evaluations.map((_, index) => heldRows(snapshot, index));
    expect(JSON.stringify(held).length).toBeLessThan(60_000);
    const { page, problems } = await open(fileUrl('small.html'));
    await page.locator('.row .badge').first().waitFor();
    const rows = held[0]?.length;
    expect(await page.locator('.list-note').innerText()).toContain(
      `${rows} of 70 rows are in this`,
    );
    expect(await chipsOf(page)).toContain('all 70');
    await page.close();
    expect(problems).toEqual([]);
  });

  test('long texts: both ends in a file, all of it beside a site', async () => {
    const at = '/row?run=exact&model=recorded&dataset=sums&id=69';
    const { page } = await open(fileUrl('exact.html', at));
    await page.getByText('This file has the beginning and the end of 10,000,001').first().waitFor();
    expect((await stat(file('exact.html'))).size).toBeLessThan(2_000_000);
    await page.close();
    const whole = await open(`${siteUrl}#${at}`);
    const link = whole.page.getByRole('link', { name: /download all/ }).first();
    const text = await (
      await fetch(new URL((await link.getAttribute('href')) ?? '', siteUrl))
    ).text();
    expect(text.length).toBe(10_000_001);
    await whole.page.close();
  });

  test('media are in the page, or beside it; what could run never does', async () => {
    for (const url of [fileUrl('pictures.html'), `${siteUrl}`]) {
      const at = '/row?run=pictures&model=eyes&dataset=pictures&id=';
      const { page, problems } = await open(`${url}#${at}0`);
      const image = page.locator('img.media');
      await image.waitFor();
      await expect
        .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
        .toBe(1);
      await page.goto(`${url}#${at}1`);
      await page.getByRole('heading', { name: '#1 pictures' }).waitFor();
      const isSite = url === siteUrl;
      const medium = isSite
        ? page.getByRole('link', { name: 'download' })
        : page.locator('img.media[src^="data:image/svg+xml"]');
      await medium.waitFor();
      expect(await page.locator('main :is(iframe, svg, script, object)').count()).toBe(0);
      if (isSite) expect(await medium.getAttribute('href')).toMatch(/^data\/media\/\w+\.bin$/);
      await page.close();
      expect(problems).toEqual([]);
    }
  });

  test('prompts before a run: a page of each row', async () => {
    const { page, problems } = await open(fileUrl('view.html'));
    await page.getByRole('link', { name: '#1 sums' }).click();
    await page.locator('.turn pre .span').first().waitFor();
    expect((await page.locator('.turn pre').innerText()).trim()).toBe('1 + 2?\nAnswer:');
    await page.close();
    expect(problems).toEqual([]);
  });

  test('the viewer gives the view that it shows as such a file', async () => {
    const { serve } = await import('./viewer-runs.ts');
    const { child, url } = await serve(runs.folder);
    const at = `/run?run=exact&e=${e('sums-verbose')}&show=all`;
    const reply = await fetch(`${url}/api/export?at=${encodeURIComponent(at)}`);
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="exact.html"');
    const text = await reply.text();
    child.kill('SIGTERM');
    const snapshot = JSON.parse(/id="snapshot">(.*?)<\/script>/s.exec(text)?.[1] ?? '') as Snapshot;
    expect(snapshot.start).toBe(at);
    expect(snapshot.evaluations.map(({ dataset }) => dataset)).toEqual(['sums-verbose']);
  });

  test('nothing that tells of this machine is in a file', async () => {
    for (const name of ['exact.html', 'compare.html', 'view.html', 'site/index.html']) {
      expect(await readFile(file(name), 'utf8')).not.toContain(runs.folder);
    }
  });

  /** A value in which every text of people and models is an attack. */
  function hostile<Value>(value: Value): Value {
    const kept = ['type', 'kind', 'direction', 'by', 'method', 'interval', 'verdict', 'source'];
    return JSON.parse(JSON.stringify(value), (key, one) =>
      typeof one === 'string' && !kept.includes(key) ? attack : one,
    );
  }

  const board: Leaderboard = {
    tasks: ['t'],
    models: [],
    unranked: [],
    neighbours: [],
    pairs: { all: 0, toldApart: 0 },
    served: [],
    otherScores: [attack],
    isSynthetic: true,
  };

  test.each<[string, () => Snapshot]>([
    [
      'a comparison',
      () =>
        snapshotOfComparison(hostile(sampleComparison()), {
          version: attack,
          names: { a: attack, b: attack },
        }),
    ],
    ['a sweep', () => snapshotOfSweep(hostile(sampleSweep))],
    ['a leaderboard', () => snapshotOfLeaderboard({ ...board, tasks: [attack] }, attack)],
    [
      'a study',
      () => {
        const figures = [
          { caption: attack, svg: `<svg xmlns="http://www.w3.org/2000/svg">${attack}` },
        ];
        const blocks = [
          { type: 'text' as const, text: attack },
          { type: 'table' as const, head: [attack], rows: [[attack]] },
          { type: 'figures' as const, figures },
        ];
        return snapshotOfStudy({ title: attack, sections: [{ title: attack, blocks }] }, attack);
      },
    ],
  ])('what models and data say is text: %s', async (_, snapshot) => {
    const whole = await standAlonePage(snapshot(), attack);
    for (const html of [whole, whole.replace(/<meta http-equiv[^>]*>/, '')]) {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      await page.setContent(html);
      await page.locator('.page').waitFor();
      await page.waitForTimeout(200);
      for (const details of await page.locator('details').all()) {
        await details.evaluate((one) => one.setAttribute('open', ''));
      }
      expect(await page.locator('#app').innerText()).toContain('onerror');
      expect(
        await page.locator('html[planted], #app script, #app [onerror], #app [onload]').count(),
      ).toBe(0);
      expect(await page.locator('#app a[href^="javascript"]').count()).toBe(0);
      await page.close();
      expect(problems).toEqual([]);
    }
  });

  test('what has no number says so', async () => {
    const { sheets, ...rest } = sampleSweep;
    const variance = [{ source: 'template', variance: 0, share: 0, isClipped: true }];
    const bare = sheets.map((sheet) => ({
      ...sheet,
      variance,
      templates: sheet.templates.map(({ template }) => ({ template })),
    }));
    const page = await browser.newPage();
    await page.setContent(await standAlonePage(snapshotOfSweep({ ...rest, sheets: bare }), ''));
    const text = await page.locator('.page').innerText();
    expect(text).toContain('too small to estimate');
    expect(text).toContain('–');
    expect(text).not.toMatch(/NaN|undefined/);
    await page.close();
  });

  const pages = () => [
    fileUrl('exact.html'),
    fileUrl('exact.html', '/row?run=exact&model=recorded&dataset=sums&id=67'),
    fileUrl('runs/exact/report.html'),
    fileUrl('runs/sweep/sweep.html'),
    fileUrl('compare.html'),
    fileUrl('view.html'),
    siteUrl,
  ];

  test.each(['light', 'dark'] as const)(
    'nothing serious for screen readers, %s',
    async (scheme) => {
      for (const address of pages()) {
        const { page, problems } = await open(address, { colorScheme: scheme });
        await page.waitForLoadState('networkidle');
        await page.waitForTimeout(300);
        const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(dark).toBe(scheme === 'dark' ? 'rgb(23, 24, 26)' : 'rgb(250, 249, 246)');
        await page.evaluate(await readFile(axe, 'utf8'));
        const found = await page.evaluate(async () => {
          interface Violation {
            id: string;
            impact: string;
            nodes: { html: string; failureSummary: string }[];
          }
          const { violations } = await (
            globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
          ).axe.run();
          return violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
        });
        expect({ address, found }).toEqual({ address, found: [] });
        expect(problems).toEqual([]);
        await page.close();
      }
    },
  );

  test.each([390, 2560])('pages fit into %i pixels', async (width) => {
    for (const address of pages()) {
      const { page } = await open(address, { width });
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(200);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ address, wide }).toEqual({ address, wide: width });
      await page.close();
    }
  });
});
