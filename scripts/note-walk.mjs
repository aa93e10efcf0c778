import { writeFileSync } from 'node:fs';
import { register } from 'node:module';

// Loaded before the command line by `count-modules.ts`: notes modules, and functions from the start
// of the command to the body of the first request. What modules call while they load does not count.

const modules = [];
const functions = new Set();
let isLoading = false;
let state = 'before';

globalThis.moduleStart = () => {
  isLoading = true;
};
globalThis.moduleEnd = (file) => {
  isLoading = false;
  modules.push(file);
};
globalThis.functionStart = (name) => {
  if (name.startsWith('cli/run/run-command.ts:runRun:')) state = 'inside';
  if (state === 'inside' && !isLoading) functions.add(name);
  if (name.startsWith('model/request-body.ts:generationBody:')) state = 'after';
};

register('./instrument.mjs', import.meta.url);
process.on('exit', () => {
  const walk = { modules, functions: [...functions] };
  writeFileSync(process.env.TYPECASE_WALK, JSON.stringify(walk));
});
