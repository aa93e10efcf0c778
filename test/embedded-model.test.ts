import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = 'models/typecase-tiny';

describe('the embedded model', () => {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');

  it.each(sums.map((line) => line.split(/\s+/)))('%s is the checksum of %s', (sum, file = '') => {
    const bytes = readFileSync(join(folder, file));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
  });

  it('takes up 12 MB at most', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sizes = files.map((file) => statSync(join(folder, file)));
    const bytes = sizes.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
    expect(bytes).toBeLessThan(12_000_000);
  });
});

describe('the built-in tasks', () => {
  const tasks = readdirSync('tasks').filter((name) => name !== 'japanese-financial');

  it.each(tasks)('%s tests on rows that are not among its examples', (task) => {
    const rowsOf = (split: string) =>
      readFileSync(join('tasks', task, `${split}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n');
    const [train, test] = [rowsOf('train'), rowsOf('test')];
    expect([train.length, new Set(test).size]).toEqual([100, test.length]);
    expect(test.filter((row) => train.includes(row))).toEqual([]);
  });
});
