import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { compareHtml } from '../src/report/compare/compare-html.ts';
import { sampleComparison } from '../src/report/compare/sample-comparison.ts';
import { reportHtml } from '../src/report/report-html.ts';
import { sampleResult, sampleSummary } from '../src/report/sample-summary.ts';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
);
const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --virtual-time-budget=3000 --dump-dom';

const plant = "document.documentElement.setAttribute('planted','')";
const attack = `</script><script>${plant}</script><img src=x onerror="${plant}"><svg onload="${plant}"><a href="javascript:${plant}" id="planted">x</a><!--`;

/** Shows a page with all that can be opened open, and gives what it came to. */
async function domOf(html: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-browser-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'page.html');
  await writeFile(file, html.replaceAll('<details', '<details open'));
  const args = [
    ...flags.split(' '),
    `--user-data-dir=${join(folder, 'profile')}`,
    `file://${file}`,
  ];
  const { stdout } = await promisify(execFile)(chromium ?? '', args, { maxBuffer: 1e8 });
  return stdout;
}

function hostileReport(): string {
  const texts = { prompt: attack, answer: attack, extracted: attack, gold: attack, reason: attack };
  const result = sampleResult({ model: attack, dataset: attack, metric: attack });
  const summary = { ...sampleSummary({ results: [result] }), name: attack };
  const row = { id: 0, outcome: 'scored', score: 0, ...texts } as const;
  return reportHtml(summary, [{ model: attack, dataset: attack, rows: [row] }]);
}

function hostileComparison(): string {
  const json = JSON.stringify(sampleComparison());
  const hostile = JSON.parse(json, (key, value) =>
    typeof value === 'string' && !['type', 'kind', 'direction', 'by', 'method'].includes(key)
      ? attack
      : value,
  );
  return compareHtml(hostile, { version: attack, diffWords: () => [] });
}

test.skipIf(!chromium)(
  'a page that does not guard itself would run it',
  async () => {
    const dom = await domOf(`<!doctype html><html><body><script>0${attack}</body></html>`);
    expect(dom).toMatch(/<html[^>]*planted/);
    expect(dom).toContain('<img src="x"');
  },
  120_000,
);

const withoutPolicy = (html: string) => html.replace(/<meta http-equiv[^>]*>/i, '');

test.skipIf(!chromium).each<[string, string]>([
  ['a report', hostileReport()],
  ['a report without its policy', withoutPolicy(hostileReport())],
  ['a comparison', hostileComparison()],
  ['a comparison without its policy', withoutPolicy(hostileComparison())],
])(
  'nothing that models or data say runs in a browser: %s',
  async (name, html) => {
    expect(html.includes('http-equiv')).toBe(!name.includes('without'));
    const dom = await domOf(html);
    expect(dom).toContain('onerror');
    expect(/<html[^>]*planted/.test(dom)).toBe(false);
    // As texts of attributes they would have other quotes.
    expect(dom).not.toMatch(/<img src="x"|<svg onload="|<a href="javascript/);
    expect(dom.match(/<script/g)?.length).toBe(html.match(/<script/g)?.length);
  },
  120_000,
);
