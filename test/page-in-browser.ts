import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';

export const chromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file));
const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --virtual-time-budget=3000 --dump-dom';

const plant = "document.documentElement.setAttribute('planted','')";

/** A text that marks the page where any of it runs. */
export const attack = `</script><script>${plant}</script><img src=x onerror="${plant}"><svg onload="${plant}"><a href="javascript:${plant}" id="planted">x</a><!--`;

/** Shows a page with all that can be opened open, and gives what it came to. */
export async function domOf(html: string): Promise<string> {
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

/** Takes out what forbids scripts, so that the page has to be harmless by itself. */
export function withoutPolicy(html: string): string {
  return html.replace(/<meta http-equiv[^>]*>/i, '');
}

/** That a page with the attack in it shows it as a text, and nothing of it runs. */
export async function expectHarmless(html: string): Promise<void> {
  const dom = await domOf(html);
  expect(dom).toContain('onerror');
  expect(/<html[^>]*planted/.test(dom)).toBe(false);
  // As texts of attributes they would have other quotes.
  expect(dom).not.toMatch(/<img src="x"|<svg onload="|<a href="javascript/);
  expect(dom.match(/<script/g)?.length).toBe(html.match(/<script/g)?.length);
}
