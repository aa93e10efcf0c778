import { join } from 'node:path';
import { describeGroup, describeTotal } from './report.ts';
import { findGroups, type GroupResult } from './run.ts';

const defaultFolder = join(import.meta.dirname, '..', '..', '..', 'shared', 'conformance');

const folders = process.argv.slice(2);
const results: GroupResult[] = [];
for (const folder of folders.length > 0 ? folders : [defaultFolder]) {
  for (const group of findGroups(folder)) {
    const result = await group.run();
    results.push(result);
    console.log(describeGroup(result));
  }
}
console.log(describeTotal(results));
if (results.some((result) => result.failures.length > 0)) process.exitCode = 1;
