import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; nothing if it has none. */
export const browserPath = places.find((path) => path !== '' && existsSync(path));

if (browserPath === undefined) {
  console.warn(
    'Browser tests are skipped: there is no Chromium on this machine. Install it (Debian: apt-get install chromium), or name it in CHROMIUM_PATH.',
  );
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: flags });
}
