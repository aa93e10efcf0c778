import { mkdirSync, writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/json-schema.ts';
import { configTypes } from './config-types.ts';
import { outputSchema } from './output-schema.ts';

// Run with `npx tsx scripts/write-schema.ts` after a change of the config's keys, or of what commands print with `--json`.

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
writeFileSync(new URL('typecase.schema.json', folder), text);
writeFileSync(new URL('../src/config/config-input.ts', import.meta.url), configTypes());
writeFileSync(
  new URL('output.schema.json', folder),
  `${JSON.stringify(outputSchema(), null, 2)}\n`,
);
