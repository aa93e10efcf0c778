import { expect, test } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import type { Model } from '../model/model.ts';
import type { ModelWork } from '../run/execute.ts';
import type { StoredEvaluation } from '../run/stored-evaluation.ts';
import { divideWork, openCopies } from './model-copies.ts';

const modelOf = (name: string) => ({ name }) as Model;
const workOf = (...groups: string[]): ModelWork => ({
  model: modelOf('m'),
  evaluations: groups.map((group) => ({ group }) as StoredEvaluation),
});
const shares = (work: ModelWork, ...copies: string[]) =>
  divideWork(work, copies.map(modelOf)).map(({ model, evaluations }) => [
    model.name,
    ...evaluations.map(({ group }) => group),
  ]);

test('tasks that take turns stay together, and all keep their order', () => {
  const work = workOf('a', 'a', 'b', 'c', 'c', 'd', 'e');
  expect(shares(work, 'n')).toEqual([
    ['m', 'a', 'a', 'b', 'c', 'c'],
    ['n', 'd', 'e'],
  ]);
  expect(shares(work)).toEqual([['m', 'a', 'a', 'b', 'c', 'c', 'd', 'e']]);
  expect(shares(workOf('a', 'a'), 'n', 'o')).toEqual([['m', 'a', 'a']]);
});

test('a copy ends answers at the tokens that the format of the model names', async () => {
  const config = await parseConfig({
    models: [
      {
        ...{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' },
        meta_template: { round: [{ role: 'BOT', generate: true }], eos_token_id: 7 },
      },
    ],
    datasets: ['a', 'b'].map((abbr) => ({
      ...{ abbr, rows: [{ q: '1', a: '1' }] },
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      infer_cfg: { prompt_template: { template: '{q}' } },
    })),
  });
  await using evaluations = await openEvaluations(config);
  const model = evaluations[0]?.model as Model;
  const stored = evaluations.map(
    (evaluation, index) => ({ evaluation, group: String(index) }) as unknown as StoredEvaluation,
  );
  const copies = await openCopies(config, [{ model, evaluations: stored }]);
  try {
    const [copy] = copies.of(model);
    expect(copy?.identity).toEqual(model.identity);
    expect(JSON.stringify(copy?.identity)).toContain('"stop_token_ids":[7]');
  } finally {
    await copies.close();
  }
});
