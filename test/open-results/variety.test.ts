import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import '../../src/index.ts';
import { mismatches, openResults } from '../../src/import/results/open-results.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import {
  type GivenRow,
  inspectFiles,
  jsonLines,
  lmEvalFolder,
  sumRows as rows,
  writeFiles,
} from './foreign-files.ts';

async function open(path: string) {
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  const opened = await openResults(path, out);
  return opened.flatMap(({ evaluations }) =>
    evaluations.map(({ model, dataset, recorded, here, scoring, metric }) => ({
      ...{ model, dataset, metric, scoring: scoring.type },
      recorded: recorded === undefined ? undefined : Number(recorded.toFixed(6)),
      here: here === undefined ? undefined : Number(here.toFixed(6)),
    })),
  );
}

const predictions = (given: readonly GivenRow[]) =>
  Object.fromEntries(
    given.map(({ prompt, answer, gold }, id) => [
      String(id),
      { origin_prompt: prompt, prediction: answer, gold },
    ]),
  );

describe('OpenCompass and AISBench', () => {
  test('models and datasets may have slashes in their names', async () => {
    const folder = writeFiles({
      'predictions/org/tiny/sums.json': predictions(rows),
      'predictions/org/tiny/hard/more.json': predictions(rows.slice(0, 2)),
      'results/org/tiny/sums.json': { accuracy: 75 },
      'results/org/tiny/hard/more.json': { accuracy: 50 },
      'predictions/plain/sums.json': predictions(rows),
      'results/plain/sums.json': { accuracy: 75 },
    });
    expect(await open(folder)).toMatchObject([
      { model: 'org/tiny', dataset: 'hard/more', recorded: 0.5, here: 0.5 },
      { model: 'org/tiny', dataset: 'sums', recorded: 0.75, here: 0.75 },
      { model: 'plain', dataset: 'sums', recorded: 0.75, here: 0.75 },
    ]);
  });

  test('numbers at the end of names are parts only where no results say otherwise', async () => {
    const folder = writeFiles({
      'predictions/m/race_0.json': predictions(rows.slice(0, 2)),
      'predictions/m/race_1.json': predictions(rows.slice(2)),
      'results/m/race_0.json': { accuracy: 50 },
      'results/m/race_1.json': { accuracy: 100 },
      'predictions/m/sums_0.json': predictions(rows.slice(0, 2)),
      'predictions/m/sums_1.json': predictions(rows.slice(2)),
      'results/m/sums.json': { accuracy: 75 },
      'predictions/m/tmp_other_0.json': predictions(rows.slice(0, 1)),
    });
    expect(await open(folder)).toMatchObject([
      { dataset: 'race_0', recorded: 0.5, here: 0.5 },
      { dataset: 'race_1', recorded: 1, here: 1 },
      { dataset: 'sums', recorded: 0.75, here: 0.75 },
    ]);
  });

  test('a part that is missing is named, and no other rows take its place', async () => {
    const folder = writeFiles({
      'predictions/m/sums_0.json': predictions(rows.slice(0, 2)),
      'predictions/m/sums_2.json': predictions(rows.slice(2)),
      'results/m/sums.json': { accuracy: 75 },
    });
    const said = await callCommand(['open', folder, '--out', join(folder, 'out')]);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('sums_1');
  });

  test('lines that were written as they came are put in the order of their numbers', async () => {
    const lines = rows.map(({ prompt, answer, gold }, id) => ({
      ...{ id, origin_prompt: prompt, prediction: answer, gold },
    }));
    const folder = writeFiles({
      'predictions/m/sums.jsonl': jsonLines(lines.toReversed()),
      'results/m/sums.json': {
        accuracy: 75,
        details: rows.map(({ score, answer }) => ({ pred: answer, correct: score === 1 })),
      },
    });
    expect(await open(folder)).toMatchObject([
      { recorded: 0.75, here: 0.75, scoring: 'evaluator' },
    ]);
  });
});

interface Task {
  readonly name: string;
  readonly metric: string;
  readonly metrics: readonly string[];
  readonly values: Readonly<Record<string, number>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly rows?: readonly GivenRow[];
  readonly order?: readonly number[];
}

function lmEvalFiles(folder: string, stamp: string, tasks: readonly Task[]) {
  const samples = tasks.map(({ name, metrics, rows: given = rows, order }) => {
    const written = given.map(({ prompt, answer, gold, score }, doc_id) => ({
      ...{ doc_id, doc: { question: prompt, answer: gold }, target: gold },
      arguments: { gen_args_0: { arg_0: prompt, arg_1: { until: ['\n'] } } },
      ...{ resps: [[answer]], filtered_resps: [answer], filter: 'none', metrics },
      ...Object.fromEntries(metrics.map((metric) => [metric, score])),
    }));
    const sorted = (order ?? given.map((_, id) => id)).map((id) => written[id]);
    return [`${folder}/samples_${name}_${stamp}.jsonl`, jsonLines(sorted)];
  });
  const configs = tasks.map(({ name, metric, config }) => [
    name,
    {
      ...{ task: name, output_type: 'generate_until', test_split: 'test' },
      ...{ doc_to_text: '{{question}}', doc_to_target: '{{answer}}' },
      metric_list: [
        { metric, aggregation: metric === 'bleu' ? 'bleu' : 'mean', higher_is_better: true },
      ],
      ...config,
    },
  ]);
  return {
    [`${folder}/results_${stamp}.json`]: {
      results: Object.fromEntries(
        tasks.map(({ name, values }) => [name, { alias: name, ...values }]),
      ),
      configs: Object.fromEntries(configs),
      model_name: folder,
    },
    ...Object.fromEntries(samples),
  };
}

const exact = {
  metric: 'exact_match',
  metrics: ['exact_match'],
  values: { 'exact_match,none': 0.75 },
};

describe('lm-evaluation-harness', () => {
  test('of each model and task in a folder the latest results count', async () => {
    const folder = writeFiles({
      ...lmEvalFiles('big', '2026-01-01T00-00-00.000000', [
        { name: 'old', ...exact },
        { name: 'sums', ...exact, values: { 'exact_match,none': 0.1 } },
      ]),
      ...lmEvalFiles('big', '2026-01-02T00-00-00.000000', [{ name: 'sums', ...exact }]),
      ...lmEvalFiles('small', '2026-01-01T12-00-00.000000', [{ name: 'sums', ...exact }]),
    });
    expect(await open(folder)).toMatchObject([
      { model: 'big', dataset: 'old', recorded: 0.75, here: 0.75 },
      { model: 'big', dataset: 'sums', recorded: 0.75, here: 0.75 },
      { model: 'small', dataset: 'sums', recorded: 0.75, here: 0.75 },
    ]);
  });

  test('BLEU is from 0 to 100 there, and one and the same number here', async () => {
    const texts = rows.map((row) => ({
      ...row,
      answer: 'the cat sat on the mat',
      gold: 'the cat sat on the mat',
      score: 1,
    }));
    const folder = writeFiles(
      lmEvalFiles('m', '2026-01-01T00-00-00.000000', [
        {
          name: 'said',
          metric: 'bleu',
          metrics: ['bleu'],
          values: { 'bleu,none': 100 },
          rows: texts,
        },
      ]),
    );
    expect(await open(folder)).toMatchObject([{ metric: 'bleu', recorded: 1, here: 1 }]);
  });

  test('samples in another order, and metrics in another order, come to the same', async () => {
    const both = { 'exact_match,none': 0.75, 'f1,none': 0.1 };
    const folder = writeFiles(
      lmEvalFiles('m', '2026-01-01T00-00-00.000000', [
        {
          name: 'sums',
          ...exact,
          metrics: ['f1', 'exact_match'],
          values: both,
          order: [2, 0, 3, 1],
        },
      ]),
    );
    expect(await open(folder)).toMatchObject([
      { metric: 'exact_match', recorded: 0.75, here: 0.75, scoring: 'task' },
    ]);
  });
});

test('Inspect: of two logs of one task and model the later one counts', async () => {
  const first = makeZip(inspectFiles(rows.slice(0, 2)));
  const second = makeZip(inspectFiles(rows));
  const folder = writeFiles({
    '2026-01-01T00-00-00+00-00_sums_abc.eval': first,
    '2026-01-02T00-00-00+00-00_sums_def.eval': second,
  });
  expect(await open(folder)).toMatchObject([{ dataset: 'sums', recorded: 0.75, here: 0.75 }]);
});

test('promptfoo: the counts of its prompts are what rows are held against', async () => {
  const results = rows.map(({ prompt, answer, score }, testIdx) => ({
    ...{ promptIdx: 0, testIdx, provider: { id: 'm' }, vars: { prompt } },
    ...{ prompt: { raw: prompt, label: 'p' }, response: { output: answer }, success: score === 1 },
  }));
  const metrics = { testPassCount: 4, testFailCount: 0, testErrorCount: 0 };
  const prompts = [{ raw: '{{prompt}}', label: 'p', provider: 'm', metrics }];
  const file = { evalId: 'e', results: { version: 3, prompts, results } };
  const path = join(writeFiles({ 'sums.json': file }), 'sums.json');
  expect(await open(path)).toMatchObject([{ recorded: 1, here: 0.75 }]);
});

test('a text that is measured after two contexts has a value after each', async () => {
  // “a b c” after “a” and after “a b”.
  const request = (context: string, continuation: string, value: number) => ({
    argument: { arg_0: context, arg_1: continuation },
    response: [[String(value), 'False']],
  });
  const docs = [
    { requests: [request('a', ' b c', -1), request('a', ' x c', -2)], acc: 1 },
    { requests: [request('a b', ' c', -5), request('a b', ' d', -2)], acc: 0 },
  ];
  const choices = [
    [' b c', ' x c'],
    [' c', ' d'],
  ];
  const samples = docs.map(({ requests, acc }, doc_id) => ({
    ...{ doc_id, target: '0', filter: 'none', metrics: ['acc'], acc },
    doc: { text: doc_id === 0 ? 'a' : 'a b', choices: choices[doc_id]?.map((one) => one.trim()) },
    arguments: Object.fromEntries(requests.map(({ argument }, at) => [`gen_args_${at}`, argument])),
    resps: requests.map(({ response }) => response),
  }));
  const stamp = '2026-01-01T00-00-00.000000';
  const folder = writeFiles({
    [`m/results_${stamp}.json`]: {
      results: { picks: { alias: 'picks', 'acc,none': 0.5 } },
      configs: {
        picks: {
          ...{ task: 'picks', output_type: 'multiple_choice', test_split: 'test' },
          ...{ doc_to_text: '{{text}}', doc_to_choice: '{{choices}}', doc_to_target: 0 },
          metric_list: [{ metric: 'acc', aggregation: 'mean', higher_is_better: true }],
        },
      },
      model_name: 'm',
    },
    [`m/samples_picks_${stamp}.jsonl`]: jsonLines(samples),
  });
  expect(await open(folder)).toMatchObject([{ recorded: 0.5, here: 0.5, scoring: 'task' }]);
});

test('lm-eval: a task without samples is named', async () => {
  const folder = lmEvalFolder(rows);
  const [file = ''] = readdirSync(join(folder, 'tiny')).filter((name) =>
    name.startsWith('results'),
  );
  const path = join(folder, 'tiny', file);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  content.results.gone = { 'acc,none': 1 };
  content.configs.gone = { task: 'gone' };
  writeFileSync(path, JSON.stringify(content));
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  expect(mismatches(await openResults(folder, out))).toContain(
    'gone: the results file has its numbers, but there is no file with its rows.',
  );
});
