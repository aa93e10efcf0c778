import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadText, show, writeConfig } from '../../test/fixtures/config/write-config.ts';
import type { ConfigPath } from '../errors.ts';
import { parseModule } from './module-source.ts';
import { readConfigFile } from './read-config-file.ts';

test.each<[string, string]>([
  ['c.ts', 'const seed: number = 1;\nexport default { seed };'],
  ['c.mts', 'export const config = { seed: 1 } as const;'],
  ['c.mjs', 'export default () => ({ seed: 1 });'],
  ['c.js', 'export default Promise.resolve({ seed: 1 });'],
  ['c.ts', 'export const config = { seed: 2 };\nexport default async () => ({ seed: await 1 });'],
  ['c.ts', 'const config = { seed: 1 };\nexport { config };'],
])('takes the export of %s: %s', async (name, text) => {
  expect((await loadText(name, text)).value).toEqual({ seed: 1 });
});

test('imports other files, and sees them change', async () => {
  const file = await writeConfig('c.ts', "export { seed } from './seed.ts';");
  const seed = join(dirname(file), 'seed.ts');
  await writeFile(file, "import { seed } from './seed.ts';\nexport default { seed };");
  await writeFile(seed, 'export const seed: number = 1;');
  expect((await readConfigFile(file)).value).toEqual({ seed: 1 });
  await writeFile(seed, 'export const seed: number = 2;');
  expect((await readConfigFile(file)).value).toEqual({ seed: 2 });
});

const text = `import { join } from 'node:path';
const defineConfig = <T>(value: T, ..._: unknown[]): T => value;

const reader = { input_columns: ['q'], output_column: 'a' } as const;
const shared = { reader_cfg: reader, name: 'n' };
const more = [{ abbr: 'x' }, { abbr: 'y' }];
const prompt = \`Solve.
{q}\`;
const datasets = [
  { ...shared, abbr: 'a', name: 'own' },
  ...more,
  { abbr: 'b', prompt, 'quoted-key': 1 },
  { ...(join('a') ? { abbr: 'z' } : {}) },
];

export default defineConfig({
  datasets,
  models: [Object.freeze({ abbr: 'm' }), ...['s'].map((abbr) => ({ abbr })), { abbr: 'last' }],
  labels: new Map<unknown, string>([[1, 'one'], [true, 'yes']]),
  column: shared.reader_cfg.output_column,
  text: 'it\\'s\\n{q}' satisfies string,
  joined: \`a\${reader.output_column}{q}\`,
  sum: 'a' + 'b',
});
`;

test.each<[ConfigPath, string, string]>([
  [[], '16:29', '16:29'],
  [['datasets'], '9:18', '17:3'],
  [['datasets', 0, 'abbr'], '10:22', '10:16'],
  [['datasets', 0, 'name'], '10:33', '10:27'],
  [['datasets', 0, 'reader_cfg'], '4:16', '5:18'],
  [['datasets', 0, 'reader_cfg', 'input_columns', 0], '4:34', '4:34'],
  [['datasets', 2, 'abbr'], '6:38', '6:32'],
  [['datasets', 3, 'abbr'], '12:11', '12:5'],
  [['datasets', 3, 'prompt'], '7:16', '12:16'],
  [['datasets', 3, 'quoted-key'], '12:38', '12:24'],
  [['datasets', 4, 'abbr'], '13:3', '13:3'],
  [['models', 0, 'abbr'], '18:34', '18:28'],
  [['models', 2, 'abbr'], '18:11', '18:11'],
  [['labels', 1], '19:41', '19:38'],
  [['labels', 'true'], '19:56', '19:50'],
  [['column'], '4:55', '20:3'],
  [['text'], '21:9', '21:3'],
  [['sum', 'x'], '23:8', '23:8'],
  [['nothing'], '16:29', '16:29'],
])('%j is at %s, its key at %s', async (path, value, key) => {
  const loaded = await loadText('c.ts', text);
  expect([show(loaded.locate(path)), show(loaded.locateKey(path))]).toEqual([value, key]);
});

test.each<[ConfigPath, number, string]>([
  [['text'], 5, '21:17'],
  [['datasets', 3, 'prompt'], 3, '7:20'],
  [['datasets', 3, 'prompt'], 7, '8:1'],
  [['joined'], 1, '22:13'],
  [['joined'], 2, '22:11'],
  [['sum'], 1, '23:8'],
])('character of %j number %i is at %s', async (path, index, place) => {
  const loaded = await loadText('c.ts', text);
  expect(show(loaded.locateInString(path, index))).toBe(place);
});

test.each<[string, string]>([
  ['export default () => ({ seed: 1 });', '1:31'],
  ['export default function () {\n  const seed = 1;\n  return { seed };\n}', '2:16'],
  ['const make = async () => {\n  return { seed: 1 };\n};\nexport default make();', '4:16'],
  [
    'const make = (seed: number) => ({ seed });\nconst seed = 1;\nexport default make(seed);',
    '3:16',
  ],
  ['const base = { seed: 1 };\nexport { base as default };', '1:22'],
  ['export const config = await { seed: 1 };', '1:37'],
  ['const wrap = (f: () => object) => f();\nexport default wrap(() => ({ seed: 1 }));', '2:36'],
  ['const late = (f: () => object) => ({ f });\nexport const config = late(() => config);', '2:23'],
  ['export const config = JSON.parse(`{ "seed": 1 }`);', '1:23'],
])('follows %s', async (module, place) => {
  expect(show((await loadText('c.ts', module)).locate(['seed']))).toBe(place);
});

test.each<[string, string, string, string]>([
  ['export default {\n  models: [ }\n};', 'config.syntax', '2:13', 'Unexpected token'],
  ["export default {\n  abbr: 'x\n};", 'config.syntax', '2:9', 'Unterminated string'],
  [
    'const x = JSON.parse("null");\nexport default { seed: x.y };',
    'config.evaluation',
    '2:1',
    "reading 'y'",
  ],
  ["import './missing.ts';\nexport default {};", 'config.evaluation', '1:1', 'missing.ts'],
  [
    'export default () => {\n  throw new Error("no key");\n};',
    'config.evaluation',
    '2:1',
    'no key',
  ],
  ['export const setup = {};', 'config.no_export', '1:1', 'exports no config'],
  ['export default [1];', 'config.not_an_object', '1:16', 'does not contain a mapping'],
])('refuses %j', async (module, code, place, message) => {
  const error = await loadText('c.ts', module).catch((thrown) => thrown);
  expect({ code: error.code, place: show(error.at) }).toEqual({ code, place });
  expect(error.message).toContain(message);
});

test('a config that keeps busy without an end is given up', async () => {
  const text = 'setInterval(() => {}, 1000).unref();\nexport default new Promise(() => {});';
  const file = await writeConfig('never.ts', text);
  await expect(parseModule({ file, text }, 200)).rejects.toMatchObject({
    code: 'config.evaluation',
    message: 'never.ts failed to run: it awaits something that takes longer than 0.2 s',
    at: { file, line: 1 },
  });
});
