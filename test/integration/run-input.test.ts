import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSignedCertificate, startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import {
  configFor,
  countLines,
  endOf,
  readRows,
  runArguments,
  startRun,
  sums,
} from './run-task.ts';

describe('refused before anything is sent', () => {
  const missingColumn = { reader_cfg: { input_columns: ['quesiton'], output_column: 'answer' } };
  const columns = { input_columns: ['question'], output_column: 'answer' };
  const badRange = { reader_cfg: { ...columns, test_range: '[a:]' } };
  const missingSplit = { path: { validation: 'rows.jsonl' } };
  it.each([
    ['a missing split', sums(3), missingSplit, 'data.unknown_split', 'Splits: validation.'],
    ['a missing split, with its place', sums(3), missingSplit, 'data.', 'at config.json:1:'],
    ['a bad range, with its place', sums(3), badRange, 'data.bad_range', 'at config.json:1:'],
    ['an empty file', '', {}, 'data.empty', 'rows.jsonl'],
    ['no file', undefined, {}, 'data.', 'rows.jsonl'],
    ['a broken row', '{"question": "1 + 7"', {}, 'data.', 'rows.jsonl'],
    ['a missing column', sums(3), missingColumn, 'data.unknown_column', 'mean `question`?'],
  ] as const)('%s', async (_name, rows, dataset, code, text) => {
    await using server = await startFaultServer();
    const config = configFor(server.url, {}, dataset);
    const files = { 'config.json': config, ...(rows !== undefined && { 'rows.jsonl': rows }) };
    const cwd = await writeFolder(files);
    const result = await runCli(runArguments(), { cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`error[${code}`);
    expect(result.stderr).toContain(text);
    expect(result.stderr).toContain('hint:');
    expect((await server.stats()).requests).toBe(0);
    expect(await readdir(cwd)).not.toContain('out');
  });
});

it.each([
  ['a byte order mark and CRLF', `\uFEFF${sums(3).replaceAll('\n', '\r\n')}`],
  ['no line end at the end', sums(3).trimEnd()],
  ['blank lines', sums(3).replaceAll('\n', '\n\n')],
])('%s is no part of the rows', async (_name, rows) => {
  await using server = await startFaultServer();
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': rows });
  const { code } = await runCli(runArguments(), { cwd });
  expect(code).toBe(0);
  expect((await server.stats()).byPrompt).toEqual({
    'What is 0 + 7?': 1,
    'What is 1 + 7?': 1,
    'What is 2 + 7?': 1,
  });
});

it('a placeholder that is no column is warned of', async () => {
  await using server = await startFaultServer();
  const template = { type: 'PromptTemplate', template: 'What is {quesiton}?' };
  const config = JSON.parse(configFor(server.url));
  config.datasets[0].infer_cfg.prompt_template = template;
  const files = { 'config.json': JSON.stringify(config), 'rows.jsonl': sums(2) };
  const cwd = await writeFolder(files);
  const at = `config.json:1:${files['config.json'].indexOf('{quesiton}') + 1}`;
  const warning =
    'warning[template.unknown_field] `{quesiton}` is not a column, so it is sent as written\n' +
    `  at ${at}\nhint: Did you mean \`{question}\`?\n`;
  const { code, stderr } = await runCli(runArguments(), { cwd });
  expect([code, stderr]).toEqual([0, warning]);
  const plan = await runCli(['plan', 'config.json'], { cwd });
  expect([plan.code, plan.stderr]).toEqual([0, warning]);
  const view = await runCli(['view', 'config.json'], { cwd });
  expect(view.stdout).toContain(at);
});

it('a broken row in the middle ends the run; what was asked before counts', async () => {
  await using server = await startFaultServer();
  const config = configFor(server.url);
  const cwd = await writeFolder({
    'config.json': config,
    'rows.jsonl': `${sums(2000)}{"question": \n`,
  });
  const result = await runCli(runArguments(), { cwd });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/error\[data\.\w+\] .*rows\.jsonl.* 2001/);
  const { requests } = await server.stats();
  expect(await countLines(cwd)).toBe(requests);
  await writeFile(join(cwd, 'rows.jsonl'), sums(2000));
  expect((await runCli(runArguments(), { cwd })).code).toBe(0);
  expect((await server.stats()).requests).toBe(2000);
});

describe('a server that cannot be used', () => {
  const folderFor = (url: string, model: object = {}) =>
    writeFolder({ 'config.json': configFor(url, model), 'rows.jsonl': sums(5) });

  async function expectError(cwd: string, code: string): Promise<void> {
    const result = await runCli(runArguments('--retries', '2'), { cwd, env: { KEY: 'wrong-key' } });
    expect(result.code).toBe(3);
    expect(result.stderr).toContain(`error[${code}]`);
    expect(result.stderr).toContain('hint:');
    expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 3, errors: [{ code }] });
    expect(await readdir(join(cwd, 'out'))).not.toContain('summary.json');
  }

  it('nobody listens', async () => {
    await expectError(await folderFor('http://127.0.0.1:1'), 'model.connection_refused');
  });

  it('no such host', async () => {
    await expectError(await folderFor('http://no-such-host.invalid'), 'model.unknown_host');
  });

  it('a certificate that nobody vouches for', async () => {
    await using server = await startFaultServer({ tls: selfSignedCertificate() });
    await expectError(await folderFor(server.url), 'model.certificate');
  });

  it('a wrong key', async () => {
    await using server = await startFaultServer({ apiKey: 'right-key' });
    await expectError(await folderFor(server.url, { api_key_env: 'KEY' }), 'model.unauthorized');
  });
});

describe('the folder', () => {
  it('is used by one process at a time', async () => {
    await using server = await startFaultServer({ latencyMs: 100 });
    const config = configFor(server.url);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(200) });
    const running = startRun(cwd, '--concurrency', '2');
    while ((await countLines(cwd)) < 2) await sleep(20);
    const second = await runCli(runArguments(), { cwd });
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`error[run.in_use] another process (${running.child.pid})`);
    running.child.kill('SIGKILL');
    await endOf(running);
    expect((await runCli(runArguments('--concurrency', '64'), { cwd })).code).toBe(0);
  });

  it('cannot be made', async () => {
    await using server = await startFaultServer();
    const config = configFor(server.url);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(5), out: 'a file' });
    const { code, stderr } = await runCli(runArguments(), { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('error[run.not_written]');
    expect((await server.stats()).requests).toBe(0);
  });

  it('of the cache is used by one process at a time', async () => {
    await using server = await startFaultServer();
    const config = configFor(server.url);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(5) });
    await mkdir(join(cwd, 'cache'));
    await writeFile(join(cwd, 'cache/.lock'), String(process.pid));
    const { code, stderr } = await runCli(runArguments('--cache', 'cache'), { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('error[run.in_use]');
  });
});

describe('a full disk', () => {
  /** A file system of its own that holds little; undefined where the test may not mount one. */
  async function smallDisk(kilobytes: number): Promise<string | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-disk-'));
    const size = `size=${kilobytes}k`;
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
    onTestFinished(async () => {
      if (status === 0) spawnSync('umount', ['-l', folder]);
      await chmod(folder, 0o700);
      await rm(folder, { recursive: true });
    });
    return status === 0 ? folder : undefined;
  }

  it.each([
    ['while rows are written', 48],
    ['at the first file', 0],
  ])('%s ends the run, which goes on when there is room', async (_name, kilobytes) => {
    const disk = await smallDisk(kilobytes === 0 ? 4 : kilobytes);
    if (!disk) {
      console.warn('SKIPPED: only root can mount the small disk that this test fills');
      return;
    }
    await using server = await startFaultServer({ latencyMs: 1 });
    const config = configFor(server.url);
    const cwd = await writeFolder({ 'config.json': config, 'rows.jsonl': sums(1000) });
    const args = ['run', 'config.json', '--out', join(disk, 'out')];
    const full = await runCli(args, { cwd });
    expect(full.code).toBe(3);
    expect(full.stderr).toMatch(/error\[run\.(log_)?not_written\] .*ENOSPC/);
    expect(full.stderr).toContain('hint:');
    expect(await readdir(join(disk, 'out'))).not.toContain('summary.json');
    spawnSync('mount', ['-o', 'remount,size=4m', disk]);
    expect((await runCli([...args, '--json'], { cwd })).code).toBe(0);
    const summary = JSON.parse(await readFile(join(disk, 'out/summary.json'), 'utf8'));
    expect(summary).toMatchObject({ complete: true, results: [{ rows: { scored: 1000 } }] });
  });
});

it('rows keep their numbers when only some are taken', async () => {
  await using server = await startFaultServer();
  const cwd = await writeFolder({ 'config.json': configFor(server.url), 'rows.jsonl': sums(20) });
  await runCli(runArguments(), { cwd });
  const { stdout } = await runCli(runArguments('--ids', '3,17'), { cwd });
  expect(JSON.parse(stdout).results[0]).toMatchObject({
    rows: { total: 2 },
    requests: { sent: 0 },
  });
  const rows = await readRows(cwd, 20);
  expect(rows.flatMap(({ id }) => id ?? [])).toEqual([3, 17]);
});
