import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTaskYaml } from './read-task-yaml.ts';

/** What PyYAML 6.0.3 reads of them. */
test('texts in quotes may go on at the first column', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'typecase-yaml-')), 'task.yaml');
  writeFileSync(
    file,
    `task: t
doc_to_choice: '{{[premise+", ezta?
"+hypothesis, ''x'']}}'
metadata:
  note: "one
two \\"three\\"

four"
description: |
  a "quote that
  stays open
samples:
  - q: "x
y"
    a: 1
`,
  );
  const { value } = await readTaskYaml(file);
  expect(
    JSON.parse(
      JSON.stringify(value, (_, item) => (item instanceof Map ? Object.fromEntries(item) : item)),
    ),
  ).toMatchObject({
    doc_to_choice: '{{[premise+", ezta? "+hypothesis, \'x\']}}',
    metadata: { note: 'one two "three"\nfour' },
    description: 'a "quote that\nstays open\n',
    samples: [{ q: 'x y' }],
  });
});
