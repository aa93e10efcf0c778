import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

test.each(['yaml', 'ts'])('a %s config that can be looked at, planned and run', async (format) => {
  await using server = await startFaultServer({ answer: () => 'So the answer is 60.' });
  const cwd = await writeFolder({});
  const flags = ['--format', format, '--model', server.url, '--model-name', 'my "own"'];
  const { code, stdout, stderr } = await runCli(['init', 'new', ...flags], { cwd });
  const config = `new/typecase.config.${format}`;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`wrote ${config}\nwrote new/data/questions.jsonl\n`);
  const commands = [...stdout.matchAll(/^ {2}npx typecase (\w+) (\S+)/gm)];
  expect(commands.map(([, name, file]) => [name, file])).toEqual([
    ['view', config],
    ['plan', config],
    ['run', config],
  ]);
  for (const [, name = '', file = ''] of commands) {
    const next = await runCli([name, file], { cwd });
    expect([name, next.code, next.stderr]).toEqual([name, 0, '']);
    if (name === 'view') {
      expect(next.stdout).toMatch(/^my "own" · questions · row 0/);
      expect(next.stdout).not.toContain('warning');
    }
  }
  const summary = JSON.parse(
    await readFile(join(cwd, 'runs/typecase.config/summary.json'), 'utf8'),
  );
  expect(summary.results[0]).toMatchObject({ score: { value: 0.25 }, rows: { scored: 4 } });
});

test('YAML in the current folder by default', async () => {
  const cwd = await writeFolder({});
  expect((await runCli(['init'], { cwd })).code).toBe(0);
  expect((await readdir(cwd)).sort()).toEqual(['data', 'typecase.config.yaml']);
  const text = await readFile(join(cwd, 'typecase.config.yaml'), 'utf8');
  expect(text).toMatch(/^models:/);
});

test.each([
  ['typecase.config.ts', 'yaml'],
  ['typecase.config.yaml', 'yaml'],
  ['typecase.config.yaml', 'ts'],
])('with a %s nothing is written', async (name, format) => {
  const cwd = await writeFolder({ [name]: 'mine' });
  const { code, stdout, stderr } = await runCli(['init', '--format', format], { cwd });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`error[init.exists] ${name} already exists\nhint: `);
  expect(await readdir(cwd)).toEqual([name]);
  expect(await readFile(join(cwd, name), 'utf8')).toBe('mine');
});

test('a data file that is there is kept, and no config is written', async () => {
  const cwd = await writeFolder({});
  await runCli(['init', '--format', 'ts'], { cwd });
  await rm(join(cwd, 'typecase.config.ts'));
  const { code, stderr } = await runCli(['init'], { cwd });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('data/questions.jsonl already exists'),
  ]);
  expect(await readdir(cwd)).toEqual(['data']);
});
