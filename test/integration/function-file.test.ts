import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { cli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

const config = (file: string, model: object = {}) =>
  JSON.stringify({
    models: [{ abbr: 'app', type: 'function', file, ...model }],
    datasets: [
      {
        abbr: 'sums',
        rows: [
          { sum: '1+1', answer: '2' },
          { sum: '2+2', answer: '4' },
        ],
        reader_cfg: { input_columns: ['sum'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{sum}=' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  });

const add = 'export const add = (sum) => String(sum.split("+").map(Number)[0] * 2);\n';
const asking = (from: string) =>
  `import { add } from '${from}';\nexport default ({ row }) => add(row.sum);\n`;

test.each([
  ['an ES module', { 'app.mjs': asking('./add.mjs'), 'add.mjs': add }],
  ['a CommonJS module', { 'app.cjs': 'module.exports = ({ row }) => String(row.sum[0] * 2);\n' }],
  ['ES syntax in a .js file', { 'app.js': asking('./add.js'), 'add.js': add }],
  ['JavaScript that imports TypeScript', { 'app.mjs': asking('./add.ts'), 'add.ts': add }],
  ['an import without an ending', { 'app.js': asking('./add'), 'add.js': add }],
  ['TypeScript', { 'app.ts': asking('./add.js'), 'add.ts': add.replace('(sum)', '(sum: string)') }],
])('a function is loaded from %s', async (_, files: Record<string, string>) => {
  const [file = ''] = Object.keys(files);
  const cwd = await writeFolder({ ...files, 'config.json': config(file) });
  const { code, stdout, stderr } = await runCli(['run', 'config.json'], { cwd });
  expect(stdout, stderr).toContain('100.0');
  expect(code).toBe(0);
});

/** Writes down, as a process ends, the packages that it has loaded and what it made of `Intl`. */
const probe = `import module from 'node:module';
import { writeFileSync } from 'node:fs';
const used = new Set();
for (const name of ['Segmenter', 'NumberFormat', 'Collator', 'DateTimeFormat']) {
  const construct = (target, args) => (used.add(name), Reflect.construct(target, args));
  Intl[name] = new Proxy(Intl[name], { construct });
}
process.on('exit', () => {
  for (const file of Object.keys(module._cache)) used.add(/node_modules.(\\w+)/.exec(file)?.[1]);
  writeFileSync(process.env.USED_FILE, [...used].filter(Boolean).join());
});`;

test('a run of a function starts without an HTTP client and without `Intl`', async () => {
  const cwd = await writeFolder({ 'app.mjs': asking('./add.mjs'), 'add.mjs': add });
  await writeFile(join(cwd, 'config.json'), config('app.mjs'));
  const env = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe)}`,
    USED_FILE: join(cwd, 'used'),
  };
  const { stdout, stderr } = await runCli(['run', 'config.json'], { cwd, env });
  expect(stdout, stderr).toContain('100.0');
  expect(await readFile(join(cwd, 'used'), 'utf8')).toBe('');
});

test.each([
  ['looks at its signal', '({ signal }) => new Promise(() => signal.reason)'],
  ['does not', '() => new Promise(() => {})'],
])('a function that never answers and %s is given up in time', async (_, code) => {
  const files = { 'app.mjs': `export default ${code};\n` };
  const given = config('app.mjs', { timeout: 0.2, retries: 1 });
  const cwd = await writeFolder({ ...files, 'config.json': given });
  const ended = await runCli(['run', 'config.json'], { cwd });
  expect(ended.stderr).toContain('`app` did not answer within 0.2 s');
  expect(ended.code).toBe(3);
});

test.each([
  ['and what that imports, again', {}, /100\.0 → 0\.0/, /^(?!.*was not asked)/s],
  [
    'and says which version was kept',
    { version: 'v3' },
    /No change since/,
    /`app` was not asked again: its `version` is still `v3`/,
  ],
])('--watch reads the file of a function, %s', async (_, model, change, told) => {
  const files = { 'app.mjs': asking('./add.mjs'), 'add.mjs': add };
  const cwd = await writeFolder({ ...files, 'config.json': config('app.mjs', model) });
  const child = spawn(process.execPath, [cli, 'run', 'config.json', '--watch'], { cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const says = (text: string | RegExp) =>
    vi.waitFor(() => expect(output).toMatch(text), { timeout: 20_000, interval: 50 });
  try {
    await says(/100\.0[\s\S]*Watching/);
    output = '';
    await writeFile(join(cwd, 'add.mjs'), add.replace('* 2', '* 3'));
    await says(/was saved[\s\S]*Watching/);
    expect(output).toMatch(change);
    expect(output).toMatch(told);
  } finally {
    child.kill('SIGINT');
    await once(child, 'close');
  }
});
