import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLineAt } from './json-line-at.ts';
import { readJsonLines } from './json-lines.ts';

test('a line by its number is the row that a pass over the file gives', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-line-'));
  const file = { path: join(folder, 'rows.jsonl'), name: 'rows.jsonl' };
  const row = fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (rows, end, hasMark) => {
        const text = rows.map((one) => JSON.stringify(one)).join(end);
        await writeFile(file.path, `${hasMark ? '\ufeff' : ''}${text}${end}`);
        const all = [];
        for await (const batch of readJsonLines(file)) all.push(...batch);
        for (const [id, expected] of all.entries()) {
          expect(await jsonLineAt(file, id)).toEqual(expected);
        }
        expect(await jsonLineAt(file, rows.length)).toBeUndefined();
      },
    ),
    { numRuns: 40 },
  );
  await writeFile(file.path, `{"a":1}\n\n{"a":2}\n{"a":"${'x'.repeat(300_000)}"}`);
  expect(await jsonLineAt(file, 1)).toBeUndefined();
  expect(await jsonLineAt(file, 3)).toEqual({ a: 'x'.repeat(300_000) });
  await rm(folder, { recursive: true });
});
