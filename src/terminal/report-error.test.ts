import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigProblemsError } from '../config/problems.ts';
import { ConfigError } from '../errors.ts';
import { formatError } from './report-error.ts';
import type { Terminal } from './terminal.ts';

const terminal: Terminal = { colors: pc.createColors(false), hasColors: false, width: 50 };
const wide = { ...terminal, width: 200 };

async function writeLine(line: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-error-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'c.yaml');
  await writeFile(file, `first: line\r\n${line}\r\n`);
  return file;
}

const long = `${'a'.repeat(40)} HERE ${'b'.repeat(40)}`;

test.each([
  ['key: value', 6, ['key: value', '     ^']],
  ['名前: 値', 5, ['名前: 値', '      ^']],
  ['\tkey: 1', 2, ['  key: 1', '  ^']],
  ['a\u001b[31m', 2, ['a␛[31m', ' ^']],
  ['base_url: http://me:pass@host/v1', 11, ['base_url: http://***@host/v1', `${' '.repeat(10)}^`]],
  ['a: http://me:pass@host, b: 1', 25, ['a: http://***@host, b: 1', `${' '.repeat(20)}^`]],
  ['{api_key: "0123456789", x: 1}', 25, ['{api_key: "***", x: 1}', `${' '.repeat(17)}^`]],
  ['{api_key: "0123456789", x: 1}', 15, ['{api_key: "***", x: 1}', `${' '.repeat(11)}^`]],
  [long, 42, [`…${'a'.repeat(19)} HERE ${'b'.repeat(16)}…`, `${' '.repeat(21)}^`]],
])('the caret under %j at column %i', async (line, column, [source, caret]) => {
  const file = await writeLine(line);
  const error = new ConfigError('config.x', 'is wrong', {
    at: { file, line: 2, column },
    hint: 'Do.',
  });
  expect(formatError(error, terminal)).toBe(
    `error[config.x] is wrong\n  at ${file}:2:${column}\n  2 │ ${source}\n    │ ${caret}\nhint: Do.\n`,
  );
});

const planted = '7f3a9c41e8';

test.each([
  `base_url: 'https://me:${planted}@host/v1'`,
  `base_url: https://${planted}@host/v1`,
  `base_url: https://me:a/${planted}@ho st`,
  `base_url: https://host/v1?api-version=1&key=${planted}`,
  `api_key: ${planted}`,
  `"api_key": "${planted}"`,
  `apiKey: \`${planted}\`,`,
  `options: { accessToken: '${planted}' }`,
  `headers: { Authorization: 'Bearer ${planted}' }`,
  `Authorization: ${planted}`,
  `x-api-key: ${planted}`,
  `key: sk-${planted}`,
  `password=${planted}`,
])('a secret is not shown: %s', async (line) => {
  const at = { file: await writeLine(line), line: 2, column: 1 };
  const shown = formatError(new ConfigError('config.x', 'is wrong', { at }), wide);
  expect(shown).toContain('***');
  expect(shown).not.toContain(planted);
});

test.each([
  'api_key_env: OPENAI_API_KEY',
  'base_url: http://127.0.0.1:8000/v1?api-version=2024-05-01',
  'ice_token: "</E>", max_tokens: 12',
  'template: "Is this basic question hard? {question}"',
  'tokenizer: models/tokenizer.json',
])('what is no secret is shown: %s', async (line) => {
  const at = { file: await writeLine(line), line: 2, column: 1 };
  expect(formatError(new ConfigError('config.x', 'is wrong', { at }), wide)).toContain(line);
});

test('a file that cannot be read has no line to show', () => {
  const at = { file: '/nowhere/c.yaml', line: 1, column: 2 };
  const error = new ConfigError('config.x', 'is wrong', { at });
  expect(formatError(error, terminal)).toBe('error[config.x] is wrong\n  at /nowhere/c.yaml:1:2\n');
});

test('every problem of a config is an error of its own', () => {
  const problems = ['one', 'two'].map((name) => new ConfigError(`config.${name}`, name));
  expect(formatError(new ConfigProblemsError(problems), terminal)).toBe(
    'error[config.one] one\n\nerror[config.two] two\n',
  );
});

test('an unexpected error says sorry, with its stack only when asked', () => {
  const error = new RangeError('too far');
  const short = formatError(error, terminal);
  expect(short).toContain('error This is a bug in Typecase: too far\n');
  expect(short).toContain('TYPECASE_DEBUG=1');
  expect(short).not.toContain('report-error.test');
  vi.stubEnv('TYPECASE_DEBUG', '1');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(formatError(error, terminal)).toContain('report-error.test');
});
