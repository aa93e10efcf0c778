import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import { compareRuns, evaluate, openRun, rankRuns } from '../../src/index.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import {
  type GivenRow,
  inspectFile,
  jsonLines,
  promptfooFile,
  writeFiles,
} from './foreign-files.ts';
import { packedLog } from './packed-log.ts';

const questions = ['2+2', '3+5', '9-4', '6*7', '8/2', '1+1'];
const golds = ['4', '8', '5', '42', '4', '2'];
const answers = ['4', '8', '6', '42', '4', '3'];
const right = answers.map((answer, index) => Number(answer === golds[index]));
const share = right.reduce((sum, one) => sum + one, 0) / right.length;

const write = writeFiles;
const lines = jsonLines;

function openCompass(): string {
  const predictions = questions.map((question, index) => [
    String(index),
    {
      origin_prompt: [{ role: 'HUMAN', prompt: `${question}=` }],
      prediction: answers[index],
      gold: golds[index],
    },
  ]);
  const details = right.map((one, index) => [
    String(index),
    { pred: answers[index], correct: one === 1 },
  ]);
  const labels = ['A', 'B'].map((label) => label);
  const ppl = questions.map((question, index) => [
    String(index),
    {
      ...Object.fromEntries(
        labels.map((label, at) => [
          `label: ${label}`,
          {
            'testing input': '',
            prompt: `${question} is ${label}`,
            PPL: (index + at) % 2 === 0 ? 1.5 : 2.5,
          },
        ]),
      ),
      prediction: labels[index % 2],
      gold: 'A',
    },
  ]);
  return write({
    '20260101_000000/predictions/tiny/sums.json': Object.fromEntries(predictions),
    '20260101_000000/results/tiny/sums.json': {
      accuracy: share * 100,
      details: Object.fromEntries(details),
    },
    '20260101_000000/predictions/tiny/picks_0.json': Object.fromEntries(ppl.slice(0, 4)),
    '20260101_000000/predictions/tiny/picks_1.json': Object.fromEntries(
      ppl.slice(4).map(([, row], id) => [String(id), row]),
    ),
    '20260101_000000/results/tiny/picks.json': { accuracy: 50 },
  });
}

function aisBench(): string {
  const rows = questions.map((question, id) => ({
    id,
    origin_prompt: `${question}=`,
    prediction: answers[id],
    gold: golds[id],
  }));
  return write({
    'predictions/tiny/sums.jsonl': lines(rows),
    'results/tiny/sums.json': { accuracy: share * 100 },
  });
}

function lmEval(): string {
  const docs = questions.map((question, index) => ({ question, answer: golds[index] }));
  const written = docs.map((doc, doc_id) => ({
    doc_id,
    doc,
    target: golds[doc_id],
    arguments: {
      gen_args_0: { arg_0: `Q: x\nA: y\n\nQ: ${doc.question}\nA:`, arg_1: { until: ['\n'] } },
    },
    resps: [[` ${answers[doc_id]}`]],
    filtered_resps: [answers[doc_id]],
    filter: 'stripped',
    metrics: ['exact_match'],
    exact_match: right[doc_id],
  }));
  const chosen = docs.map((doc, doc_id) => ({
    doc_id,
    doc: { ...doc, choices: ['yes', 'no'], label: 0 },
    target: '0',
    arguments: Object.fromEntries(
      ['yes', 'no'].map((choice, at) => [
        `gen_args_${at}`,
        { arg_0: `${doc.question}?`, arg_1: ` ${choice}` },
      ]),
    ),
    resps: ['yes', 'no'].map((_, at) => [[String(at === right[doc_id] ? -2 : -1), 'False']]),
    filter: 'none',
    metrics: ['acc', 'acc_norm'],
    acc: right[doc_id],
    acc_norm: right[doc_id],
  }));
  const stamp = '2026-01-01T00-00-00.000000';
  return write({
    [`tiny/results_${stamp}.json`]: {
      results: {
        gen: { alias: 'gen', 'exact_match,stripped': share, 'exact_match_stderr,stripped': 0.2 },
        mc: { alias: 'mc', 'acc,none': share, 'acc_norm,none': share },
      },
      configs: {
        gen: {
          ...{ task: 'gen', output_type: 'generate_until', test_split: 'test', num_fewshot: 1 },
          ...{
            doc_to_text: 'Q: {{question}}\nA:',
            doc_to_target: '{{answer}}',
            process_docs: 'def process_docs(x): …',
          },
          filter_list: [
            {
              name: 'stripped',
              filter: [{ function: 'remove_whitespace' }, { function: 'take_first' }],
            },
          ],
          metric_list: [{ metric: 'exact_match', aggregation: 'mean', higher_is_better: true }],
        },
        mc: {
          ...{ task: 'mc', output_type: 'multiple_choice', test_split: 'test' },
          ...{ doc_to_text: '{{question}}?', doc_to_target: 'label', doc_to_choice: 'choices' },
          metric_list: [{ metric: 'acc' }, { metric: 'acc_norm' }],
        },
      },
      model_name: 'org/tiny',
    },
    [`tiny/samples_gen_${stamp}.jsonl`]: lines(written),
    [`tiny/samples_mc_${stamp}.jsonl`]: lines(chosen),
  });
}

function inspect(): string {
  const samples = questions.map((question, index) => ({
    id: index + 1,
    epoch: 1,
    input: index % 2 ? question : [{ role: 'user', content: question }],
    target: golds[index],
    output: {
      model: 'tiny',
      choices: [{ message: { role: 'assistant', content: answers[index] } }],
    },
    scores: { match: { value: right[index] ? 'C' : 'I', answer: answers[index] } },
  }));
  const header = {
    version: 2,
    eval: { task: 'sums', model: 'openai/tiny' },
    results: {
      scores: [
        {
          name: 'match',
          scorer: 'match',
          metrics: { accuracy: { name: 'accuracy', value: share } },
        },
      ],
    },
  };
  const files = Object.fromEntries([
    ['header.json', JSON.stringify(header)],
    ...samples.map((sample) => [`samples/${sample.id}_epoch_1.json`, JSON.stringify(sample)]),
  ]);
  return join(write({ 'sums.eval': makeZip(files) }), 'sums.eval');
}

function promptfoo(): string {
  const results = questions.map((question, testIdx) => ({
    promptIdx: 0,
    testIdx,
    prompt: { raw: `What is ${question}?`, label: 'p' },
    provider: { id: 'openai:chat:tiny' },
    vars: { question },
    response: { output: answers[testIdx] },
    success: right[testIdx] === 1,
    score: right[testIdx],
    gradingResult: { pass: right[testIdx] === 1, score: right[testIdx] },
  }));
  const file = {
    evalId: 'eval-1',
    results: { version: 3, results, stats: { successes: 4, failures: 2 } },
    config: {},
  };
  return join(write({ 'sums.json': file }), 'sums.json');
}

test.each([
  ['OpenCompass', openCompass, { sums: share, picks: 0.5 }],
  ['AISBench', aisBench, { sums: share }],
  ['lm-evaluation-harness', lmEval, { gen: share, mc: share }],
  ['Inspect', inspect, { sums: share }],
  ['promptfoo', promptfoo, { sums: share }],
])('results of %s open as a run that comes to their number', async (_, make, expected) => {
  const path = make();
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  const said = await callCommand(['open', path, '--out', out]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  const { summary } = await openRun(out);
  const scores = summary?.results.map(({ dataset, score }) => [dataset, score?.value]);
  for (const [dataset, value] of Object.entries(expected)) {
    expect(new Map(scores as [string, number][]).get(dataset)).toBeCloseTo(value, 6);
  }
  expect((await rankRuns([out])).models.length).toBe(1);
});

test('such a run is scored again, and compared with one of ours row by row', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  expect((await callCommand(['open', inspect(), '--out', out])).code).toBe(0);
  expect((await callCommand(['score', out, '--evaluator', 'number'])).code).toBe(0);
  const own = await evaluate(
    {
      models: [{ abbr: 'openai_tiny', type: 'Replay', answer_column: 'given' }],
      datasets: [
        {
          abbr: 'sums',
          rows: questions.map((question, index) => ({
            prompt: question,
            gold: golds[index],
            given: golds[index],
          })),
          reader_cfg: { input_columns: ['prompt'], output_column: 'gold' },
          infer_cfg: { prompt_template: { template: '{prompt}' } },
          eval_cfg: { evaluator: { type: 'exact' } },
        },
      ],
    },
    { out: join(dirname(out), 'own') },
  );
  const compared = await callCommand(['compare', out, own.folder]);
  expect(compared, compared.stderr).toMatchObject({ code: 0 });
  const { tasks } = await compareRuns(out, own.folder);
  expect(tasks[0]?.pairing.rows ?? 0).toBe(questions.length);
});

test('a log that is packed with zstd opens, and one that holds more than it says is refused', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  const file = join(write({ 'sums.eval': packedLog }), 'sums.eval');
  expect(await callCommand(['open', file, '--out', out])).toMatchObject({ code: 0 });
  expect((await openRun(out)).summary?.results[0]?.score?.value).toBeCloseTo(2 / 3, 6);
  const lying = Buffer.from(packedLog);
  for (const mark of ['PK\u0003\u0004', 'PK\u0001\u0002']) {
    const from = lying.indexOf(mark, 0, 'latin1');
    lying.writeUInt32LE(9, from + (mark.endsWith('\u0004') ? 22 : 24));
  }
  const said = await callCommand(['open', join(write({ 'l.eval': lying }), 'l.eval')]);
  expect(said.code).toBe(2);
  expect(said.stderr).toContain('it is larger than declared');
});

test.each([
  ['Inspect: epochs are samples of a row', inspectFile, { rows: { total: 6 } }],
  [
    'promptfoo: repeats count each time, and belong together',
    (given: readonly GivenRow[]) => promptfooFile(given),
    { rows: { total: 18 }, clusters: { count: 6 } },
  ],
])('rows that were asked several times, %s', async (_, write, counted) => {
  const given = questions.flatMap((prompt, index) =>
    [0, 1, 2].map((epoch) => ({
      prompt,
      answer: epoch === 0 ? '0' : (golds[index] ?? ''),
      gold: golds[index] ?? '',
      score: Number(epoch !== 0),
    })),
  );
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  expect(await callCommand(['open', write(given, 3), '--out', out])).toMatchObject({ code: 0 });
  const [result] = (await openRun(out)).summary?.results ?? [];
  expect(result).toMatchObject(counted);
  expect(result?.score?.value).toBeCloseTo(2 / 3, 6);
});

test('votes of a task over several answers are counted again', async () => {
  const samples = [
    ['4', '4', '5'],
    ['9', '8', '9'],
  ].map((answers, doc_id) => ({
    doc_id,
    doc: { question: questions[doc_id], answer: golds[doc_id] },
    target: golds[doc_id],
    arguments: { gen_args_0: { arg_0: `${questions[doc_id]}=`, arg_1: { until: ['\n'] } } },
    resps: [answers],
    filtered_resps: [answers[0]],
    filter: 'maj@3',
    metrics: ['exact_match'],
    exact_match: Number(doc_id === 0),
  }));
  const stamp = '2026-01-01T00-00-00.000000';
  const vote = [{ function: 'majority_vote' }, { function: 'take_first' }];
  const folder = write({
    [`results_${stamp}.json`]: {
      results: { votes: { 'exact_match,maj@3': 0.5 } },
      configs: {
        votes: {
          ...{ task: 'votes', output_type: 'generate_until', test_split: 'test', repeats: 3 },
          ...{ doc_to_text: '{{question}}=', doc_to_target: '{{answer}}' },
          filter_list: [{ name: 'maj@3', filter: vote }],
          metric_list: [{ metric: 'exact_match' }],
        },
      },
      model_name: 'tiny',
    },
    [`samples_votes_${stamp}.jsonl`]: lines(samples),
  });
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  const said = await callCommand(['open', folder, '--out', out]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  expect(said.stdout).toMatch(/votes\s+exact_match\s+0\.5\s+0\.5\s+the task/);
});

test.each([
  ['an empty folder', {}, 'has no results of a known kind'],
  [
    'a file that is nested without end',
    { 'predictions/m/d.json': '['.repeat(200_000) },
    'cannot be read',
  ],
  ['an archive that is none', { 'x.eval': 'PK and no more' }, 'cannot be read'],
  [
    'rows that are no rows',
    { 'predictions/m/d.json': '[1, null, "x"]', 'results/m/d.json': '{"accuracy": "a"}' },
    'has no results of a known kind',
  ],
  ['a broken file', { 'predictions/m/d.json': '{"0": {' }, 'cannot be read'],
])('%s is refused', async (_, files, text) => {
  const said = await callCommand(['open', write({ 'x.txt': '', ...files })]);
  expect(said.code).toBe(2);
  expect(said.stderr).toContain(text);
});

test('a number that the rows do not come to is said, with exit code 3', async () => {
  const folder = write({
    'predictions/m/d.json': {
      0: { origin_prompt: 'a', prediction: 'x', gold: 'x' },
      1: { origin_prompt: 'b', prediction: 'y', gold: 'x' },
    },
    'results/m/d.json': { accuracy: 90, details: { 0: { correct: true }, 1: { correct: false } } },
  });
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');
  const said = await callCommand(['open', folder, '--out', out]);
  expect(said.code).toBe(3);
  expect(said.stderr).toContain('the results file says 0.9, but its rows give 0.5');
});
