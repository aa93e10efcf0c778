import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { expect, test, vi } from 'vitest';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { cli, root } from './build-cli.ts';
import { type Outcome, runCli, writeFolder } from './run-cli.ts';

const outputs = z.fromJSONSchema(
  JSON.parse(await readFile(join(root, 'schema/output.schema.json'), 'utf8')),
);

/** A project with a function as its model: sums, of which one has a wrong gold answer. */
const project = {
  'app.ts': `export const answer = (sum: string): string => {
  console.log('asked', sum);
  process.stdout.write('asked directly\\n');
  return String(sum.split('+').reduce((total, part) => total + Number(part), 0));
};
`,
  'typecase.config.ts': `import { answer } from './app.ts';
console.log('the config is read');
export default {
  models: [{ abbr: 'app', version: '1', generate: ({ row }) => answer(row.sum) }],
  datasets: [
    {
      abbr: 'sums',
      rows: [
        { sum: '1+1', answer: '2' },
        { sum: '2+2', answer: '4' },
        { sum: '3+3', answer: '7' },
        { sum: '4+4', answer: '8' },
      ],
      reader_cfg: { input_columns: ['sum'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{sum}=' } },
      eval_cfg: { evaluator: { type: 'exact' } },
    },
  ],
};
`,
};

/** The one document that a command printed. */
function documentOf({ stdout }: Outcome): Record<string, unknown> {
  const document = JSON.parse(stdout);
  expect(outputs.safeParse(document)).toMatchObject({ success: true });
  return document;
}

test('run, view, plan and explain find the config of the folder', async () => {
  const cwd = await writeFolder(project);
  const run = await runCli(['run'], { cwd });
  expect(run.stdout).toContain('75.0');
  expect(run.code, run.stderr).toBe(0);
  expect((await runCli(['view', '-n'], { cwd })).stdout).toContain('1+1=');
  expect((await runCli(['plan'], { cwd })).stdout).toContain('4 answers already there');
  expect((await runCli(['explain'], { cwd })).stdout).toContain('typecase.config.ts');
  await writeFile(join(cwd, 'typecase.config.yaml'), '{}');
  const both = await runCli(['run'], { cwd });
  expect(both.stderr).toContain('typecase.config.ts and typecase.config.yaml');
  const none = await runCli(['run'], { cwd: await writeFolder({}) });
  expect([none.code, both.code]).toEqual([2, 2]);
  expect(none.stderr).toContain('`npx typecase init` writes one');
});

test('--json prints one document, whatever the code of a config prints', async () => {
  const cwd = await writeFolder(project);
  const run = await runCli(['run', '--json'], { cwd });
  expect(documentOf(run)).toMatchObject({ schemaVersion: 1, command: 'run', complete: true });
  expect(run.stderr).toContain('the config is read');
  expect(run.stderr).toContain('asked directly');
  const score = await runCli(['score', 'runs/typecase.config', '--json'], { cwd });
  expect(documentOf(score)).toMatchObject({ command: 'score' });
  const compare = await runCli(
    ['compare', 'runs/typecase.config', 'runs/typecase.config', '--json'],
    { cwd },
  );
  expect(documentOf(compare)).toMatchObject({ command: 'compare' });
  const plan = await runCli(['plan', '--json'], { cwd });
  expect(documentOf(plan)).toMatchObject({ schemaVersion: 1, command: 'plan' });
  const view = await runCli(['view', '-n', '--json'], { cwd });
  expect(documentOf(view)).toHaveProperty('views');
});

test('--json prints errors as well, each with its code and place', async () => {
  const cwd = await writeFolder({
    'bad.yaml': 'models: [{ type: OpenAi, modle: x }]\ndatasets: []\n',
  });
  const failed = await runCli(['run', 'bad.yaml', '--json'], { cwd });
  expect(documentOf(failed)).toMatchObject({
    command: 'run',
    exitCode: 2,
    errors: [
      { code: 'config.unknown_type', at: { file: 'bad.yaml', line: 1 } },
      { code: 'config.unknown_key', at: { file: 'bad.yaml', line: 1 } },
    ],
  });
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain('error[config.unknown_type]');
  const usage = await runCli(['run', '--no-such', '--json'], { cwd });
  expect(documentOf(usage)).toMatchObject({ errors: [{ code: 'usage.unknown_option' }] });
});

test('a missed gate names the rows, and how to see them', async () => {
  const cwd = await writeFolder(project);
  const summary = join(cwd, 'summary.md');
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: 'true' };
  const { code, stderr } = await runCli(['run', '--fail-under', '90%'], { cwd, env });
  expect(code).toBe(1);
  expect(stderr).toContain('Gate failed: app on sums: accuracy 75.0, needs at least 90.0');
  expect(stderr).toContain('app on sums, row 2: wrong: "6", expected "7"');
  expect(stderr).toContain('typecase show runs/typecase.config --row 2');
  expect(stderr).toContain('::error title=Typecase::Gate failed: app on sums: accuracy 75.0');
  expect(await readFile(summary, 'utf8')).toContain('row 2: wrong: "6", expected "7"');
  const junit = () => readFile(join(cwd, 'runs/typecase.config/junit.xml'), 'utf8');
  expect(await junit()).toContain('tests="5" failures="2" errors="0" skipped="0"');
  expect(await junit()).toContain('<testcase name="row 2" classname="app.sums"');
  expect((await runCli(['run', '--fail-under', '70%'], { cwd })).code).toBe(0);
  expect(await junit()).toContain('tests="5" failures="0" errors="0" skipped="1"');
});

test('a run is held to a baseline in the same command', async () => {
  const cwd = await writeFolder(project);
  await runCli(['run'], { cwd });
  await cp(join(cwd, 'runs/typecase.config'), join(cwd, 'baseline'), { recursive: true });
  const config = project['typecase.config.ts'];
  await writeFile(join(cwd, 'typecase.config.ts'), config.replace("'{sum}='", "'{sum} is'"));
  await writeFile(
    join(cwd, 'app.ts'),
    `let asked = 0;\nexport const answer = (sum: string) => (sum === '2+2' ? '5' : String(eval(sum)));\n`,
  );
  const against = ['run', '--baseline', 'baseline'];
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
  const strict = await runCli([...against, '--max-regressions', '0'], { cwd, env });
  expect(strict.stdout).toContain('A is the baseline, baseline; B is this run.');
  expect(strict.stderr).toContain('sums: 1 row is worse in B; at most 0 allowed');
  expect(strict.code).toBe(1);
  expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('❌ sums: 1 row is worse in B');
  const told = 'sums: 1 row is worse in B; at most 0 allowed';
  const written = (name: string) => readFile(join(cwd, 'runs/typecase.config', name), 'utf8');
  for (const name of ['summary.json', 'summary.md', 'junit.xml', 'report.html'])
    expect(await written(name), name).toContain(told);
  expect(await written('junit.xml')).toMatch(
    /<testsuite name="baseline" tests="1" failures="1"[^>]*>\n.*\n\s*<failure type="baseline" message="sums: 1 row/,
  );
  expect((await runCli([...against, '--max-regressions', '1'], { cwd })).code).toBe(0);
  expect(JSON.parse(await written('summary.json')).baseline).toEqual({
    folder: 'baseline',
    gates: ['maxRegressions'],
    broken: [],
  });
  // Rows that the gates allow to be wrong do not turn a build red.
  expect(await written('junit.xml')).toContain('<testsuite name="baseline" tests="1" failures="0"');
  expect(await written('junit.xml')).toMatch(
    /<testsuites name="\S+" tests="\d+" failures="0" errors="0" skipped="[1-9]/,
  );
  expect((await runCli(against, { cwd })).code).toBe(0);
  expect(await written('junit.xml')).not.toContain(
    '<testsuites name="typecase.config" tests="6" failures="0"',
  );
  expect((await runCli([...against, '--max-drop', '5%'], { cwd })).code).toBe(1);
  expect((await runCli([...against, '--max-drop', '30'], { cwd })).code).toBe(0);
  const prompts = await runCli([...against, '--require-same-prompts', '--json'], { cwd });
  expect(documentOf(prompts)).toMatchObject({ baseline: { broken: [expect.any(String)] } });
  expect(prompts.code).toBe(1);
  const own = await runCli(['run', '--baseline', 'runs/typecase.config'], { cwd });
  const missing = await runCli(['run', '--baseline', 'no-such'], { cwd });
  expect([own.code, missing.code]).toEqual([2, 2]);
  expect(own.stderr).toContain('own folder');
});

test.each([
  [['--max-regressions', '0'], '--max-regressions needs --baseline'],
  [['--max-drop', '5%', '--fail-if-worse'], '--fail-if-worse, --max-drop need --baseline'],
  [['--require-same-prompts'], '--require-same-prompts needs --baseline'],
  [['--allow-unpaired', '3'], '--allow-unpaired needs --baseline'],
])('%j without a baseline is refused', async (gates, told) => {
  const cwd = await writeFolder(project);
  const refused = await runCli(['run', ...gates], { cwd });
  expect(refused.stderr).toContain(`error[usage.missing_argument] ${told}`);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
});

test('a baseline of chosen rows passes no gate, and is named', async () => {
  const cwd = await writeFolder(project);
  await runCli(['run', '--out', 'base'], { cwd });
  await runCli(['run', '--out', 'base', '--only-failed'], { cwd });
  const run = await runCli(['run', '--baseline', 'base', '--max-drop', '0'], { cwd });
  expect(run.stderr).toContain('sums: 3 of 4 rows of B have no counterpart in A, allowed 0');
  expect(run.stdout).toContain('A (base) has only some rows: --only-failed.');
  expect(run.code).toBe(1);
});

test('--only-failed asks about rows that were not right, of each dataset its own', async () => {
  const cwd = await writeFolder(project);
  const config = project['typecase.config.ts'];
  const other = `{ abbr: 'more', rows: [{ sum: '1+2', answer: '4' }, { sum: '5+5', answer: '10' }], reader_cfg: { input_columns: ['sum'], output_column: 'answer' }, infer_cfg: { prompt_template: { template: '{sum}=' } }, eval_cfg: { evaluator: { type: 'exact' } } },\n  ],\n};`;
  await writeFile(join(cwd, 'typecase.config.ts'), config.replace(/ {2}\],\n\};/, other));
  const early = await runCli(['run', '--only-failed'], { cwd });
  expect(early.stderr).toContain('error[run.nothing_failed]');
  await runCli(['run'], { cwd });
  const again = await runCli(['run', '--only-failed', '--fresh', '--json'], { cwd });
  const asked = again.stderr.match(/^asked \d\S+$/gm)?.sort();
  expect(asked).toEqual(['asked 1+2', 'asked 3+3']);
  expect(again.stderr).toContain(
    'Only the 2 rows that were not right: scores are of them alone.\n',
  );
  expect(JSON.parse(again.stdout).results).toMatchObject([
    { dataset: 'sums', rows: { total: 1 } },
    { dataset: 'more', rows: { total: 1 } },
  ]);
});

test('--only-failed has nothing to do where every row is right', async () => {
  const right = project['typecase.config.ts'].replace(
    /evaluator: \{[^}]*\}/,
    "evaluator: { type: 'length', max: 99 }",
  );
  const cwd = await writeFolder({ ...project, 'typecase.config.ts': right });
  const whole = await runCli(['run', '--json'], { cwd });
  const again = await runCli(['run', '--only-failed', '--fresh', '--json'], { cwd });
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('is right: nothing is asked again.');
  expect(again.stderr).not.toContain('asked 1+1');
  expect(documentOf(again)).toMatchObject({
    folder: documentOf(whole).folder,
    results: documentOf(whole).results,
  });
});

test('--strict refuses a misspelt placeholder, and CI makes it the default', async () => {
  const config = project['typecase.config.ts'].replace("'{sum}='", "'{sum} and {som}='");
  const cwd = await writeFolder({ ...project, 'typecase.config.ts': config });
  const warned = await runCli(['run'], { cwd });
  expect(warned.stderr).toContain('warning[template.unknown_field]');
  expect(warned.code).toBe(0);
  for (const [args, env, why] of [
    [['--strict'], {}, 'Rejected by --strict'],
    [[], { CI: 'true' }, 'Rejected because CI is set'],
  ] as const) {
    const refused = await runCli(['run', '--fresh', ...args], { cwd, env });
    expect(refused.stderr).toContain('error[template.unknown_field]');
    expect(refused.stderr).toContain(why);
    const before = config.slice(0, config.indexOf('{som}')).split('\n');
    const place = `typecase.config.ts:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    expect(refused.stderr).toContain(place);
    expect(refused.stderr).not.toContain('asked 1+1');
    expect(refused.code).toBe(2);
  }
  expect((await runCli(['run'], { cwd, env: { CI: 'false' } })).code).toBe(0);
  const allowed = await runCli(['run', '--no-strict'], { cwd, env: { CI: 'true' } });
  expect(allowed.code).toBe(0);
});

test.each([
  ['thrown', `throw new Error('no key');\nexport const answer = () => '';`, 'app.ts:1'],
  ['not parsed', `export const answer = () => '';\nconst const = 1;`, 'app.ts:2'],
])('an error in a file that the config imports is shown there: %s', async (_, code, place) => {
  const cwd = await writeFolder({ ...project, 'app.ts': code });
  const { stderr, code: exit } = await runCli(['run'], { cwd });
  expect(stderr).toContain('error[config.evaluation]');
  expect(stderr).toContain(place);
  expect(exit).toBe(2);
});

test('rows are exported as JSONL, CSV and Parquet, all the same', async () => {
  const cwd = await writeFolder(project);
  await runCli(['run'], { cwd });
  const folder = 'runs/typecase.config';
  const jsonl = await runCli(['export', folder], { cwd });
  const rows = jsonl.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(4);
  expect(rows[2]).toMatchObject({ model: 'app', dataset: 'sums', id: 2, score: 0, gold: '7' });
  const csv = await runCli(['export', folder, '--out', 'rows.csv'], { cwd });
  expect(csv.stderr).toContain('4 rows in rows.csv');
  const read: Record<string, string>[] = parse(await readFile(join(cwd, 'rows.csv'), 'utf8'), {
    columns: true,
  });
  const texts = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value ?? '')])),
  );
  expect(read).toEqual(texts);
  await runCli(['export', folder, '--out', 'rows.parquet'], { cwd });
  const bytes = await readFile(join(cwd, 'rows.parquet'));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  expect(await parquetReadObjects({ file: file as ArrayBuffer })).toEqual(rows);
  const failed = await runCli(['export', folder, '--only-failed', '--format', 'csv'], { cwd });
  expect(failed.stdout.trim().split('\r\n')).toHaveLength(2);
  const unknown = await runCli(['export', folder, '--out', 'rows.xls'], { cwd });
  expect([unknown.code, (await runCli(['export', 'nowhere'], { cwd })).code]).toEqual([2, 2]);
});

test('a sweep is held to what its best configuration may be expected to score', async () => {
  const cwd = await writeFolder({});
  const sweep = ['sweep', 'task:arithmetic', '--models', 'typecase-tiny', '--limit', '40'];
  const axes = ['--templates', 'equation,postfix', '--out', 'swept'];
  const passed = await runCli([...sweep, ...axes, '--fail-under', '80%'], { cwd });
  expect(passed.stderr).toContain('Gate passed: typecase-tiny on arithmetic');
  expect(passed.code).toBe(0);
  const unseen = ['--templates', 'arrow,given', '--shots', '0', '--out', 'swept-2'];
  const held = await runCli(
    [
      'sweep',
      'task:latent-operation',
      ...sweep.slice(2),
      ...unseen,
      '--fail-under',
      '80%',
      '--json',
    ],
    { cwd },
  );
  expect(documentOf(held)).toMatchObject({ gates: [{ asked: 0.8, passed: false }] });
  expect(held.code).toBe(1);
}, 120_000);

test('--watch asks what a saved change affects, says what changed, and goes on after errors', async () => {
  const cwd = await writeFolder(project);
  const child = spawn(process.execPath, [cli, 'run', '--watch'], { cwd });
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
  }
  const sees = (text: string) => vi.waitUntil(() => shown.includes(text), { timeout: 30_000 });
  try {
    await sees('Watching');
    shown = '';
    const config = project['typecase.config.ts'].replace("answer: '7'", "answer: '6'");
    await writeFile(join(cwd, 'typecase.config.ts'), config);
    await sees('Watching');
    expect(shown).toContain('typecase.config.ts was saved');
    // A function is given the whole row, so the row that was changed is asked again.
    expect(shown).toContain('4 answers: 1 asked, 3 reused from this folder');
    expect(shown).toContain('app on sums: 75.0 → 100.0; 1 row now right (2)');
    expect(shown).not.toContain('asked 1+1');
    shown = '';
    await appendFile(join(cwd, 'app.ts'), "throw new Error('broken');\n");
    await sees('Watching');
    expect(shown).toContain('error[config.evaluation]');
    shown = '';
    await writeFile(join(cwd, 'app.ts'), project['app.ts']);
    await sees('Watching');
    expect(shown).toContain('No change since the last run.');
  } finally {
    child.kill('SIGINT');
  }
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
}, 120_000);

test.each([
  ['a run', project['typecase.config.ts'], 'Report: here/report.html'],
  [
    'a run that fails',
    project['typecase.config.ts'].replace(
      /models: \[.*?\],\n/s,
      "models: [{ abbr: 'm', type: 'OpenAI', base_url: 'http://127.0.0.1:9', model: 'm' }],\n",
    ),
    'error[model.connection_refused]',
  ],
])(
  '--watch does not take what %s writes for a change, wherever that is',
  async (_, config, end) => {
    const cwd = await writeFolder({ ...project, 'typecase.config.ts': config });
    const child = spawn(process.execPath, [cli, 'run', '--watch', '--out', 'here'], { cwd });
    let shown = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
      });
    }
    try {
      await vi.waitUntil(() => shown.includes('Watching'), { timeout: 30_000 });
      expect(shown).toContain(end);
      await setTimeout(1500);
      expect(shown).not.toContain('was saved');
      await writeFile(join(cwd, 'notes.md'), 'x');
      await vi.waitUntil(() => shown.includes('notes.md was saved'), { timeout: 30_000 });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
  },
  120_000,
);

test('the workflow of examples/ci evaluates, and holds a pull request to the main branch', async () => {
  const workflow = parseYaml(await readFile(join(root, 'examples/ci/evaluate.yml'), 'utf8'));
  const steps: { name?: string; run?: string }[] = workflow.jobs.evaluate.steps;
  const script = steps.find(({ name }) => name === 'Evaluate')?.run ?? '';
  const command = script.replace('npx typecase', `'${process.execPath}' '${cli}'`);
  const right = project['typecase.config.ts'].replace("answer: '7'", "answer: '6'");
  const cwd = await writeFolder({ ...project, 'typecase.config.ts': right });
  const evaluate = () =>
    new Promise<{ code: number; shown: string }>((resolve) => {
      const options = { cwd, env: { ...process.env, CI: 'true' } };
      execFile('bash', ['-e', '-c', command], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, shown: stdout + stderr }),
      );
    });
  const first = await evaluate();
  expect(first.code, first.shown).toBe(0);
  await cp(join(cwd, 'runs/ci'), join(cwd, 'baseline'), { recursive: true });
  const same = await evaluate();
  expect(same.shown).toContain('A is the baseline');
  expect(same.code, same.shown).toBe(0);
  await writeFile(join(cwd, 'typecase.config.ts'), right.replace("version: '1'", "version: '2'"));
  const wrong = project['app.ts'].replace('return String(', "return sum === '2+2' ? '5' : String(");
  await writeFile(join(cwd, 'app.ts'), wrong);
  const worse = await evaluate();
  expect(worse.shown).toContain('(--max-drop)');
  expect(worse.code).toBe(1);
}, 120_000);
