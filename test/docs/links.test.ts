import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';

const pages = globSync(['*.md', 'docs/**/*.md', 'design/*.md', 'models/*/README.md']);

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

it.each(pages)('the links of %s lead somewhere', (page) => {
  const links = withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g);
  const broken = [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
    });
  expect(broken).toEqual([]);
});

it.each(pages)('the files of the source that %s names are there', (page) => {
  const paths = withoutCode(readFileSync(page, 'utf8')).matchAll(/\b(?:src|scripts)\/[\w./-]*\w/g);
  expect([...paths].map(([path]) => path).filter((path) => !existsSync(path))).toEqual([]);
});

it('every page of docs is linked from docs/index.md, or from the list of the library', () => {
  const listed = ['docs/index.md', 'docs/reference/library.md'].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) =>
      join(dirname(page), link),
    ),
  );
  const missing = globSync('docs/**/*.md').filter((page) => !listed.includes(page));
  expect(missing).toEqual(['docs/index.md']);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/index.md)');
});

it('the glossary has one line for each word, with a link', () => {
  const lines = readFileSync('docs/glossary.md', 'utf8').split('\n');
  const entries = lines.filter((line) => /^\| (?!word|---)/.test(line));
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.filter((line) => !/^\| [^|]+ \| [^|]+ \| \[[^|]+\) \|$/.test(line))).toEqual([]);
  const words = entries.map((line) => line.split(' | ')[0]);
  expect(new Set(words).size).toBe(words.length);
});
