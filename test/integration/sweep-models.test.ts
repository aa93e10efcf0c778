import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RecordLookup } from '../../src/run/store/record-lookup.ts';
import type { SweepSummary } from '../../src/study/sweep/sweep-summary.ts';
import { computeAnswer } from '../fault-server/answer.ts';
import { startFaultServer } from '../fault-server/index.ts';
import type { FaultServerOptions } from '../fault-server/options.ts';
import { cli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

const rowCount = 40;
const templates = ['What is {q}? {a}', 'Sum: {q} = {a}', 'Give {q}. {a}'].map(
  (template, place) => ({ name: `t${place}`, prompt_template: { template } }),
);

/** Models `m0`, `m1` … at these addresses, asked by three templates about sums. */
function configOf(...urls: readonly string[]): string {
  return JSON.stringify({
    models: urls.map((url, place) => ({
      abbr: `m${place}`,
      type: 'OpenAI',
      base_url: url,
      model: 'x',
    })),
    datasets: [
      {
        abbr: 'd',
        rows: Array.from({ length: rowCount }, (_, id) => ({ q: `${id} + 7`, a: `${id + 7}` })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { inferencer: { type: 'GenInferencer' } },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
    sweep: { templates },
  });
}

/** A server that has a template wrong. */
function server(wrong: string, options: FaultServerOptions = {}) {
  const answer = (prompt: string) => (prompt.includes(wrong) ? 'none' : computeAnswer(prompt));
  return startFaultServer({ answer, ...options });
}

const passing = [
  { rate: 0.1, fault: { type: 'status', status: 429, headers: { 'retry-after-ms': '5' } } },
  { rate: 0.1, fault: { type: 'reset' } },
] as const;

const argumentsOf = (...more: string[]) => ['sweep', 'config.json', '--out', 'out', ...more];

/** What a sweep found out, without what tells how it came about. */
async function findings(cwd: string) {
  const text = await readFile(join(cwd, 'out/sweep.json'), 'utf8');
  const { requests: _, ...rest }: SweepSummary = JSON.parse(text);
  return rest;
}

/** The rows that count in the log of a cell. */
async function rowsOf(cwd: string, cell: string) {
  const log = join(cwd, 'out', cell);
  const reader = await RecordLookup.open({ logFile: `${log}.jsonl`, indexFile: `${log}.index` });
  const rows = [];
  for (let id = 0; id < rowCount; id += 1) {
    const { ms: _, attempts: __, ...row } = (await reader.row(id)) ?? {};
    rows.push(row);
  }
  await reader.close();
  return rows;
}

function start(cwd: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [cli, ...args], { cwd, stdio: 'ignore' });
}

test('two endpoints with faults that pass: each has its best template, and they disagree', async () => {
  await using first = await server('Sum', { rates: passing });
  await using second = await server('What', { rates: passing });
  const cwd = await writeFolder({ 'config.json': configOf(first.url, second.url) });
  const { code, stdout } = await runCli(argumentsOf(), { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('d: t0 by 100.0 points for m0, t1 by 100.0 points for m1.');
  const { sheets, flips, complete } = await findings(cwd);
  expect(complete).toBe(true);
  expect(sheets.map(({ model, rows, spread }) => [model, rows, spread?.worst])).toEqual([
    ['m0', rowCount, 't1'],
    ['m1', rowCount, 't0'],
  ]);
  expect(flips).toMatchObject([{ models: ['m0', 'm1'], templates: ['t0', 't1'], isClear: true }]);
});

test('an interrupted budget comes to the same as one that was not interrupted', async () => {
  await using first = await server('Sum', { latencyMs: 10, rates: passing });
  await using second = await server('What', { latencyMs: 10 });
  const config = configOf(first.url, second.url);
  const args = argumentsOf('--budget', '150', '--concurrency', '4');
  const whole = await writeFolder({ 'config.json': config });
  expect((await runCli(args, { cwd: whole })).code).toBe(0);
  const wanted = await findings(whole);
  expect(wanted.budget?.races.map(({ left }) => left)).toEqual([
    ['t0', 't2'],
    ['t1', 't2'],
  ]);
  expect(wanted.sheets.flatMap(({ comparisons }) => comparisons)).toEqual([]);
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const cwd = await writeFolder({ 'config.json': config });
    const before = (await first.stats()).requests;
    const child = start(cwd, args);
    const ended = once(child, 'exit');
    while ((await first.stats()).requests < before + 20) await sleep(2);
    child.kill(signal);
    expect(await ended).toEqual(signal === 'SIGINT' ? [3, null] : [null, signal]);
    expect((await runCli(args, { cwd })).code).toBe(0);
    expect(await findings(cwd)).toEqual(wanted);
    for (const cell of ['m0/d.t0', 'm0/d.t1', 'm0/d.t2', 'm1/d.t0', 'm1/d.t1', 'm1/d.t2']) {
      expect(await rowsOf(cwd, cell)).toEqual(await rowsOf(whole, cell));
    }
  }
});

test('an interrupt while the last requests of a round are under way ends the budget', async () => {
  await using only = await server('Sum', { latencyMs: 300 });
  const cwd = await writeFolder({ 'config.json': configOf(only.url) });
  const child = start(cwd, argumentsOf('--budget', '90', '--concurrency', '60'));
  const ended = once(child, 'exit');
  // The first of three parts of the budget is ten rows of three templates, all under way at once.
  while ((await only.stats()).requests < 30) await sleep(2);
  child.kill('SIGINT');
  expect(await ended).toEqual([3, null]);
  expect((await only.stats()).requests).toBe(30);
});

test('a template that is always refused is out, and does not win', async () => {
  const refusal = { type: 'status', status: 400, message: 'too long' } as const;
  await using only = await server('Give', { rules: [{ prompt: 'Sum', fault: refusal }] });
  const cwd = await writeFolder({ 'config.json': configOf(only.url) });
  const plain = await runCli(argumentsOf(), { cwd });
  expect([plain.code, plain.stdout]).toEqual([3, expect.stringContaining('left out: d.t1.')]);
  expect(plain.stdout).not.toContain('NaN');
  const limited = await runCli(argumentsOf('--budget', '100', '--out', 'b'), { cwd });
  expect([limited.code, limited.stdout]).toEqual([
    3,
    expect.stringContaining('No answers for t1.'),
  ]);
  expect(limited.stdout).toMatch(/Use t0\n +100\.0 on these rows/);
});

test('an endpoint that is not there ends the sweep; what the other one said is summed up', async () => {
  await using only = await server('Sum');
  const config = configOf('http://127.0.0.1:9', only.url);
  const cwd = await writeFolder({ 'config.json': config });
  const { code, stderr } = await runCli(argumentsOf('--retries', '1'), { cwd });
  expect([code, stderr]).toEqual([3, expect.stringContaining('error[model.connection_refused]')]);
  const { complete, sheets } = await findings(cwd);
  expect([complete, ...sheets.map(({ rows }) => rows)]).toEqual([false, 0, rowCount]);
});

test('bad input is refused, and what was found before stays', async () => {
  await using only = await server('Sum');
  const cwd = await writeFolder({ 'config.json': configOf(only.url) });
  await runCli(argumentsOf(), { cwd });
  const refused = [
    [['--models', 'm0,m0'], 'sweep.repeated_value'],
    [['--models', ''], 'sweep.empty_axis'],
    [['--seeds', '1,2'], 'sweep.no_examples'],
    [['--budget', '2'], 'usage.budget_too_small'],
  ] as const;
  for (const [more, error] of refused) {
    const { code, stderr } = await runCli(argumentsOf(...more), { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error[${error}]`)]);
  }
  expect((await findings(cwd)).complete).toBe(true);
});
