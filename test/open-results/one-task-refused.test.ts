import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../../src/index.ts';
import type { Comparison } from '../../src/study/compare/comparison.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { writeFiles } from './foreign-files.ts';

const dataset = (abbr: string, evaluator: string) => ({
  abbr,
  rows: [
    { q: 'one', a: 'x' },
    { q: 'two', a: 'y' },
  ],
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template: '{q}' } },
  eval_cfg: { evaluator: { type: evaluator } },
});

async function run(evaluator: string): Promise<string> {
  const folder = writeFiles({
    'answers.jsonl': '{"id":0,"answer":"x"}\n{"id":1,"answer":"no"}\n',
    'config.json': {
      models: [{ abbr: 'm', type: 'Replay', path: './answers.jsonl' }],
      datasets: [dataset('same', 'exact'), dataset('other', evaluator)],
    },
  });
  const out = join(folder, 'run');
  const said = await callCommand(['run', join(folder, 'config.json'), '--out', out]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  return out;
}

test('a task that is measured in two ways is named, and the others are compared', async () => {
  const [a, b] = [await run('exact'), await run('bleu')];
  const said = await callCommand(['compare', a, b, '--json']);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  const { tasks, warnings, onlyIn } = JSON.parse(said.stdout) as Comparison;
  expect(tasks.map(({ name }) => name)).toEqual(['same']);
  expect(warnings).toEqual(['other: A has the metric accuracy, B has bleu: not compared.']);
  // A gate is not met by a task of which nothing is known.
  expect(onlyIn.a.map(({ name }) => name)).toEqual(onlyIn.b.map(({ name }) => name));
  const gated = await callCommand(['compare', a, b, '--fail-if-worse']);
  expect(gated, gated.stderr).toMatchObject({ code: 1 });
  const alone = await callCommand(['compare', `${a}:other`, `${b}:other`]);
  expect(alone).toMatchObject({ code: 2 });
  expect(alone.stderr).toContain('compare.other_metric');
});
