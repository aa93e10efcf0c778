import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadText, show, writeConfig } from '../../test/fixtures/config/write-config.ts';
import { ConfigError } from '../errors.ts';
import { readConfigFile } from './read-config-file.ts';

test.each([
  ['evals.yml', 'Did you mean `evals.yaml`?'],
  ['quite-different.json', 'Looked in'],
  ['nowhere/evals.yaml', 'does not exist either'],
  ['evals.yaml/evals.yaml', 'does not exist either'],
])('a missing file %s: %s', async (name, hint) => {
  const file = join(dirname(await writeConfig('evals.yaml', 'seed: 1')), name);
  const error = await readConfigFile(file).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.code).toBe('config.not_found');
  expect(error.message).toContain(name);
  expect(error.hint).toContain(hint);
});

test.each(['config.yaml', 'config.ts'])('a pipe %s is not a file', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  execFileSync('mkfifo', [file]);
  await expect(readConfigFile(file)).rejects.toMatchObject({
    code: 'config.not_found',
    message: `${file} is a pipe, not a file`,
  });
});

test('a folder is not a file', async () => {
  const folder = dirname(await writeConfig('evals.yaml', 'seed: 1'));
  await expect(readConfigFile(folder)).rejects.toMatchObject({ code: 'config.not_found' });
});

test.each<[string, string, string, string | undefined]>([
  ['c.toml', 'a = 1', 'config.extension', undefined],
  ['c.yaml', ' \n', 'config.empty', '1:1'],
  ['c.yaml', '# later\n', 'config.empty', '1:1'],
  ['c.json', '', 'config.empty', '1:1'],
  ['c.ts', '\n', 'config.empty', '1:1'],
  ['c.yaml', '\n- 1\n', 'config.not_an_object', '2:1'],
  ['c.json', ' "x"', 'config.not_an_object', '1:2'],
  ['c.json', 'null', 'config.not_an_object', '1:1'],
  ['c.ts', 'export default 5;', 'config.not_an_object', '1:16'],
])('%s holding %j is refused as %s', async (name, text, code, place) => {
  const error = await loadText(name, text).catch((thrown) => thrown);
  expect([error.code, show(error.at)]).toEqual([code, place]);
});

test('keeps the text of the file', async () => {
  const { file, sources } = await loadText('c.YAML', 'seed: 1\n');
  expect([...sources]).toEqual([[file, 'seed: 1\n']]);
});
