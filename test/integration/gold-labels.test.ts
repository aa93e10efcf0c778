import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, loadConfig, openRun, planRun, rescore } from '../../src/index.ts';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const keyed = (...labels: readonly (string | number)[]) => ({
  prompt_template: { template: Object.fromEntries(labels.map((label) => [label, `{t} ${label}`])) },
  inferencer: { type: 'PPLInferencer' },
});
const compared = (type: string, labels?: readonly unknown[]) => ({
  prompt_template: { template: '{t} is {y}' },
  inferencer: { type, ...(labels && { labels }) },
});
const accuracy = { evaluator: { type: 'AccEvaluator' } };

/** How rows are asked and scored, their gold answers, and the rows whose gold answer is no label. */
const cases: readonly (readonly [object, object, readonly unknown[], readonly number[]])[] = [
  [keyed(1, 2, 3), accuracy, [0, 1, 2, 0], [0, 3]],
  [keyed('A', 'B'), accuracy, ['0', '1'], [0, 1]],
  [keyed('A', 'B'), accuracy, ['A', 'C', 'b'], [1, 2]],
  [keyed(0, 1), accuracy, ['0', '1', 1], []],
  [compared('PPLInferencer', [0, 1, 2]), accuracy, [0, 3, 2], [1]],
  [compared('LLInferencer', ['yes', 'no']), accuracy, ['yes', 'maybe'], [1]],
  [compared('CLPInferencer', ['good', 'bad']), accuracy, ['bad', 'neutral', 'good'], [1]],
  [compared('CLPInferencer', ['a', 'b']), { evaluator: { type: 'EMEvaluator' } }, ['c', 'b'], [0]],
  [
    compared('CLPInferencer', ['no', 'yes']),
    { evaluator: { type: 'AUCROCEvaluator' } },
    [0, 1],
    [],
  ],
  [
    compared('CLPInferencer', ['0', '1']),
    { evaluator: { type: 'classification' } },
    ['0', '2'],
    [1],
  ],
  [compared('CLPInferencer'), accuracy, ['x', 'y', 'z'], [2]],
  [
    compared('PPLInferencer', ['A', 'B']),
    { ...accuracy, dataset_postprocessor: { type: 'first-capital' } },
    ['(A)', '(C)'],
    [1],
  ],
  // What says already that it cannot use a gold answer.
  [compared('PPLInferencer', ['A', 'B']), { evaluator: { type: 'choice' } }, ['A', '?'], []],
];

const configOf = (compat?: string) => ({
  ...(compat && { compat }),
  models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
  datasets: cases.map(([infer_cfg, eval_cfg, golds], index) => ({
    abbr: `d${index}`,
    rows: golds.map((y, row) => ({ t: `text ${row}`, y, choices: ['x', 'y'] })),
    reader_cfg: { input_columns: ['t'], output_column: 'y' },
    infer_cfg,
    eval_cfg,
  })),
});

test('rows whose gold answer is no label are told in view, plan, run and report', async () => {
  const folder = await writeFolder({
    'own.json': JSON.stringify(configOf()),
    'oc.json': JSON.stringify(configOf('opencompass')),
  });
  const expected = cases.map(([, , , wrong]) => wrong);
  const firstOf = (
    found: readonly { readonly notALabel?: { readonly first: readonly number[] } }[],
  ) => found.map(({ notALabel }) => notALabel?.first ?? []);
  for (const name of ['own', 'oc']) {
    const [file, out] = [join(folder, `${name}.json`), join(folder, name)];
    const config = await loadConfig(file);
    expect(firstOf((await planRun(config, { out })).tasks)).toEqual(expected);
    const { summary } = await evaluate(config, { out });
    expect(firstOf(summary.results)).toEqual(expected);
    expect(summary.results[0]).toMatchObject({
      rows: { scored: 4, unscored: 0 },
      notALabel: { rows: 2, example: { gold: '0', labels: ['1', '2', '3'] } },
    });
    const marked: number[][] = cases.map(() => []);
    for await (const { dataset, id, notALabel } of (await openRun(out)).rows())
      if (notALabel) marked[Number(dataset.slice(1))]?.push(id);
    expect(marked.map((ids) => ids.toSorted())).toEqual(expected);
    expect(firstOf((await rescore(out)).summary.results)).toEqual(expected);
  }
  const [file, out] = [join(folder, 'own.json'), join(folder, 'own')];
  const said =
    '2 of 4 gold answers are none of the labels, so their rows cannot be right: rows 0, 3; row 0 has `0`, the labels are `1`, `2`, `3`';
  const planned = await callCommand(['plan', file, '--out', join(folder, 'none')]);
  expect(planned.stdout).toContain(`Labels: tiny on d0: ${said}.`);
  const printed = await callCommand(['run', file, '--out', out]);
  expect(printed.stdout).toContain(`tiny on d0: ${said}`);
  expect(printed.stderr).toContain(
    'warning[data.gold_not_a_label] 1 of 3 different gold answers of `d0` is none of the labels: the labels are `1`, `2`, `3`, the column `y` has `0`',
  );
  for (const page of ['summary.md', 'report.html'])
    expect((await readFile(join(out, page), 'utf8')).replaceAll('\\', '')).toContain(said);
  const shown = async (row: string) =>
    (await callCommand(['view', file, '--dataset', 'd0', '--row', row])).stdout;
  expect(await shown('0')).toContain('the gold answer `0` is none of the labels');
  expect(await shown('1')).not.toContain('the gold answer `1`');
}, 60_000);
