import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configTypes } from '../scripts/config-types.ts';
import { outputSchema } from '../scripts/output-schema.ts';

test('the schema of what commands print is that of its types', () => {
  const written = readFileSync(new URL('../schema/output.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(written), 'run `npx tsx scripts/write-schema.ts`').toEqual(outputSchema());
});

test('the types of configs are those of the schema', () => {
  const written = readFileSync(new URL('../src/config/config-input.ts', import.meta.url), 'utf8');
  expect(written, 'run `npx tsx scripts/write-schema.ts`').toBe(configTypes());
});
