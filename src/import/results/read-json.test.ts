import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLines, readLinesExact } from './read-json.ts';

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'typecase-lines-')), 'samples.jsonl');
  writeFileSync(file, text);
  return file;
}

test.each([
  ['readLines', readLines],
  ['readLinesExact', (file: string) => readLinesExact(file, 'doc')],
] as const)('%s names the line of a file that is damaged, blank ones counted', async (_, read) => {
  const file = await fileWith('{"doc": {"a": 1}}\n\n{"doc": {"a": NaN}}\n{"doc": {"a"\n');
  expect(() => read(file)).toThrow(/samples\.jsonl:4 cannot be read: /);
});

test('a line that is nested too deeply is named as well', async () => {
  const file = await fileWith(`{}\n${'['.repeat(5000)}${']'.repeat(5000)}\n`);
  expect(() => readLines(file)).toThrow(/samples\.jsonl:2 cannot be read: /);
});
