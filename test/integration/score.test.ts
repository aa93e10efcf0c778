import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { type FaultServer, startFaultServer } from '../fault-server/index.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rows = [1, 2, 3, 4]
  .map((n) => `${JSON.stringify({ question: `${n}+${n}=?`, answer: n + n, A: 'one', B: n + n })}\n`)
  .join('');

interface Change {
  readonly evaluator?: string;
  readonly template?: string;
  readonly more?: string;
}

function configText(
  url: string,
  { evaluator = 'exact', template, more = '' }: Change = {},
): string {
  return `models: [{ abbr: m, type: OpenAI, base_url: ${url}, model: x }]
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "${template ?? '{question}'}" } }
    eval_cfg: { evaluator: { type: ${evaluator} } }
${more}`;
}

/** A model that says more than the number; a wrong one for 3+3. */
function startServer(): Promise<FaultServer> {
  return startFaultServer({
    answer: (prompt) => {
      const n = Number(prompt.match(/(\d)\+/)?.[1]);
      return n === 3 ? 'It is 7.' : `It is ${n + n}.`;
    },
    rules: [{ prompt: '4+4', fault: { type: 'status', status: 400, message: 'no fours' } }],
  });
}

async function setUp({ url }: FaultServer, ...args: string[]) {
  const cwd = await writeFolder({ 'c.yaml': configText(url), 'rows.jsonl': rows });
  const call = (...words: string[]) => runCli(words, { cwd });
  expect((await call('run', 'c.yaml', '--allow-failed', '1', ...args)).code).toBe(0);
  const read = (name: string) => readFile(join(cwd, 'runs/c', name), 'utf8');
  const log = async () =>
    (await read('m/sums.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line): RowRecord => JSON.parse(line));
  const score = async (...words: string[]) => {
    const flags = ['--json', '--allow-failed', '1'];
    const { code, stdout, stderr } = await call('score', 'runs/c', ...flags, ...words);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning|error/)]);
    const { schemaVersion, command, folder, ...summary } = JSON.parse(stdout);
    expect([schemaVersion, command]).toEqual([1, 'score']);
    return summary;
  };
  const write = (change: Change) => writeFile(join(cwd, 'c.yaml'), configText(url, change));
  return { cwd, call, read, log, score, write };
}

test('from another folder, with the config that is named', async () => {
  await using server = await startServer();
  const { cwd, read, write } = await setUp(server);
  await write({ evaluator: 'number' });
  const elsewhere = await writeFolder({ 'c.yaml': 'models: []', 'rows.jsonl': '{}\n' });
  const paths = ['runs/c', 'c.yaml'].map((path) => relative(elsewhere, join(cwd, path)));
  const { code, stdout } = await runCli(['score', ...paths, '--json'], { cwd: elsewhere });
  expect(code).toBe(3);
  expect(JSON.parse(stdout).results[0].score.value).toBe(2 / 3);
  expect(await read('report.html')).not.toContain(cwd);
});

test('another evaluator for saved answers, without asking', async () => {
  await using server = await startServer();
  const { call, read, log, score } = await setUp(server);
  const before = JSON.parse(await read('summary.json'));
  const { looser, ...counted } = before.results[0];
  expect([counted.score.value, looser]).toEqual([
    0,
    { rows: 2, first: [0, 1], evaluator: 'number' },
  ]);
  const asked = (await server.stats()).requests;
  const summary = await score('--evaluator', 'number');
  expect(summary.results).toEqual([
    {
      ...counted,
      allRows: expect.objectContaining({ value: 0.5 }),
      score: expect.objectContaining({ value: 2 / 3 }),
      rows: { total: 4, scored: 3, unscored: 0, failed: 1, missing: 0 },
    },
  ]);
  expect(JSON.parse(await read('summary.json'))).toEqual(summary);
  expect((await log()).map(({ id, score: value, extracted }) => [id, value, extracted])).toEqual([
    [0, 1, '2'],
    [1, 1, '4'],
    [2, 0, '7'],
    [3, undefined, undefined],
  ]);
  expect((await log())[3]).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('no fours'),
  });
  expect(JSON.parse(await read('run.json')).datasets[0].evalCfg).toEqual({
    evaluator: { type: 'number' },
  });
  for (const file of ['summary.md', 'report.html']) {
    expect(await read(file)).toContain('66.7');
  }
  expect((await server.stats()).requests).toBe(asked);
  expect((await call('score', 'runs/c')).stdout, 'the new evaluator is remembered').toContain(
    '66.7',
  );
});

test('scored again, a run resumes as before', async () => {
  await using server = await startServer();
  const { cwd, call, score } = await setUp(server, '--ids', '0-2');
  await score('--evaluator', 'number');
  const asked = (await server.stats()).requests;
  expect((await call('run', 'c.yaml', '--ids', '0-2')).code).toBe(0);
  expect((await server.stats()).requests).toBe(asked);
  expect((await readdir(join(cwd, 'runs/c/m'))).sort()).toEqual(['sums.index', 'sums.jsonl']);
});

test('the eval_cfg of a config, with the columns of its rows', async () => {
  await using server = await startServer();
  const { score, log, write } = await setUp(server, '--ids', '0-2');
  await write({ evaluator: 'choice, options: AB, text_columns: [A, B]' });
  const { results } = await score('c.yaml');
  expect(results[0].rows).toMatchObject({ total: 3, scored: 2, unscored: 1 });
  expect((await log()).map(({ extracted }) => extracted)).toEqual(['B', 'B', undefined]);
});

test('right answers come from the data when a config is given', async () => {
  await using server = await startServer();
  const { cwd, score, log } = await setUp(server, '--ids', '2');
  await writeFile(join(cwd, 'rows.jsonl'), rows.replace('"answer":6', '"answer":7'));
  expect((await score('--evaluator', 'number')).results[0].score.value).toBe(0);
  expect((await score('c.yaml', '--evaluator', 'number')).results[0].score.value).toBe(1);
  expect((await log())[0]?.gold).toBe(7);
});

test('answers to other prompts are not scored', async () => {
  await using server = await startServer();
  const { call, read, write } = await setUp(server);
  const files = ['m/sums.jsonl', 'm/sums.index', 'summary.json', 'run.json'];
  const before = await Promise.all(files.map(read));
  await write({ template: 'Solve: {question}' });
  const { code, stdout, stderr } = await call('score', 'runs/c', 'c.yaml');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    'error[score.other_prompts] 4 rows of sums were asked of m with different prompts',
  );
  expect(await Promise.all(files.map(read))).toEqual(before);
});

test('rows outside the selection of the last run keep their answers', async () => {
  await using server = await startServer();
  const { call, score, log } = await setUp(server, '--ids', '0-2');
  await call('run', 'c.yaml', '--limit', '1');
  const { results } = await score('c.yaml', '--evaluator', 'number');
  expect(results[0].rows.total).toBe(1);
  expect((await log()).map(({ id, score: value }) => [id, value])).toEqual([
    [0, 1],
    [1, 0],
    [2, 0],
  ]);
  expect((await score()).results[0].rows.total).toBe(1);
  const { requests } = await server.stats();
  const { stdout } = await call('run', 'c.yaml', '--ids', '0-2', '--json');
  expect(JSON.parse(stdout).results[0].rows.total).toBe(3);
  expect((await server.stats()).requests).toBe(requests);
});

test('groups are averaged anew', async () => {
  await using server = await startServer();
  const { score, write } = await setUp(server, '--ids', '0-2');
  const more = 'summarizer: { summary_groups: [{ name: all, subsets: [sums] }] }';
  await write({ evaluator: 'number', more });
  const { groups } = await score('c.yaml');
  expect(groups).toMatchObject([{ model: 'm', group: 'all', score: { value: 2 / 3 } }]);
  expect((await score('--evaluator', 'exact')).groups).toMatchObject([{ score: { value: 0 } }]);
});

test('exit codes: a gate, rows that are missing, a folder without a run', async () => {
  await using server = await startServer();
  const { call } = await setUp(server, '--limit', '2');
  const gate = ['--evaluator', 'number', '--fail-under', '0.7'];
  expect((await call('score', 'runs/c', ...gate)).code).toBe(0);
  expect((await call('score', 'runs/c', '--evaluator', 'exact', '--fail-under', '70%')).code).toBe(
    1,
  );
  const missing = await call('score', 'rows.jsonl');
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('run.not_a_folder')]);
  const typo = await call('score', 'runs/c', '--evaluator', 'nmber');
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean `number`?')]);
});

test('a run that lacks rows is scored as far as it goes', async () => {
  await using server = await startServer();
  const { cwd, call, read } = await setUp(server);
  const log = join(cwd, 'runs/c/m/sums.jsonl');
  const [first, second] = (await readFile(log, 'utf8')).split('\n');
  await writeFile(log, `${first}\n${second}\n{"id": 2, "ke`);
  const { code, stderr } = await call('score', 'runs/c', 'c.yaml');
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('Not all rows are finished. Run `typecase run` to resume.'),
  ]);
  const { complete, results } = JSON.parse(await read('summary.json'));
  expect([complete, results[0].rows]).toEqual([
    false,
    expect.objectContaining({ total: 4, missing: 2 }),
  ]);
});
