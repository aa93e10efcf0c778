import { expect, test } from 'vitest';
import type { StoredRun } from '../../run/store/open-run.ts';
import { listChanges } from './list-changes.ts';
import { chooseTasks } from './pair-evaluations.ts';
import { type RunSide, taskName } from './run-side.ts';

function side(folder: string, ...names: readonly string[]): RunSide {
  const tasks = names.map((name) => {
    const [model = '', dataset = ''] = name.split('/');
    return { model, dataset, logFile: `${folder}/${name}.jsonl`, indexFile: '' };
  });
  const run = { path: folder } as StoredRun;
  return { shown: folder, run, tasks };
}

test.each<[string, readonly string[], readonly string[], readonly string[], readonly string[]]>([
  ['the same task', ['m/d'], ['m/d'], ['d: m/d = m/d'], []],
  ['the only task of each', ['m/d'], ['n/e'], ['d / e: m/d = n/e'], []],
  ['one model each', ['m/d', 'm/e'], ['n/e', 'n/d'], ['d: m/d = n/d', 'e: m/e = n/e'], []],
  [
    'several models',
    ['m/d', 'n/d'],
    ['n/d', 'm/d', 'o/d'],
    ['m on d: m/d = m/d', 'n on d: n/d = n/d'],
    ['B o/d'],
  ],
  ['a dataset that only A has', ['m/d', 'm/e'], ['m/d'], ['d: m/d = m/d'], ['A m/e']],
])('%s', (_, left, right, pairs, single) => {
  const found = chooseTasks(side('a', ...left), side('b', ...right));
  expect(
    found.pairs.map(
      ({ name, a, b }) => `${name}: ${a.model}/${a.dataset} = ${b.model}/${b.dataset}`,
    ),
  ).toEqual(pairs);
  const { a, b } = found.single;
  expect([
    ...a.map((task) => `A ${taskName(task)}`),
    ...b.map((task) => `B ${taskName(task)}`),
  ]).toEqual(single);
});

test('nothing in common, or everything', () => {
  const none = () => chooseTasks(side('a', 'm/d', 'm/e'), side('b', 'n/f', 'o/f'));
  expect(none).toThrow(expect.objectContaining({ code: 'compare.no_common_tasks' }));
  const same = () => chooseTasks(side('a', 'm/d', 'n/d'), side('a', 'm/d', 'n/d'));
  expect(same).toThrow(
    expect.objectContaining({
      code: 'compare.same_run',
      hint: expect.stringContaining('--models m,n'),
    }),
  );
});

test('changes by path, as configs spell it', () => {
  const before = {
    inferCfg: { promptTemplate: { config: { template: 'a' } } },
    n: 1,
    list: [1, 2],
  };
  const after = {
    inferCfg: { promptTemplate: { config: { template: 'b' } } },
    list: [1, 3],
    m: {},
  };
  expect(listChanges(before, after)).toEqual([
    { path: 'infer_cfg.prompt_template.template', a: 'a', b: 'b' },
    { path: 'n', a: '1', b: undefined },
    { path: 'list.1', a: '2', b: '3' },
    { path: 'm', a: undefined, b: '{}' },
  ]);
  expect(listChanges(before, before)).toEqual([]);
  const written = (value: number) => ({
    iceTemplate: { config: { template: { yesNo: value } }, source: [] },
    promptTemplate: { config: { template: { A: value } } },
    inferencer: { maxOutLen: value, generationKwargs: { topK: value } },
    evalCfg: { predPostprocessor: { maxLen: value } },
  });
  expect(listChanges(written(1), written(2)).map(({ path }) => path)).toEqual([
    'ice_template.template.yesNo',
    'prompt_template.template.A',
    'inferencer.max_out_len',
    'inferencer.generation_kwargs.topK',
    'eval_cfg.pred_postprocessor.maxLen',
  ]);
  const [change] = listChanges(
    { hash: 'a'.repeat(64), text: 'x' },
    { hash: 'b'.repeat(64), text: 'x' },
  );
  expect(change).toEqual({ path: 'hash', a: 'aaaaaaaaaaaa', b: 'bbbbbbbbbbbb' });
  expect(listChanges('', 'y'.repeat(500))[0]?.b).toHaveLength(121);
});
