import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRuns } from '../../src/api/compare-runs.ts';
import { evaluate } from '../../src/api/evaluate.ts';
import { rescore } from '../../src/api/rescore.ts';
import { sweep } from '../../src/api/sweep.ts';
import type { EvaluatorInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { openRun } from '../../src/run/store/open-run.ts';
import { readRun } from '../../src/study/leaderboard/read-run.ts';
import { startFaultServer } from '../fault-server/index.ts';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const clusters = 8;
const rowsOfCluster = 3;

/**
 * Rows of eight documents. The server works out sums: `{second}` is right everywhere, `{first}` is
 * wrong all over the first four documents.
 */
const rows = Array.from({ length: clusters * rowsOfCluster }, (_, id) => {
  const document = Math.floor(id / rowsOfCluster);
  return {
    doc_id: `document ${document}`,
    first: `${id} + ${document < 4 ? 8 : 7}`,
    second: `${id} + 7`,
    answer: String(id + 7),
  };
});

interface TaskParts {
  readonly template?: string;
  readonly clusterBy?: string | undefined;
  readonly evaluator?: EvaluatorInput;
  readonly more?: object;
}

function configOf(url: string, folder: string, parts: TaskParts = {}) {
  const { template = 'What is {first}?', clusterBy, evaluator = { type: 'exact' }, more } = parts;
  return parseConfig(
    {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: `${url}/v1`, model: 'fault' }],
      datasets: [
        {
          abbr: 'd',
          rows,
          reader_cfg: {
            input_columns: ['first', 'second'],
            output_column: 'answer',
            ...(clusterBy !== undefined && { cluster_by: clusterBy }),
          },
          infer_cfg: {
            prompt_template: { type: 'PromptTemplate', template },
            retriever: { type: 'ZeroRetriever' },
            inferencer: { type: 'GenInferencer' },
          },
          eval_cfg: { evaluator },
          ...more,
        },
      ],
    },
    { folder },
  );
}

const widthOf = (score: { low?: number; high?: number } | undefined) =>
  (score?.high ?? 0) - (score?.low ?? 0);

test('from the config to records, intervals, tests and files; nothing is asked again', async () => {
  await using server = await startFaultServer();
  const folder = await writeFolder({});
  const runOf = async (name: string, parts: TaskParts) => {
    const out = join(folder, name);
    const { summary } = await evaluate(await configOf(server.url, folder, parts), { out });
    return summary.results[0];
  };
  const second = { template: 'What is {second}?' };
  const plain = await runOf('a', {});
  await runOf('b', second);
  const sent = (await server.stats()).requests;
  expect(plain).toMatchObject({ possibleClusters: { by: 'doc_id', count: clusters } });
  expect(plain).not.toHaveProperty('clusters');
  const byRows = await compareRuns(join(folder, 'a'), join(folder, 'b'));
  expect(byRows.tasks[0]?.verdict.type).toBe('b-better');
  expect(byRows.warnings.join()).toContain('`doc_id`');

  const clustered = await runOf('a', { clusterBy: 'doc_id' });
  const right = await runOf('b', { ...second, clusterBy: 'doc_id' });
  expect((await server.stats()).requests).toBe(sent);
  expect(clustered).toMatchObject({
    clusters: { by: 'doc_id', count: clusters },
    score: { value: 0.5, method: 'clustered' },
  });
  expect(clustered).not.toHaveProperty('possibleClusters');
  expect(widthOf(clustered?.score)).toBeGreaterThan(1.4 * widthOf(plain?.score));
  // All right in all clusters is no certainty.
  expect(right?.score).toMatchObject({ value: 1, high: 1 });
  expect(right?.score?.low).toBeLessThan(0.7);

  const run = await openRun(join(folder, 'a'));
  for await (const { id, cluster } of run.rows({})) expect(cluster).toBe(rows[id]?.doc_id);
  const markdown = await readFile(join(folder, 'a/summary.md'), 'utf8');
  expect(markdown).toContain('interval by 8 clusters of doc_id');

  const { tasks, warnings } = await compareRuns(join(folder, 'a'), join(folder, 'b'));
  expect(warnings).toEqual([]);
  expect(tasks[0]).toMatchObject({
    verdict: { type: 'undecided' },
    result: {
      p: 2 * 0.5 ** 4,
      pairs: rows.length,
      clusters: { by: 'doc_id', count: clusters },
      test: { type: 'permutation', method: 'exact', higherB: 12, higherA: 0 },
    },
  });
  expect(tasks[0]?.verdict.text).toContain('n = 24 in 8 clusters');

  const [ranked] = await readRun(join(folder, 'a'));
  expect(ranked?.scores[0]?.score).toEqual(clustered?.score);
  expect(ranked?.scores[0]?.rows?.clusters?.size).toBe(rows.length);

  // Recorded clusters need no data; a config without them takes them away.
  const again = await rescore(join(folder, 'a'));
  expect(again.summary.results[0]).toMatchObject({
    score: clustered?.score,
    clusters: { count: 8 },
  });
  await rescore(join(folder, 'a'), { config: await configOf(server.url, folder) });
  const mixed = await compareRuns(join(folder, 'a'), join(folder, 'b'));
  expect(mixed.tasks[0]?.result).toMatchObject({ p: 2 * 0.5 ** 4, clusters: { count: 8 } });
  expect(mixed.warnings.join()).toContain('the clusters of `doc_id` in B count');
  await rescore(join(folder, 'b'), { config: await configOf(server.url, folder, second) });
  const without = await compareRuns(join(folder, 'a'), join(folder, 'b'));
  expect(without.tasks[0]?.verdict.type).toBe('b-better');
  const config = await configOf(server.url, folder, { ...second, clusterBy: 'doc_id' });
  const back = await rescore(join(folder, 'b'), { config });
  expect(back.summary.results[0]?.score).toEqual(right?.score);
});

test.each<[name: string, parts: TaskParts, metric: string]>([
  ['cells', { evaluator: { type: 'classification' } }, 'f1'],
  ['sums', { evaluator: { type: 'bleu' } }, 'bleu'],
  ['fractions', { evaluator: { type: 'rouge' } }, 'rouge'],
  ['repeats', { more: { n: 2 } }, 'accuracy'],
])('%s: intervals and tests by clusters', async (_, parts, metric) => {
  await using server = await startFaultServer();
  const folder = await writeFolder({});
  for (const [name, template] of [
    ['a', 'What is {first}?'],
    ['b', 'What is {second}?'],
  ] as const) {
    const config = await configOf(server.url, folder, { ...parts, template, clusterBy: 'doc_id' });
    const { summary } = await evaluate(config, { out: join(folder, name) });
    const [result] = summary.results;
    expect(result?.metric.toLowerCase()).toContain(metric);
    expect(result?.clusters).toEqual({ by: 'doc_id', count: clusters });
    for (const { name, score } of [
      { name: metric, score: result?.score },
      ...(result?.metrics ?? []),
    ]) {
      expect(score?.method).toBe('clustered');
      expect(widthOf(score)).toBeGreaterThan(0.2);
      expect(score?.low).toBeGreaterThanOrEqual(name === 'mcc' ? -1 : 0);
      expect(score?.high).toBeLessThanOrEqual(1);
    }
  }
  const { tasks } = await compareRuns(join(folder, 'a'), join(folder, 'b'));
  expect(tasks[0]?.result?.clusters?.count).toBe(clusters);
  expect(tasks[0]?.result?.p).toBeGreaterThan(0.05);
  expect(tasks[0]?.verdict.type).toBe('undecided');
});

test('a sweep claims nothing that one document could have made', async () => {
  await using server = await startFaultServer();
  const folder = await writeFolder({});
  const config = await configOf(server.url, folder, { clusterBy: 'doc_id' });
  const templates = ['first', 'second'].map((name) => ({
    name,
    prompt_template: { type: 'PromptTemplate', template: `What is {${name}}?` },
  }));
  const { summary } = await sweep(config, { axes: { templates }, out: join(folder, 'sweep') });
  const [sheet] = summary.sheets;
  expect(sheet?.clusters).toEqual({ by: 'doc_id', count: clusters });
  expect(sheet?.comparisons).toMatchObject([{ p: 2 * 0.5 ** 4, isDifferent: false }]);
  expect(sheet?.remarks.join()).toContain('8 clusters of `doc_id`');
  expect(sheet?.variance?.map(({ source }) => source)).toContain('clusters');
});

test('the command line: a flag, a warning, a misspelt column, one cluster', async () => {
  await using server = await startFaultServer();
  const folder = await writeFolder({
    'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  const run = (name: string, ...more: string[]) =>
    callCommand([
      ...[
        'run',
        join(folder, 'rows.jsonl'),
        '--model',
        `${server.url}/v1`,
        '--model-name',
        'fault',
      ],
      ...['--template', 'What is {first}?', '--output-column', 'answer'],
      ...['--out', join(folder, name), ...more],
    ]);
  const plain = await run('run');
  expect(plain.code).toBe(0);
  expect(plain.stderr).toContain(
    'warning[run.possible_clusters] rows: 24 rows have 8 values of `doc_id`',
  );
  expect(plain.stderr).toContain('hint: Set `cluster_by: doc_id`');
  const clustered = await run('run', '--cluster-by', 'doc_id');
  expect(clustered.stderr).not.toContain('warning');
  expect(clustered.stdout).toContain('fault on rows: interval by 8 clusters of doc_id');
  const misspelt = await run('run', '--cluster-by', 'doc_di');
  expect(misspelt.code).toBe(2);
  expect(misspelt.stderr).toContain('data.unknown_column');
  expect(misspelt.stderr).toContain('Did you mean `doc_id`?');
  const one = await run('one', '--cluster-by', 'doc_id', '--limit', '3');
  expect(one.stdout).toContain('one cluster of doc_id: no interval');
});

test('a misspelt column of a config has a place', async () => {
  const config = [
    'datasets:',
    '  - abbr: d',
    '    rows: [{ question: 1 + 1, doc_id: 1 }]',
    '    reader_cfg:',
  ]
    .concat([
      '      input_columns: [question]',
      '      output_column: null',
      '      cluster_by: doc_i',
    ])
    .concat([
      '    infer_cfg:',
      '      prompt_template: { type: PromptTemplate, template: "{question}" }',
    ])
    .concat([
      '      retriever: { type: ZeroRetriever }',
      '      inferencer: { type: GenInferencer }',
    ])
    .concat(['models: [{ abbr: m, type: Local, path: typecase-tiny }]', '']);
  const folder = await writeFolder({ 'config.yaml': config.join('\n') });
  const { code, stderr } = await callCommand(['plan', join(folder, 'config.yaml')]);
  expect(code).toBe(2);
  expect(stderr).toContain('config.yaml:7:');
  expect(stderr).toContain('Did you mean `doc_id`?');
});
