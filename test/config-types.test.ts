import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configTypes } from '../scripts/config-types.ts';

test('the types of configs are those of the schema', () => {
  const written = readFileSync(new URL('../src/config/config-input.ts', import.meta.url), 'utf8');
  expect(written, 'run `npx tsx scripts/write-schema.ts`').toBe(configTypes());
});
