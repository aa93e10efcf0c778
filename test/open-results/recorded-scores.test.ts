import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../../src/index.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { jsonLines, writeFiles } from './foreign-files.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');

interface Grades {
  readonly values: readonly unknown[];
  readonly metric: string;
  readonly value: number;
}

/** A log of Inspect; samples without a grade ended in an error. */
function gradedLog({ values, metric, value }: Grades): string {
  const samples = values.map((grade, index) => ({
    ...{ id: index + 1, epoch: 1, input: `Say ${index}.`, target: 'x' },
    ...(grade === undefined
      ? { error: { message: 'no connection' } }
      : { output: { completion: 'y' }, scores: { graded: { value: grade } } }),
  }));
  const results = { scores: [{ name: 'graded', metrics: { [metric]: { value } } }] };
  const log = { eval: { task: 'essays', model: 'tiny' }, results, samples };
  return join(writeFiles({ 'essays.json': log }), 'essays.json');
}

test.each([
  ['1 to 5', [1, 3, 5, 1], 2.5, '3'],
  ['0 to 100', [0, 70, 100, 1], 42.75, '70'],
  ['letters of another kind', ['C', 'B', 'I'], 0.5, 'B'],
])(
  'Inspect: grades of %s leave no row with a score, and are named',
  async (_, values, value, shown) => {
    const file = gradedLog({ values, value, metric: 'mean' });
    const out = newFolder();
    const said = await callCommand(['open', file, '--out', out]);
    expect(said.code).toBe(3);
    expect(said.stderr).toContain(`essays: grades such as ${shown} are not from 0 to 1`);
    expect(said.stdout).toMatch(/essays\s+score\s+–\s+–/);
    const compared = await callCommand([
      'compare',
      file,
      gradedLog({ values, value, metric: 'mean' }),
    ]);
    expect(compared, compared.stderr).toMatchObject({ code: 3 });
    expect(compared.stdout).toContain('No row is scored on both sides');
  },
);

test('Inspect: samples that ended in an error are not counted there, nor here', async () => {
  const file = gradedLog({ values: ['C', undefined, 'I', 'C'], metric: 'accuracy', value: 2 / 3 });
  const said = await callCommand(['open', file, '--out', newFolder()]);
  expect(said, said.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toMatch(/accuracy\s+0\.6667\s+0\.6667/);
});

const stamp = '2026-01-01T00-00-00.000000';

function lmEvalResults(parts: {
  readonly task: Record<string, unknown>;
  readonly values: Record<string, unknown>;
  readonly samples: readonly object[];
  readonly shots?: number;
}): string {
  const { task, values, samples, shots } = parts;
  return writeFiles({
    [`tiny/results_${stamp}.json`]: {
      results: { sums: values },
      configs: { sums: { task: 'sums', test_split: 'test', ...task } },
      ...(shots !== undefined && { 'n-shot': { sums: shots } }),
      model_name: 'tiny',
    },
    [`tiny/samples_sums_${stamp}.jsonl`]: jsonLines(samples),
  });
}

const exact = {
  output_type: 'generate_until',
  ...{ doc_to_text: '{{q}}', doc_to_target: '{{a}}' },
  metric_list: [{ metric: 'exact_match', aggregation: 'mean', higher_is_better: true }],
};

const written = [3, 4, 5, 6].map((number, doc_id) => ({
  ...{ doc_id, doc: { q: `${number}+0=`, a: `${number}` }, target: `${number}` },
  arguments: { gen_args_0: { arg_0: `1+1=2\n\n${number}+0=`, arg_1: { until: ['\n'] } } },
  resps: [[doc_id === 0 ? '9' : `${number}`]],
  filtered_resps: [doc_id === 0 ? '9' : `${number}`],
  ...{ filter: 'none', metrics: ['exact_match'], exact_match: Number(doc_id > 0) },
}));

test('leaderboard takes results of lm-evaluation-harness as they are, with the examples that were shown', async () => {
  const values = { 'exact_match,none': 0.75 };
  const folder = lmEvalResults({ task: exact, values, samples: written, shots: 1 });
  const said = await callCommand(['leaderboard', folder]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  expect(said.stdout).toContain('75.0');
  expect(said.stdout).toContain('Asked: sums 4 rows, 1-shot.');
});

test('lm-evaluation-harness: text that was not counted at the beginning is not counted here', async () => {
  const texts = ['One two three four', 'Élan vital is all'];
  // Without the first token: `One`, `Élan`.
  const counts = [
    { words: 3, bytes: 15 },
    { words: 3, bytes: 13 },
  ];
  const samples = texts.map((page, doc_id) => ({
    ...{ doc_id, doc: { page }, target: page, arguments: { gen_args_0: { arg_0: page } } },
    ...{ resps: [['-6']], filtered_resps: ['-6'], filter: 'none' },
    metrics: ['word_perplexity', 'byte_perplexity'],
    word_perplexity: [-6, counts[doc_id]?.words],
    byte_perplexity: [-6, counts[doc_id]?.bytes],
  }));
  const metrics = ['word_perplexity', 'byte_perplexity'].map((metric) => ({ metric }));
  const folder = lmEvalResults({
    task: { output_type: 'loglikelihood_rolling', doc_to_target: '{{page}}', metric_list: metrics },
    values: {
      'word_perplexity,none': Math.exp(12 / 6),
      'byte_perplexity,none': Math.exp(12 / 28),
    },
    samples,
  });
  const said = await callCommand(['open', folder, '--out', newFolder()]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  expect(said.stdout).toMatch(/word_perplexity\s+7\.3891\s+7\.3891\s+the task/);
});

test('lm-evaluation-harness: every metric and filter is held against its rows', async () => {
  const filters = ['all', 'digits'].map((name) => ({
    name,
    filter: [
      ...(name === 'all' ? [] : [{ function: 'regex', regex_pattern: '(\\d)' }]),
      { function: 'take_first' },
    ],
  }));
  const samples = written.map((sample) => ({ ...sample, filter: 'all' }));
  const openWith = (digits: number) =>
    callCommand([
      ...['open', '--out', newFolder()],
      lmEvalResults({
        task: { ...exact, filter_list: filters },
        values: { 'exact_match,all': 0.75, 'exact_match,digits': digits },
        samples,
      }),
    ]);
  const right = await openWith(0.75);
  expect(right, right.stderr).toMatchObject({ code: 0, stderr: '' });
  const wrong = await openWith(0.99);
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toBe(
    'sums: the results file says 0.99 of exact_match,digits, but its rows give 0.75.\n',
  );
});

test('lm-evaluation-harness: equal texts of two rows have the loglikelihoods that each row recorded', async () => {
  // A server that batches gives one text two figures.
  const likelihoods = [
    [-1, -2],
    [-3, -2],
  ];
  const samples = likelihoods.map((values, doc_id) => ({
    ...{ doc_id, doc: { q: 'Is it?', a: 0 }, target: '0' },
    arguments: Object.fromEntries(
      ['yes', 'no'].map((word, at) => [`gen_args_${at}`, { arg_0: 'Is it? ', arg_1: ` ${word}` }]),
    ),
    resps: values.map((value) => [[String(value), 'False']]),
    filtered_resps: values.map((value) => [String(value), 'False']),
    ...{ filter: 'none', metrics: ['acc'], acc: Number(doc_id === 0) },
  }));
  const task = {
    ...{ output_type: 'multiple_choice', doc_to_text: '{{q}} ', doc_to_target: '{{a}}' },
    ...{ doc_to_choice: ['yes', 'no'], metric_list: [{ metric: 'acc' }] },
  };
  const folder = lmEvalResults({ task, values: { 'acc,none': 0.5 }, samples });
  const said = await callCommand(['open', folder, '--out', newFolder()]);
  expect(said, said.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toMatch(/acc\s+0\.5\s+0\.5\s+the task/);
});
