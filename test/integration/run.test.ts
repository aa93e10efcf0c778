import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RecordLookup } from '../../src/run/store/record-lookup.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { type Fault, startFaultServer } from '../fault-server/index.ts';
import { cli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

/** Sums of which every seventh gold answer is wrong. */
function sums(count: number): string {
  return Array.from({ length: count }, (_, id) => {
    const gold = id + 7 + (id % 7 === 0 ? 1 : 0);
    return `${JSON.stringify({ question: `${id}+7`, answer: String(gold) })}\n`;
  }).join('');
}

const template = ['--template', 'Q: {question}\\nA: {answer}', '--output-column', 'answer'];
const argumentsFor = (url: string, ...more: string[]) => [
  'run',
  'data.jsonl',
  '--model',
  `${url}/v1`,
  '--model-name',
  'm',
  ...template,
  '--out',
  'out',
  ...more,
];

async function readLog(folder: string): Promise<RowRecord[]> {
  const text = await readFile(join(folder, 'out/m/data.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The last record of every row, without what differs from run to run. */
async function outcomes(folder: string): Promise<Map<unknown, unknown>> {
  const rows = new Map<unknown, unknown>();
  for (const { id, key, outcome, score, answer, gold } of await readLog(folder)) {
    rows.set(id, { key, outcome, score, answer, gold });
  }
  return new Map([...rows].sort(([a], [b]) => Number(a) - Number(b)));
}

describe('typecase run', () => {
  it('works in one line, and the same line again asks nothing', async () => {
    await using server = await startFaultServer({});
    const cwd = await writeFolder({ 'data.jsonl': sums(70) });
    const first = await runCli(argumentsFor(server.url, '--json'), { cwd });
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({
      complete: true,
      results: [
        {
          metric: 'accuracy',
          score: { value: 60 / 70, method: 'wilson' },
          rows: { total: 70, scored: 70, unscored: 0, failed: 0, missing: 0 },
          requests: { sent: 70 },
        },
      ],
    });
    const again = await runCli(argumentsFor(server.url, '--json'), { cwd });
    expect(JSON.parse(again.stdout).results[0]).toMatchObject({
      score: { value: 60 / 70 },
      requests: { sent: 0 },
    });
    expect((await server.stats()).requests).toBe(70);
    expect((await readdir(join(cwd, 'out'))).sort()).toEqual(
      [
        'junit.xml',
        'm',
        'report.html',
        'run.json',
        'summary.csv',
        'summary.json',
        'summary.md',
      ].sort(),
    );
    const reader = await RecordLookup.open({
      logFile: join(cwd, 'out/m/data.jsonl'),
      indexFile: join(cwd, 'out/m/data.index'),
    });
    expect(await reader.row(42)).toMatchObject({ id: 42, answer: '49' });
    expect(await reader.row(70)).toBeUndefined();
    await reader.close();
  });

  it('sends identical requests once', async () => {
    await using server = await startFaultServer({ latencyMs: 5 });
    const cwd = await writeFolder({ 'data.jsonl': sums(5).repeat(40) });
    const { stdout } = await runCli(argumentsFor(server.url, '--json'), { cwd });
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      rows: { total: 200, scored: 200 },
      requests: { sent: 5, shared: 195 },
    });
    expect((await server.stats()).requests).toBe(5);
  });

  it('never mixes another template, setting or data into old rows', async () => {
    await using server = await startFaultServer({});
    const cwd = await writeFolder({ 'data.jsonl': sums(10) });
    const sent = async (...more: string[]) => {
      const { stdout } = await runCli(argumentsFor(server.url, '--json', ...more), { cwd });
      return JSON.parse(stdout).results[0].requests.sent;
    };
    expect(await sent()).toBe(10);
    expect(await sent('--temperature', '0.5')).toBe(10);
    expect(await sent('--template', 'Sum: {question} = {answer}')).toBe(10);
    await writeFile(join(cwd, 'data.jsonl'), `${sums(9)}{"question":"1+1","answer":"2"}\n`);
    expect(await sent('--template', 'Sum: {question} = {answer}')).toBe(1);
    // Of the first template, answers to nine rows are still in the log.
    expect(await sent()).toBe(1);
  });

  it('does not count answers to another template for rows it did not get to', async () => {
    await using server = await startFaultServer({ latencyMs: 200 });
    const cwd = await writeFolder({ 'data.jsonl': sums(10) });
    await runCli(argumentsFor(server.url), { cwd });
    const other = [
      '--template',
      'Sum: {question} = {answer}',
      '--concurrency',
      '1',
      '--max-time',
      '0.3',
    ];
    const { code, stdout } = await runCli(argumentsFor(server.url, '--json', ...other), { cwd });
    const { scored, missing, total } = JSON.parse(stdout).results[0].rows;
    expect({ code, total }).toEqual({ code: 3, total: 10 });
    expect(scored).toBeLessThan(5);
    expect(missing).toBe(10 - scored);
  });

  it('runs configs: several models and datasets, streams, recorded answers, groups', async () => {
    await using server = await startFaultServer({});
    const recorded = Array.from(
      { length: 4 },
      (_, id) => `${JSON.stringify({ id, answer: '7' })}\n`,
    );
    const dataset = (abbr: string) => ({
      abbr,
      path: 'data.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer', test_range: '[:4]' },
      infer_cfg: {
        ice_template: { template: '{question}={answer}' },
        prompt_template: { template: '</E>{question}=', ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [5, 6] },
      },
      eval_cfg: { evaluator: { type: 'number' } },
    });
    const config = {
      models: [
        { abbr: 'streamed', type: 'OpenAI', base_url: server.url, model: 'm', stream: true },
        { abbr: 'recorded', type: 'Replay', path: 'answers.jsonl' },
      ],
      datasets: [dataset('one'), dataset('two')],
      summarizer: { summary_groups: [{ name: 'both', subsets: ['one', 'two'] }] },
    };
    const cwd = await writeFolder({
      'data.jsonl': sums(20),
      'answers.jsonl': recorded.join(''),
      'config.json': JSON.stringify(config),
    });
    const { code, stdout, stderr } = await runCli(['run', 'config.json', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { results, groups } = JSON.parse(stdout);
    expect(results).toMatchObject([
      { model: 'streamed', dataset: 'one', rows: { total: 4, scored: 4 }, score: { value: 0.75 } },
      { model: 'streamed', dataset: 'two', rows: { total: 4, scored: 4 } },
      { model: 'recorded', dataset: 'one', rows: { total: 4, scored: 4 }, score: { value: 0 } },
      { model: 'recorded', dataset: 'two', rows: { total: 4, scored: 4 } },
    ]);
    expect(groups).toMatchObject([
      { model: 'streamed', group: 'both', score: { value: 0.75 } },
      { model: 'recorded', group: 'both', score: { value: 0 } },
    ]);
    const part = await runCli(['run', 'config.json', '--json', '--dataset', 'one'], { cwd });
    expect(JSON.parse(part.stdout).groups).toEqual([]);
  });

  it.each([
    [
      ['--limit', '3'],
      [0, 1, 2],
    ],
    [
      ['--ids', '3,7-9'],
      [3, 7, 8, 9],
    ],
    [
      ['--where', "answer in ['10', '11']"],
      [3, 4],
    ],
  ])('%j takes the rows %j', async (flags, expected) => {
    await using server = await startFaultServer({});
    const cwd = await writeFolder({ 'data.jsonl': sums(20) });
    const { stderr } = await runCli(argumentsFor(server.url, ...flags), { cwd });
    expect(stderr).toBe('');
    expect([...(await outcomes(cwd)).keys()]).toEqual(expected);
  });
});

describe('faults', () => {
  const faults: Fault[] = [
    { type: 'status', status: 429, headers: { 'retry-after': '0' } },
    { type: 'status', status: 500 },
    { type: 'reset' },
    { type: 'half-body' },
    { type: 'invalid-json' },
    { type: 'status', status: 503 },
  ];

  it('with a fifth of all requests faulty, every row ends once, scored or failed', async () => {
    await using server = await startFaultServer({
      seed: 3,
      rates: faults.map((fault) => ({ rate: 0.2 / faults.length, fault })),
    });
    const cwd = await writeFolder({ 'data.jsonl': sums(300) });
    const { stdout } = await runCli(argumentsFor(server.url, '--json', '--retries', '8'), { cwd });
    const { rows } = JSON.parse(stdout).results[0];
    expect(rows).toMatchObject({ total: 300, missing: 0 });
    expect(rows.scored + rows.unscored + rows.failed).toBe(300);
    const records = await readLog(cwd);
    expect(new Set(records.map(({ id }) => id)).size).toBe(300);
    expect(records).toHaveLength(300);
    expect(rows.scored).toBeGreaterThan(295);
  }, 60_000);

  it('a row that fails says why, and is asked again by the next run', async () => {
    await using server = await startFaultServer({
      rules: [
        { prompt: '5+7', times: 1, fault: { type: 'status', status: 500, message: 'too odd' } },
      ],
    });
    const cwd = await writeFolder({ 'data.jsonl': sums(10) });
    const first = await runCli(argumentsFor(server.url, '--json', '--retries', '1'), { cwd });
    expect(JSON.parse(first.stdout).results[0]).toMatchObject({
      rows: { scored: 9, failed: 1 },
      reasons: [{ reason: expect.stringContaining('too odd'), rows: 1 }],
    });
    const second = await runCli(argumentsFor(server.url, '--json'), { cwd });
    expect(JSON.parse(second.stdout).results[0]).toMatchObject({
      rows: { scored: 10, failed: 0 },
      requests: { sent: 1 },
    });
  });

  it('a row that is refused again does not stop a run that has answers', async () => {
    await using server = await startFaultServer({
      rules: [{ prompt: '5+7', fault: { type: 'status', status: 400, message: 'too odd' } }],
    });
    const cwd = await writeFolder({ 'data.jsonl': sums(10) });
    await runCli(argumentsFor(server.url), { cwd });
    const { code, stdout } = await runCli(argumentsFor(server.url, '--json'), { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).results[0].rows).toMatchObject({ scored: 9, failed: 1 });
  });
});

describe('interruptions', () => {
  const start = (url: string, cwd: string) =>
    spawn(process.execPath, [cli, ...argumentsFor(url, '--concurrency', '8')], {
      cwd,
      stdio: 'ignore',
    });

  it('killed again and again, a run ends as if nothing had happened', async () => {
    await using server = await startFaultServer({ latencyMs: 10 });
    const untouched = await writeFolder({ 'data.jsonl': sums(300) });
    await runCli(argumentsFor(server.url), { cwd: untouched });
    const cwd = await writeFolder({ 'data.jsonl': sums(300) });
    const { requests: before } = await server.stats();
    for (const sent of [1, 60, 61, 150, 240]) {
      const child = start(server.url, cwd);
      const ended = once(child, 'exit');
      while ((await server.stats()).requests < before + sent) await sleep(5);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
    }
    expect((await runCli(argumentsFor(server.url), { cwd })).code).toBe(0);
    expect(await outcomes(cwd)).toEqual(await outcomes(untouched));
  });
});

describe('gates', () => {
  it.each([
    ['0.8', 0],
    ['90%', 1],
  ])('--fail-under %s gives exit code %d', async (mark, code) => {
    await using server = await startFaultServer({});
    const cwd = await writeFolder({ 'data.jsonl': sums(70) });
    expect((await runCli(argumentsFor(server.url, '--fail-under', mark), { cwd })).code).toBe(code);
  });
});
