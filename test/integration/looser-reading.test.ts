import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, loadConfig, openRun, rescore } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

/** Answers to rows whose gold answer is 80000, their score, and whether a looser reading would change it. */
const answers: readonly (readonly [string, number | undefined, boolean])[] = [
  ['80 000 dollars', 1, false],
  ['it is 80000 (2 steps)', 1, false],
  ['$80k', 0, true],
  ['80000, in 2 steps', 0, true],
  ['It is 7.', 0, false],
  ['<think>80000</think>7', 0, false],
  ['nothing', undefined, false],
];

test('answers that a looser reading would change are counted and named alike everywhere', async () => {
  await using server = await startJudgeServer();
  server.answer = (_, text) => answers[Number(/q(\d+)\./.exec(text)?.[1])]?.[0] ?? '';
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: answers.map((_, index) => ({ q: `q${index}.`, a: 'So.\n#### 80,000' })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'GenInferencer' } },
        eval_cfg: { evaluator: { type: 'number' } },
      },
    ],
  };
  const folder = await writeFolder({ 'c.json': JSON.stringify(config) });
  const [file, out] = [join(folder, 'c.json'), join(folder, 'run')];
  const said = '2 answers counted as wrong hold the gold answer under a looser reading: rows 2, 3';
  const printed = await callCommand(['run', file, '--out', out]);
  expect(printed.stdout + printed.stderr).toContain(said);
  const found: unknown[] = [];
  for await (const { id, score, looser = false } of (await openRun(out)).rows())
    found[id] = [answers[id]?.[0], score, looser];
  expect(found).toEqual(answers);
  const expectNamed = async () => {
    const { results } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
    expect(results[0].looser).toEqual({ rows: 2, first: [2, 3] });
    for (const name of ['summary.md', 'report.html'])
      expect(await readFile(join(out, name), 'utf8')).toContain(said);
  };
  await expectNamed();
  expect((await rescore(out)).summary.results[0]?.looser).toEqual({ rows: 2, first: [2, 3] });
  const scored = await callCommand(['score', out, file]);
  expect(scored.stdout + scored.stderr).toContain(said);
  await expectNamed();
  const contained = await callCommand(['score', out, '--evaluator', 'contains', '--json']);
  expect(JSON.parse(contained.stdout).results[0].looser).toBeUndefined();
  // The number stands at the end of a text, which `contains` looks for as a whole.
  await writeFile(file, JSON.stringify({ ...config, compat: 'opencompass' }));
  const { summary } = await evaluate(await loadConfig(file), { out: join(folder, 'compat') });
  expect(summary.results[0]?.looser?.first).toEqual([2, 3]);
}, 60_000);

test.each([
  ['number', 'It is 7 apples.', '7', 'number'],
  ['text', 'It is Paris.', 'Paris', 'contains'],
])('a score of 0 names the evaluator that finds a %s', async (_, answer, gold, evaluator) => {
  await using server = await startJudgeServer();
  server.answer = () => answer;
  const folder = await writeFolder({ 'd.jsonl': JSON.stringify({ question: 'q', answer: gold }) });
  const out = join(folder, 'run');
  const { stdout, stderr } = await callCommand([
    'run',
    join(folder, 'd.jsonl'),
    '--model',
    server.url,
    '--model-name',
    'm',
    '--out',
    out,
  ]);
  expect(stdout + stderr).toContain(`--evaluator ${evaluator}\``);
  const scored = await callCommand(['score', out, '--evaluator', evaluator, '--json']);
  expect(JSON.parse(scored.stdout).results[0].score.value).toBe(1);
});
