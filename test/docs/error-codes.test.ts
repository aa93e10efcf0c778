import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Codes as they stand in the source: first argument of an error, or `code:` of a diagnostic. */
function codesInSource(): Set<string> {
  const codes = new Set<string>();
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('.test.')) continue;
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, code = ''] of text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)) {
      if (prefixes.has(code.split('.')[0] ?? '') && !files.has(code)) codes.add(code);
    }
    for (const [, code = ''] of text.matchAll(/Error\(\s*'([a-z_]+\.[a-z_]+)'/g)) codes.add(code);
  }
  return codes;
}

const page = readFileSync(join(root, 'docs', 'reference', 'errors.md'), 'utf8');
const documented = new Set(
  [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, code]) => code ?? ''),
);
const prefixes = new Set([...documented].map((code) => code.split('.')[0] ?? ''));
/** Names of files and columns that look like codes. */
const files = new Set([
  'run.json',
  'report.html',
  'chat_template.jinja',
  'config.notice',
  'data.index',
  'config.json',
  'task.yaml',
  'model.onnx',
  'config.yaml',
  'sweep.html',
  'sweep.md',
  'sweep.csv',
  'sweep.json',
]);

it('docs/reference/errors.md lists every code of the source, and no other', () => {
  const inSource = [...codesInSource()].sort();
  expect([...documented].sort()).toEqual(inSource);
});
