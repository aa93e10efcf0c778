import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { afterAll, expect, it } from 'vitest';
import { runPage, startCommandHost } from '../docs/run-page.ts';
import { runPages } from '../docs/run-pages.ts';

const host = startCommandHost();
afterAll(() => host.close());

it.each(globSync(runPages).sort())(
  '%s runs from its first line to its last, and shows what is printed (npx tsx scripts/write-outputs.ts)',
  async (file) => {
    const text = readFileSync(file, 'utf8');
    const { page, problems } = await runPage(text, host);
    expect(problems).toEqual([]);
    expect(page).toBe(text);
  },
);
