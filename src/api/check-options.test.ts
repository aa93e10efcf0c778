import { expect, test } from 'vitest';
import {
  compareRuns,
  evaluate,
  explainCache,
  planRun,
  rankRuns,
  rescore,
  showRow,
  sweep,
  writeBundle,
} from '../index.ts';

const config = { models: [], datasets: [] };
const none = 'runs/none';

test.each<[string, (options: never) => Promise<unknown>, object, string]>([
  ['evaluate', (options) => evaluate(config, options), { failunder: 0.9 }, 'failUnder'],
  ['evaluate', (options) => evaluate(config, options), { fail_under: 0.9 }, 'failUnder'],
  ['planRun', (options) => planRun(config, options), { limits: 3 }, 'limit'],
  ['explainCache', (options) => explainCache(config, options), { caches: true }, 'cache'],
  ['sweep', (options) => sweep(config, options), { datasets: ['d'] }, ''],
  ['rescore', (options) => rescore(none, options), { 'max-unscored': 1 }, 'maxUnscored'],
  ['compareRuns', (options) => compareRuns(none, none, options), { levels: 0.9 }, 'level'],
  ['showRow', (options) => showRow(none, options), { row: 1, modle: 'm' }, 'model'],
  ['rankRuns', (options) => rankRuns([none], options), { templates: 'x' }, 'template'],
])('%s refuses options that it has not', async (_, call, options, near) => {
  const hint = near === '' ? /^Options: / : `Did you mean \`${near}\`?`;
  await expect(call(options as never)).rejects.toMatchObject({
    code: 'usage.no_such_option',
    hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
  });
});

test.each<[() => Promise<unknown>, string]>([
  [() => compareRuns(none, none, { level: 95 }), '`level` is 95'],
  [() => showRow(none, { row: '1' as never }), "`row` is '1'"],
  [() => writeBundle(none, { file: 'x' } as never), '`file` is [object Object]'],
  [() => evaluate(config, { failUnder: 80 }), '`failUnder` is 80'],
])('values are refused by name', async (call, message) => {
  await expect(call()).rejects.toMatchObject({
    code: 'usage.bad_option',
    message: expect.stringContaining(message),
  });
});
