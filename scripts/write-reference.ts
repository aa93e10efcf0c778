import { writeFileSync } from 'node:fs';
import { referencePages } from './reference/reference-pages.ts';

// Run with `npm run reference` after a change of config keys, options of commands, or exports.

for (const [file, text] of await referencePages()) writeFileSync(file, text);
