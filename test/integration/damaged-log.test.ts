import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type FaultServer, startFaultServer } from '../fault-server/index.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rows = [1, 2, 3, 4, 5]
  .map((n) => `${JSON.stringify({ question: `${n}+${n}=?`, answer: n + n })}\n`)
  .join('');

const configText = (url: string) => `models: [{ abbr: m, type: OpenAI, base_url: ${url}, model: x }]
datasets:
  - abbr: sums
    path: rows.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "{question}" } }
    eval_cfg: { evaluator: { type: exact } }
`;

function startServer(): Promise<FaultServer> {
  return startFaultServer({
    answer: (prompt) => {
      const sum = 2 * Number(prompt.match(/(\d)\+/)?.[1]);
      return prompt.startsWith('Say much') ? `It is what one calls ${sum}` : `${sum}`;
    },
  });
}

/** Runs, and damages the records of rows 0, 1 and 2. */
async function damagedRun({ url }: FaultServer) {
  const cwd = await writeFolder({ 'c.yaml': configText(url), 'rows.jsonl': rows });
  const call = (...words: string[]) => runCli(words, { cwd });
  for (const out of ['a', 'b']) {
    expect((await call('run', 'c.yaml', '--out', out)).code).toBe(0);
  }
  const file = join(cwd, 'a/m/sums.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n');
  const lineOf = (id: number) => lines.findIndex((line) => line.startsWith(`{"id":${id},`)) + 1;
  const places = [lineOf(0), lineOf(1), lineOf(2)] as const;
  const damages = [
    [/"score":1/, '"score":7'],
    [/"scored"/, '"won"'],
    [/"id":2/, '"id":1e15'],
  ] as const;
  for (const [id, [from, to]] of damages.entries()) {
    const place = (places[id] ?? 0) - 1;
    lines[place] = lines[place]?.replace(from, to) ?? '';
  }
  await writeFile(file, lines.join('\n'));
  return { cwd, call, places };
}

test('damaged records are asked again by a run, and only they are', async () => {
  await using server = await startServer();
  const { call, places } = await damagedRun(server);
  const sent = (await server.stats()).requests;
  const again = await call('run', 'c.yaml', '--out', 'a', '--json');
  expect(again.code).toBe(0);
  expect((await server.stats()).requests - sent).toBe(3);
  const [result] = JSON.parse(again.stdout).results;
  expect(result).toMatchObject({ score: { value: 1 }, rows: { scored: 5, missing: 0 } });
  const [score, outcome, id] = places;
  expect(again.stderr).toContain(
    `warning[run.bad_record] a/m/sums.jsonl:${score} skipped: its score is not within 0 and 1`,
  );
  expect(again.stderr).toContain(
    `a/m/sums.jsonl:${outcome} skipped: outcome "won" is none of scored, unscored and failed`,
  );
  expect(again.stderr).toContain(
    `a/m/sums.jsonl:${id} skipped: id 1000000000000000 is not the number of a row`,
  );
  expect(again.stderr).toContain('hint: Their rows are asked again.');
  const third = await call('run', 'c.yaml', '--out', 'a');
  expect([third.code, third.stderr, (await server.stats()).requests - sent]).toEqual([0, '', 3]);
  const comparison = await call('compare', 'a', 'b', '--json');
  expect(JSON.parse(comparison.stdout)).toMatchObject({ warnings: [], tasks: [{ leftOut: [] }] });
});

test('plan counts what a run would ask', async () => {
  await using server = await startServer();
  const { call } = await damagedRun(server);
  const plan = JSON.parse((await call('plan', 'c.yaml', '--out', 'a', '--json')).stdout);
  expect(plan).toMatchObject({ tasks: [{ reused: { log: 2 }, send: 3 }] });
});

test('compare and leaderboard name damaged records and leave them out', async () => {
  await using server = await startServer();
  const { call, places } = await damagedRun(server);
  const { code, stdout } = await call('compare', 'a', 'b', '--json');
  expect(code).toBe(0);
  const { warnings, tasks } = JSON.parse(stdout);
  expect(tasks[0].pairing.rows).toBe(2);
  expect(warnings).toContainEqual(
    `A: a/m/sums.jsonl:${places[0]} skipped: score 7 is not within 0 and 1.`,
  );
  expect(warnings.filter((text: string) => text.startsWith('A: a/m/sums.jsonl:')).length).toBe(3);
  const board = await call('leaderboard', 'a', 'b');
  expect([board.code, board.stderr.match(/warning\[run\.bad_record\]/g)?.length]).toEqual([0, 3]);
});

test('score names damaged records, and a run mends them', async () => {
  await using server = await startServer();
  const { call } = await damagedRun(server);
  const sent = (await server.stats()).requests;
  for (const words of [[], ['c.yaml']]) {
    const scored = await call('score', 'a', ...words, '--json');
    expect(scored.code).toBe(3);
    const [result] = JSON.parse(scored.stdout).results;
    expect(result.rows).toEqual({ total: 5, scored: 2, unscored: 0, failed: 0, missing: 3 });
    const named = scored.stderr.match(/warning\[run\.bad_record\]/g)?.length ?? 0;
    expect(named).toBe(words.length === 0 ? 3 : 0);
  }
  const again = await call('run', 'c.yaml', '--out', 'a');
  expect([again.code, again.stderr, (await server.stats()).requests - sent]).toEqual([0, '', 3]);
});

test('a record of another evaluator is no damaged one', async () => {
  await using server = await startServer();
  const { url } = server;
  const exact = configText(url).replace('{question}', 'Say much: {question}');
  const ter = exact.replace('type: exact', 'type: ter');
  const cwd = await writeFolder({ 'exact.yaml': exact, 'ter.yaml': ter, 'rows.jsonl': rows });
  const call = (...words: string[]) => runCli(words, { cwd });
  const first = await call('run', 'ter.yaml', '--out', 'a', '--json');
  expect(JSON.parse(first.stdout).results[0].score.value).toBeGreaterThan(1);
  const sent = (await server.stats()).requests;
  const again = await call('run', 'exact.yaml', '--out', 'a');
  expect([again.code, again.stderr, (await server.stats()).requests - sent]).toEqual([0, '', 0]);
});

test.each([
  [['compare', 'nope', 'nope'], 'run.not_a_folder', 'nope is not a run folder'],
  [['score', 'bad'], 'run.bad_file', 'bad/run.json cannot be read: models[0].name'],
  [['score', 'newer'], 'run.newer_folder', 'written by Typecase 7.0.0'],
  [
    ['run', 'rows.jsonl', '--model', 'typecase-tiny', '--template', '{a}', '--out', 'newer'],
    'run.newer_folder',
    'newer',
  ],
])('%j ends with 2 and %s', async (words, code, message) => {
  const cwd = await writeFolder({ 'rows.jsonl': '{"a":"1 + 1 ="}\n' });
  const runs = { bad: '{"models":[{}]}', newer: '{"format":3,"typecase":"7.0.0"}' };
  for (const [name, text] of Object.entries(runs)) {
    await mkdir(join(cwd, name));
    await writeFile(join(cwd, name, 'run.json'), text);
  }
  const { code: exit, stderr } = await runCli(words, { cwd });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`error[${code}]`)]);
  expect(stderr).toContain(message);
});

test('the run of version 0.1 is scored, compared and resumed', async () => {
  const fixture = join(import.meta.dirname, '../fixtures/runs/0.1');
  const cwd = await writeFolder({});
  for (const name of ['old', 'kept']) await cp(fixture, join(cwd, name), { recursive: true });
  const call = (...words: string[]) => runCli(words, { cwd });
  expect((await call('score', 'old', '--evaluator', 'contains')).code).toBe(0);
  const task = ['task:arithmetic/equation', '--model', 'typecase-tiny', '--limit', '6'];
  const resumed = await call('run', ...task, '--out', 'old', '--json');
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(JSON.parse(resumed.stdout).results[0].requests.sent).toBe(1);
  const recorded = JSON.parse(await readFile(join(cwd, 'old/run.json'), 'utf8'));
  expect(recorded).toMatchObject({ format: 2, command: 'run' });
  const comparison = await call('compare', 'kept', 'old', '--json');
  expect(JSON.parse(comparison.stdout).tasks[0].pairing.rows).toBe(5);
});
