import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, it, test } from 'vitest';
import { type Found, phrasesInPage, phrasesInSource } from './words.ts';

const pages = ['*.md', 'docs/**/*.md', 'design/*.md', 'models/*/README.md', 'examples/**/*.yaml'];

function describe(file: string, found: readonly Found[]): string[] {
  return found.map(({ line, phrase, use }) => `${file}:${line}: say ${use}, not "${phrase}"`);
}

it('strings of the source use the words of docs/glossary.md', () => {
  const files = filesOf([
    'src/**/*.ts',
    'web/**/*.{ts,tsx}',
    'scripts/*.{ts,mjs}',
    'bin/*.cjs',
  ]).filter((file) => !/\.(?:test|test-d|fixture)\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    return describe(file, phrasesInSource(read(file), kind));
  });
  expect(found).toEqual([]);
});

it('pages use the words of docs/glossary.md', () => {
  const files = filesOf(pages);
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap((file) => describe(file, phrasesInPage(read(file))))).toEqual([]);
});

test('phrases are found in strings and templates, not in names, comments and imports', () => {
  const found = phrasesInSource(`
    import { weigh } from './the data set.ts';
    // The labels that are weighed.
    const code = 'model.not_weighed';
    const message = \`no data set \${name} is
      under way\`;
    const hint = 'the log-likelihood';
  `);
  expect(found.map(({ line, phrase }) => [line, phrase])).toEqual([
    [5, 'data set'],
    [6, 'under way'],
    [7, 'log-likelihood'],
  ]);
});

test('strings of pages are looked at as well, and phrases that only strings avoid', () => {
  const found = phrasesInSource(
    'const page = <p title="at most so many rows">the folder of a run</p>;',
    ts.ScriptKind.TSX,
  );
  expect(found.map(({ phrase }) => phrase)).toEqual(['at most so many', 'folder of a run']);
});

test('phrases are found across lines of a page; code in backticks is left alone', () => {
  const page = 'One\nand 3 from\nbefore, `weighed` and weights.\nThe usual layout, not the usual.';
  expect(phrasesInPage(page).map(({ line, phrase }) => [line, phrase])).toEqual([
    [2, '3 from before'],
    [4, 'the usual'],
  ]);
});

function filesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns]).sort();
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
