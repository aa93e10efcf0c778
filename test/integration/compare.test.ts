import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Comparison } from '../../src/study/compare/comparison.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rowCount = 60;
const rows = Array.from({ length: rowCount }, (_, id) => ({
  question: `${id} + 1`,
  answer: id + 1,
}));
const lines = (values: readonly object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Answers of a model that is right on the rows it is told to be right on. */
function answers(isRight: (id: number) => boolean, without: readonly number[] = []): string {
  const all = rows.map(({ answer }, id) => ({
    id,
    answer: `It is ${answer + (isRight(id) ? 0 : 1)}.`,
  }));
  return lines(all.filter(({ id }) => !without.includes(id)));
}

interface Change {
  readonly template?: string;
  readonly models?: readonly string[];
  readonly data?: string;
  readonly evaluator?: string;
}

function config({ template = '{question} =', models = ['small', 'large'], ...rest }: Change = {}) {
  const { data = 'rows.jsonl', evaluator = 'number' } = rest;
  return JSON.stringify({
    models: models.map((abbr) => ({ abbr, type: 'Replay', path: `${abbr}.jsonl` })),
    datasets: [
      {
        abbr: 'sums',
        path: data,
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template } },
        eval_cfg: { evaluator: { type: evaluator } },
      },
    ],
  });
}

/** Right on 30 of 60 rows, and on 55: 28 that the other has wrong, and not on 3 that it has right. */
const small = (id: number) => id % 2 === 0;
const large = (id: number) => (id < 56 && id !== 4 && id !== 6) || id === 58;

async function setUp(files: Readonly<Record<string, string>> = {}) {
  const cwd = await writeFolder({
    'rows.jsonl': lines(rows),
    'small.jsonl': answers(small),
    'large.jsonl': answers(large),
    'c.json': config(),
    ...files,
  });
  const call = (...words: string[]) => runCli(words, { cwd });
  const run = async (name: string, ...words: string[]) => {
    const { code, stderr } = await call('run', name, ...words);
    expect([code, stderr]).toEqual([0, '']);
  };
  const compare = async (...words: string[]): Promise<Comparison> => {
    const { code, stdout, stderr } = await call('compare', ...words, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  return { cwd, call, run, compare };
}

const kinds = ({ differences }: Comparison) =>
  differences.filter(({ isSame }) => !isSame).map(({ kind }) => kind);

test('two models of one run: paired, tested, with the rows that changed', async () => {
  const { call, run, compare } = await setUp();
  await run('c.json');
  const found = await compare('runs/c', '--models', 'small,large');
  expect(kinds(found)).toEqual(['model']);
  const [task] = found.tasks;
  expect(task).toMatchObject({
    name: 'sums',
    pairing: { by: 'content', rows: 60, moved: 0, otherPrompts: 0 },
    leftOut: [],
    result: {
      pairs: 60,
      test: { type: 'mcnemar', onlyA: 3, onlyB: 28, both: 27, neither: 2 },
      p: expect.closeTo((2 * 4992) / 2 ** 31, 12),
    },
    verdict: { type: 'b-better' },
    flips: { total: 31 },
  });
  expect(task?.flips.shown).toHaveLength(31);
  expect(task?.flips.shown[1]).toEqual({
    a: { id: 4, score: 1, prompt: '[user]\n4 + 1 =', answer: 'It is 5.', extracted: '5' },
    b: { id: 4, score: 0, prompt: '[user]\n4 + 1 =', answer: 'It is 6.', extracted: '6' },
    gold: '5',
  });
  const { code, stdout } = await call(
    'compare',
    'runs/c:small',
    'runs/c:large/sums',
    '--flips',
    '2',
  );
  expect(code).toBe(0);
  for (const text of [
    'A  runs/c · small',
    'prompts   same in 60 rows',
    'sums  50.0  91.7  +41.7',
    'B is better by 41.7 points, 95% interval',
    "McNemar's exact test: p < 0.001 (mid-p <0.001); 28 right only in B, 3 only in",
    'Changed rows of sums: 2 of 31',
    'row 1 · right only in B · gold 2',
    'It is [-3-].                           ≠ It is {+2+}.',
  ]) {
    expect(stdout).toContain(text);
  }
});

test('gates: B worse, and other prompts', async () => {
  const { call, run } = await setUp({ 'long.json': config({ template: 'What is {question}?' }) });
  await run('c.json');
  await run('long.json');
  const gate = async (...words: string[]) => {
    const { code, stderr } = await call('compare', ...words);
    return [code, stderr];
  };
  const models = ['--models', 'small,large'];
  expect(await gate('runs/c', ...models, '--fail-if-worse')).toEqual([0, '']);
  const turned = await gate('runs/c', '--models', 'large,small', '--fail-if-worse');
  expect(turned).toEqual([1, 'sums: B is worse (--fail-if-worse).\n']);
  expect(await gate('runs/c', ...models, '--require-same-prompts')).toEqual([0, '']);
  expect(await gate('runs/c', 'runs/long', '--require-same-prompts')).toEqual([
    1,
    'Prompts differ in 120 of 120 rows, by template (--require-same-prompts).\n',
  ]);
});

test('other prompts are said to be other ones, and shown side by side', async () => {
  const { call, run, compare } = await setUp({
    'long.json': config({ template: 'Think.\nWhat is {question}?' }),
  });
  await run('c.json');
  await run('long.json');
  const found = await compare('runs/c:small', 'runs/long:large');
  expect(kinds(found)).toEqual(['prompts', 'model', 'settings']);
  expect(found.differences[2]?.changes).toEqual([
    {
      path: 'infer_cfg.prompt_template.template',
      a: '{question} =',
      b: 'Think.\nWhat is {question}?',
    },
  ]);
  const { stdout } = await call('compare', 'runs/c:small', 'runs/long:large', '--flips', '1');
  expect(stdout).toContain('prompts   different in 60 of 60 rows');
  expect(stdout).toContain('≠ {+Think.+}');
});

test('prompts are shown only if they are those that were sent', async () => {
  const { cwd, run, compare } = await setUp();
  await run('c.json');
  const reason = async () => {
    const { tasks } = await compare('runs/c', '--models', 'small,large', '--flips', '1');
    const [flip] = tasks[0]?.flips.shown ?? [];
    expect(flip?.a).not.toHaveProperty('prompt');
    return flip?.noPrompt;
  };
  await writeFile(join(cwd, 'c.json'), config({ template: 'Other: {question}' }));
  const other = (file: string) => `${file} has changed since the run`;
  expect(await reason()).toBe(`A: ${other('c.json')}; B: ${other('c.json')}`);
  await writeFile(join(cwd, 'c.json'), '{');
  expect(await reason()).toContain('c.json, line 1: expected a key');
  await rm(join(cwd, 'c.json'));
  expect(await reason()).toContain('c.json no longer exists where the run was started');
  await writeFile(join(cwd, 'c.json'), config());
  const changed = rows.map(({ question, answer }) => ({ question: `${question} + 0`, answer }));
  await writeFile(join(cwd, 'rows.jsonl'), lines(changed));
  expect(await reason()).toBe(`A: ${other('rows.jsonl')}; B: ${other('rows.jsonl')}`);
  await rm(join(cwd, 'rows.jsonl'));
  expect(await reason()).toContain('rows.jsonl: file not found');
});

test('prompts come from where the run was started, wherever compare is', async () => {
  const { cwd, run } = await setUp();
  await run('c.json');
  // What has the same name here is another config, on other data.
  const here = await writeFolder({
    'c.json': config({ template: 'Other: {question}' }),
    'rows.jsonl': lines([{ question: 'other', answer: 1 }]),
  });
  const promptFrom = async (folder: string) => {
    const words = [relative(here, join(folder, 'runs/c')), '--models', 'small,large'];
    const page = ['--html', 'page.html'];
    const { code, stdout } = await runCli(['compare', ...words, '--json', ...page], { cwd: here });
    expect(code).toBe(0);
    expect(await readFile(join(here, 'page.html'), 'utf8')).not.toContain(folder);
    return JSON.parse(stdout).tasks[0].flips.shown[1].a.prompt;
  };
  expect(await promptFrom(cwd)).toBe('[user]\n4 + 1 =');
  for (const name of ['report.html', 'summary.json', 'summary.md', 'summary.csv', 'junit.xml']) {
    expect(await readFile(join(cwd, 'runs/c', name), 'utf8')).not.toContain(cwd);
  }
  const moved = join(await writeFolder({}), 'moved');
  await rename(cwd, moved);
  expect(await promptFrom(moved)).toBe('[user]\n4 + 1 =');
  await mkdir(cwd);
});

test('rows without a score, rows that moved, changed and went', async () => {
  const mixed = [
    { question: 'new', answer: 5 },
    ...rows.slice(0, 50),
    { question: '50 + 1', answer: 99 },
    ...rows.slice(51, 58),
  ];
  const moved = mixed.map(({ answer }, id) => ({
    id,
    answer: id === 20 ? 'I cannot say.' : `It is ${answer}.`,
  }));
  const { cwd, call, run, compare } = await setUp({
    'mixed.jsonl': lines(mixed),
    'moved.jsonl': lines(moved.filter(({ id }) => id !== 30)),
    'm.json': config({ models: ['moved'], data: 'mixed.jsonl' }),
    's.json': config({ models: ['small'] }),
  });
  await run('s.json');
  await call('run', 'm.json');
  const found = await compare('runs/s', 'runs/m');
  expect(kinds(found)).toEqual(['model', 'data']);
  const [task] = found.tasks;
  expect(task?.pairing).toMatchObject({ by: 'content', moved: 57 });
  expect(task?.result?.pairs).toBe(55);
  expect(task?.leftOut.map(({ reason, rows: count, ids }) => [reason, count, ids])).toEqual(
    expect.arrayContaining([
      ['unscored in B (no answer found)', 1, [19]],
      [expect.stringMatching(/^failed in B/), 1, [29]],
      ['only in A', expect.any(Number), expect.any(Array)],
    ]),
  );
  expect(task?.countedAsWrong?.pairs).toBe(57);
  expect(found.warnings.join()).toContain(
    '57 rows with a different number in B, paired by content',
  );
  expect(await readdir(join(cwd, 'runs'))).toEqual(['m', 's']);
});

test('logs of older versions do not say what rows hold', async () => {
  const { cwd, call, run, compare } = await setUp({
    'other.jsonl': lines(rows.map((row) => ({ ...row, note: 1 }))),
    'o.json': config({ data: 'other.jsonl' }),
  });
  await run('c.json');
  await run('c.json', '--out', 'runs/again');
  await run('o.json');
  const forget = async (folder: string) => {
    for (const model of ['small', 'large']) {
      const file = join(cwd, 'runs', folder, model, 'sums');
      const text = await readFile(`${file}.jsonl`, 'utf8');
      await writeFile(`${file}.jsonl`, text.replaceAll(/"row":"\w+",/g, ''));
      await rm(`${file}.index`);
    }
  };
  await forget('again');
  const found = await compare('runs/c:small', 'runs/again:large');
  expect(found.tasks[0]).toMatchObject({ pairing: { by: 'number', rows: 60 } });
  expect(found.warnings).toEqual([expect.stringContaining('paired by number')]);
  const { code, stderr } = await call('compare', 'runs/again:small', 'runs/o:large');
  expect([code, stderr]).toEqual([2, expect.stringContaining('compare.no_common_rows')]);
  expect(stderr).toContain('An older log lacks the content of its rows');
});

test('a run that is not finished is compared as far as it goes', async () => {
  const { cwd, call, run } = await setUp();
  await run('c.json');
  const log = join(cwd, 'runs/c/large/sums.jsonl');
  const text = (await readFile(log, 'utf8')).split('\n');
  await writeFile(log, `${text.slice(0, 40).join('\n')}\n{"id": 40, "ke`);
  await rm(join(cwd, 'runs/c/large/sums.index'));
  await rm(join(cwd, 'runs/c/summary.json'));
  const { code, stdout } = await call('compare', 'runs/c', '--models', 'small,large');
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'A (runs/c) is not finished; only the rows reached count, and they are not a random sample.',
  );
  expect(stdout).toContain('Left out: 20 only in A: rows');
});

test('several tasks are adjusted for; a measure of all rows is compared as one', async () => {
  const dataset = (abbr: string, evaluator: object) => ({
    ...JSON.parse(config()).datasets[0],
    abbr,
    reader_cfg: { input_columns: ['question'], output_column: abbr },
    eval_cfg: { evaluator },
  });
  const labelled = rows.map((row, id) => ({ ...row, label: id % 3 === 0 ? 'yes' : 'no' }));
  const models = ['small', 'large'].map((abbr) => ({ abbr, type: 'Replay', path: `${abbr}.txt` }));
  const say = (isRight: (id: number) => boolean) =>
    lines(
      labelled.map(({ label }, id) => ({
        id,
        answer: isRight(id) ? label : label === 'yes' ? 'no' : 'yes',
      })),
    );
  const { run, compare } = await setUp({
    'rows.jsonl': lines(labelled),
    'small.txt': say(small),
    'large.txt': say(large),
    'two.json': JSON.stringify({
      models,
      datasets: [
        dataset('label', { type: 'classification' }),
        { ...dataset('label', { type: 'exact' }), abbr: 'plain' },
      ],
    }),
  });
  await run('two.json');
  const { tasks } = await compare('runs/two', '--models', 'small,large');
  expect(tasks.map(({ name, scale, result }) => [name, scale.metric, result?.test.type])).toEqual([
    ['label', 'macro_f1', 'swap'],
    ['plain', 'accuracy', 'mcnemar'],
  ]);
  const [whole, plain] = tasks;
  expect(whole?.adjustedP).toBeCloseTo(whole?.result?.p ?? 0, 12);
  expect(plain?.adjustedP).toBeCloseTo(2 * (plain?.result?.p ?? 0), 12);
  expect(whole?.result?.b).toBeGreaterThan(whole?.result?.a ?? 1);
});

test('a page, Markdown', async () => {
  const { cwd, call, run } = await setUp();
  await run('c.json');
  const models = ['compare', 'runs/c', '--models', 'small,large'];
  const { stdout } = await call(...models, '--html', 'page.html', '--flips', '0');
  expect(stdout).toContain('Page: page.html');
  expect(stdout).not.toContain('Changed rows');
  expect(await readFile(join(cwd, 'page.html'), 'utf8')).toMatch(/<title>.* and .*<\/title>/);
  const markdown = await call(...models, '--markdown');
  expect(markdown.stdout).toMatch(/^## runs\/c vs runs\/c\n/);
  expect(markdown.stdout.match(/^#### row/gm)).toHaveLength(5);
});

const refused: readonly (readonly [words: readonly string[], code: string, text: string])[] = [
  [['rows.jsonl', 'runs/c'], 'run.not_a_folder', 'rows.jsonl is not a run folder'],
  [['runs/c'], 'usage.missing_argument', '`--models a,b`'],
  [['runs/c', 'runs/c'], 'compare.same_run', '--models small,large'],
  [['runs/c', '--models', 'smal,large'], 'usage.unknown_name', 'Did you mean `small`?'],
  [['runs/c:small/sms', 'runs/e'], 'usage.unknown_name', 'Did you mean `small/sums`?'],
  [['runs/c', '--models', 'small'], 'usage.invalid_argument', 'Give two names'],
  [['runs/c', 'runs/e', '--level', '2'], 'usage.invalid_argument', 'share from 0.5 to 1'],
  [['runs/c', 'runs/e', '--flips', '-1'], 'usage.invalid_argument', 'whole number'],
  [['runs/c', 'runs/b'], 'compare.other_metric', 'A has the metric accuracy, B has bleu'],
  [['runs/c', 'runs/empty'], 'compare.no_answers', 'Run `typecase run` first'],
];

test('what cannot be compared is refused with what to do', async () => {
  const { cwd, call, run } = await setUp({ 'b.json': config({ evaluator: 'bleu' }) });
  await run('c.json');
  await run('b.json');
  await run('c.json', '--out', 'runs/e');
  await run('c.json', '--out', 'runs/empty');
  for (const model of ['small', 'large']) {
    await rm(join(cwd, 'runs/empty', model), { recursive: true });
  }
  for (const [words, errorCode, text] of refused) {
    const { code, stdout, stderr } = await call('compare', ...words);
    expect([code, stdout], words.join(' ')).toEqual([2, '']);
    expect(stderr).toContain(`error[${errorCode}]`);
    expect(stderr).toContain(text);
  }
}, 120_000);

test('a text that was changed under its old name is refused', async () => {
  const rows = [1, 2, 3].map((n) => `${JSON.stringify({ q: `${n}+1`, a: `${n + 1}` })}\n`).join('');
  const task = (template: string) => `output_column: a
path: { test: rows.jsonl }
reader_cfg: { input_columns: [q] }
eval_cfg: { evaluator: { type: exact } }
versions: { plain: { prompt_template: { template: "${template}" } } }
`;
  const cwd = await writeFolder({
    'rows.jsonl': rows,
    'sums.yaml': task('{q}={a}'),
    'answers.jsonl': [1, 2, 3]
      .map((n) => `${JSON.stringify({ id: n - 1, answer: `${n + 1}` })}\n`)
      .join(''),
    'config.yaml': `models: [{ abbr: m, type: Replay, path: answers.jsonl }]
datasets: [{ task: ./sums.yaml, version: plain }]
`,
  });
  const run = (out: string) => runCli(['run', 'config.yaml', '--out', out], { cwd });
  expect(await run('one')).toMatchObject({ code: 0 });
  expect(await run('two')).toMatchObject({ code: 0 });
  expect(await runCli(['compare', 'one', 'two'], { cwd })).toMatchObject({ code: 0 });
  await writeFile(join(cwd, 'sums.yaml'), task('{q} = {a}'));
  expect(await run('three')).toMatchObject({ code: 0 });
  const refused = await runCli(['compare', 'one', 'three'], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('error[version.changed]');
});
