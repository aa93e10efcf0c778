import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, cli, root } from './build-cli.ts';
import { runCli } from './run-cli.ts';

beforeAll(buildCli);

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints the commands', async (args) => {
  const { code, stdout, stderr } = await runCli(args);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Usage: typecase <command>');
  expect(stdout).toMatch(/^ {2}view +\S/m);
});

test('help loads nothing but the list of commands, and the names that suites add', () => {
  const files = new Map<string, string>();
  const load = (file: string) => {
    if (files.has(file)) return;
    const source = readFileSync(file, 'utf8');
    files.set(file, source);
    for (const [, name = ''] of source.matchAll(/^import .* from "(.*)";/gm)) {
      expect(name, file).toMatch(/^\.\//);
      load(join(dirname(cli), name));
    }
  };
  load(cli);
  expect([...files.values()].join('').length).toBeLessThan(14_000);
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  [['vieww'], 'usage.unknown_command', 'Did you mean `view`?'],
  [['view'], 'usage.missing_argument', 'npx typecase init'],
  [['view', 'a.yaml', 'b.yaml'], 'usage.excess_arguments', 'typecase view --help'],
  [['view', '--modle', 'x', 'a.yaml'], 'usage.unknown_option', 'Did you mean `--model`?'],
  [['view', '--row', 'x', 'a.yaml'], 'usage.invalid_argument', 'typecase view --help'],
  [['view', '--compat', 'x', 'a.yaml'], 'usage.invalid_argument', 'typecase view --help'],
  [['view', '--row', '1', '--rows', '1:2', 'a.yaml'], 'usage.conflicting_option', '--help'],
  [['view', 'no-such.yaml'], 'config.not_found', 'Looked in'],
])('%j is wrong usage: %s', async (args, errorCode, hint) => {
  const { code, stdout, stderr } = await runCli(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`error[${errorCode}] `);
  expect(stderr).toMatch(/^hint: /m);
  expect(stderr).toContain(hint);
});

test('each command prints its own help', async () => {
  const { code, stdout } = await runCli(['view', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: typecase view [options] [config or data]');
});

test('a reader that stops early is no error', async () => {
  const args = ['view', 'examples/dialogue.yaml', '-a', '--json'];
  const { stderr } = await runCli(args, { stopReading: true });
  expect(stderr).toBe('');
});
