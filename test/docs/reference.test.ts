import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it, test } from 'vitest';
import { referencePages } from '../../scripts/reference/reference-pages.ts';

const pages = await referencePages();
const read = (file: string) => readFileSync(file, 'utf8');

it.each([...pages].map(([file, text]) => [relative('.', file), text] as const))(
  '%s is up to date (npm run reference)',
  (file, text) => {
    expect(read(file)).toBe(text);
  },
);

test('every entry of package.json has a page', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
  const entries = Object.keys(exports).filter((name) => !/schema|package\.json/.test(name));
  const named = entries.map((name) => name.replace('.', 'typecase').replace('typecase/', ''));
  const files = [...pages.keys()].map((file) => relative('docs/reference', file));
  expect(files).toEqual(expect.arrayContaining(named.map((name) => `library/${name}.md`)));
});
