import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeZip } from '../../src/base/zip.fixture.ts';

/** A row as a harness records it. */
export interface GivenRow {
  readonly prompt: string;
  readonly answer: string;
  readonly gold: string;
  readonly score: number;
  readonly extracted?: string;
}

/** Sums, the second of which is answered wrongly. */
export const sumRows: readonly GivenRow[] = [
  { prompt: '2+2=', answer: '4', gold: '4', score: 1 },
  { prompt: '3+5=', answer: '9', gold: '8', score: 0 },
  { prompt: '9-4=', answer: '5', gold: '5', score: 1 },
  { prompt: '6*7=', answer: '42', gold: '42', score: 1 },
];

/** Writes files into a folder of their own, and gives that. */
export function writeFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-open-'));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, isText ? content : JSON.stringify(content));
  }
  return folder;
}

export const jsonLines = (items: readonly unknown[]) =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');

export const meanScore = (rows: readonly GivenRow[]) =>
  rows.reduce((sum, { score }) => sum + score, 0) / rows.length;

const byNumber = (items: readonly unknown[]) =>
  Object.fromEntries(items.map((item, index) => [String(index), item]));

const detailsOf = (rows: readonly GivenRow[]) =>
  byNumber(
    rows.map(({ extracted, answer, gold, score }) => ({
      pred: extracted ?? answer,
      answer: gold,
      correct: score === 1,
    })),
  );

export function openCompassFolder(rows: readonly GivenRow[], name = 'sums'): string {
  const predictions = rows.map(({ prompt, answer, gold }) => ({
    origin_prompt: [{ role: 'HUMAN', prompt }],
    prediction: answer,
    gold,
  }));
  return writeFiles({
    [`20260101_000000/predictions/tiny/${name}.json`]: byNumber(predictions),
    [`20260101_000000/results/tiny/${name}.json`]: {
      accuracy: meanScore(rows) * 100,
      details: detailsOf(rows),
    },
  });
}

export function aisBenchFolder(rows: readonly GivenRow[]): string {
  const predictions = rows.map(({ prompt, answer, gold }, id) => ({
    id,
    origin_prompt: prompt,
    prediction: answer,
    gold,
  }));
  return writeFiles({
    'predictions/tiny/sums.jsonl': jsonLines(predictions),
    'results/tiny/sums.json': { accuracy: meanScore(rows) * 100, details: detailsOf(rows) },
  });
}

/** Scored by a task that takes white space away and compares. */
export function lmEvalFolder(rows: readonly GivenRow[]): string {
  const samples = rows.map(({ prompt, answer, gold, score, extracted }, doc_id) => ({
    doc_id,
    doc: { question: prompt, answer: gold },
    target: gold,
    arguments: { gen_args_0: { arg_0: prompt, arg_1: { until: ['\n'] } } },
    resps: [[` ${answer}`]],
    filtered_resps: [extracted ?? answer],
    filter: 'stripped',
    metrics: ['exact_match'],
    exact_match: score,
  }));
  const stamp = '2026-01-01T00-00-00.000000';
  const stripped = [{ function: 'remove_whitespace' }, { function: 'take_first' }];
  return writeFiles({
    [`tiny/results_${stamp}.json`]: {
      results: { sums: { alias: 'sums', 'exact_match,stripped': meanScore(rows) } },
      configs: {
        sums: {
          ...{ task: 'sums', output_type: 'generate_until', test_split: 'test' },
          ...{ doc_to_text: '{{question}}', doc_to_target: '{{answer}}' },
          filter_list: [{ name: 'stripped', filter: stripped }],
          metric_list: [{ metric: 'exact_match', aggregation: 'mean', higher_is_better: true }],
        },
      },
      model_name: 'tiny',
    },
    [`tiny/samples_sums_${stamp}.jsonl`]: jsonLines(samples),
  });
}

export function inspectFiles(rows: readonly GivenRow[], epochs = 1): Record<string, string> {
  const samples = rows.map(({ prompt, answer, gold, score, extracted }, index) => ({
    id: Math.floor(index / epochs) + 1,
    epoch: (index % epochs) + 1,
    input: prompt,
    target: gold,
    output: {
      model: 'tiny',
      choices: [{ message: { role: 'assistant', content: answer } }],
    },
    scores: { match: { value: score === 1 ? 'C' : 'I', answer: extracted ?? answer } },
  }));
  const metrics = { accuracy: { name: 'accuracy', value: meanScore(rows) } };
  const header = {
    version: 2,
    eval: { task: 'sums', model: 'tiny' },
    results: { scores: [{ name: 'match', scorer: 'match', metrics }] },
  };
  return Object.fromEntries([
    ['header.json', JSON.stringify(header)],
    ...samples.map((one) => [`samples/${one.id}_epoch_${one.epoch}.json`, JSON.stringify(one)]),
  ]);
}

export function inspectFile(rows: readonly GivenRow[], epochs = 1): string {
  return join(writeFiles({ 'sums.eval': makeZip(inspectFiles(rows, epochs)) }), 'sums.eval');
}

/** It records no value that is read out of an answer, and no gold answer. */
export function promptfooFile(rows: readonly GivenRow[]): string {
  const results = rows.map(({ prompt, answer, score }, testIdx) => ({
    ...{ promptIdx: 0, testIdx, provider: { id: 'tiny' }, vars: { prompt } },
    prompt: { raw: prompt, label: '{{prompt}}' },
    response: { output: answer },
    ...{ success: score === 1, score, gradingResult: { pass: score === 1, score } },
  }));
  const file = { evalId: 'eval-1', results: { version: 3, results }, config: {} };
  return join(writeFiles({ 'sums.json': file }), 'sums.json');
}
