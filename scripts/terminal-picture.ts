import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A code that switches a style on or off. */
const code = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);
const shown = ['view', 'examples/dialogue.yaml', '--model', 'chatml', '--origins'];

/** Colors of codes that terminals know; the others are switched on and off by a class. */
const styles: Readonly<Record<number, string>> = {
  1: 'font-weight: 700',
  2: 'opacity: .6',
  7: 'background: #d7dce5; color: #16181d; border-radius: 2px',
  31: 'color: #ff8f8f',
  32: 'color: #8fd694',
  33: 'color: #e8c66a',
  34: 'color: #8fb8ff',
  35: 'color: #d7a6ff',
  36: 'color: #76d3e0',
  90: 'color: #8b93a3',
};
/** What each code ends. */
const ends: Readonly<Record<number, readonly number[]>> = {
  22: [1, 2],
  27: [7],
  39: [31, 32, 33, 34, 35, 36, 90],
};

/** Writes a picture of `view --origins` as a terminal shows it. */
export async function takeTerminal(browser: Browser, file: string): Promise<void> {
  const { stdout } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...shown], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '96' },
  });
  const [prompt = ''] = stdout.slice(stdout.indexOf('\u001b[1mSent')).split(/\n.*Request/);
  const origins = stdout.slice(stdout.indexOf('\u001b[1mOrigins'));
  const page = await browser.newPage({
    viewport: { width: 1000, height: 600 },
    deviceScaleFactor: 2,
  });
  await page.setContent(`<pre style="margin:0;padding:24px 28px;width:max-content;background:#16181d;color:#d7dce5;
    font:14px/1.5 'DejaVu Sans Mono',monospace"><span style="opacity:.6">$</span> npx typecase ${shown.join(' ')}

${toHtml(`${prompt.trimEnd()}\n\n${origins.trimEnd()}`)}</pre>`);
  await page.locator('pre').screenshot({ path: file });
  await page.close();
}

/** Text and codes take turns where a text is split at its codes. */
function toHtml(text: string): string {
  const on = new Set<number>();
  return text
    .split(code)
    .map((part, index) => {
      if (index % 2 === 0) return styled(part, on);
      for (const ended of ends[Number(part)] ?? []) on.delete(ended);
      if (styles[Number(part)]) on.add(Number(part));
      return '';
    })
    .join('');
}

function styled(text: string, on: ReadonlySet<number>): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (on.size === 0 || text === '') return escaped;
  return `<span style="${[...on].map((code) => styles[code]).join(';')}">${escaped}</span>`;
}
