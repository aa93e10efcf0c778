import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../../src/index.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { jsonLines, writeFiles } from './foreign-files.ts';

const questions = ['2+2?', '什么是首都？🙂', 'Café in “Zürich”?', '2+2?'];
const golds = ['4', '北京', 'Ja', '4'];
const promptOf = (question: string) => `Q: ${question}\nA:`;

async function open(path: string) {
  const out = join(mkdtempSync(join(tmpdir(), 'typecase-numbers-')), 'run');
  return { out, ...(await callCommand(['open', path, '--out', out])) };
}

/** Grades of three epochs of each sample; where there is none the epoch ended in an error. */
const epochs = [
  ['C', 'C', 'I'],
  ['C', undefined, undefined],
  ['I', 'I', undefined],
  ['I', 'C', 'C'],
];
const ofMean = (2 / 3 + 1 + 0 + 2 / 3) / 4;

/** A log whose samples are messages of parts, with two scorers and any numbers. */
function loggedEpochs(numbers: readonly (readonly [string, string, string, number])[]): string {
  const samples = epochs.flatMap((grades, index) =>
    grades.map((grade, epoch) => ({
      ...{ id: `row-${index}`, epoch: epoch + 1, target: [golds[index]] },
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: promptOf(questions[index] ?? '') }] },
      ],
      ...(grade === undefined
        ? { error: { message: 'no connection' } }
        : {
            output: { completion: grade === 'C' ? `It is ${golds[index]}.` : '' },
            scores: { judged: { value: grade }, long: { value: index } },
          }),
    })),
  );
  const scores = numbers.map(([name, reducer, metric, value]) => ({
    ...{ name, reducer, metrics: { [metric]: { value, params: {} } } },
  }));
  const log = { eval: { task: 'sums', model: 'tiny' }, results: { scores }, samples };
  return join(writeFiles({ 'sums.json': log }), 'sums.json');
}

const judged = ['judged', 'mean', 'accuracy', ofMean] as const;

test('Inspect: epochs are averaged in their sample, errors left out', async () => {
  const said = await open(loggedEpochs([judged]));
  expect(said, said.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toMatch(/accuracy\s+0\.5833\s+0\.5833/);
});

test.each([
  ['judged', 'max', 'accuracy', 0.75],
  ['judged', 'mode', 'accuracy', 0.75],
  ['judged', 'median', 'accuracy', 0.75],
  ['judged', 'at_least_2', 'accuracy', 0.5],
  ['judged', 'pass_at_1', 'accuracy', ofMean],
  ['judged', 'mean', 'stderr', 0.2097],
  ['long', 'mean', 'mean', 1.5],
  ['long', 'mean', 'std', 1.291],
  ['long', 'mean', 'var', 1.6667],
])('Inspect: %s by %s, its %s is held against the samples', async (...number) => {
  const [scorer, reducer, metric, value] = number;
  const right = await open(loggedEpochs([judged, number]));
  expect(right, right.stderr).toMatchObject({ code: 0, stderr: '' });
  const wrong = await open(loggedEpochs([judged, [scorer, reducer, metric, value + 0.1]]));
  expect(wrong.code).toBe(3);
  const by = reducer === 'mean' ? '' : ` by ${reducer}`;
  expect(wrong.stderr).toContain(`of ${metric} of ${scorer}${by}, but its rows give`);
});

const verdicts = [true, true, false, false];

function ifEvalFolder(loose: number): string {
  const byNumber = (make: (index: number) => object) =>
    Object.fromEntries(questions.map((_, index) => [String(index), make(index)]));
  return writeFiles({
    'predictions/tiny/ifeval.json': byNumber((index) => ({
      origin_prompt: [{ role: 'HUMAN', prompt: promptOf(questions[index] ?? '') }],
      prediction: `It is ${golds[index]}.`,
    })),
    'results/tiny/ifeval.json': {
      'Prompt-level-strict-accuracy': 50,
      'Inst-level-strict-accuracy': 61,
      'Prompt-level-loose-accuracy': loose,
      details: byNumber((index) => ({
        is_correct: verdicts[index],
        is_strict_correct: verdicts[index],
        is_loose_correct: index < 3,
      })),
    },
  });
}

function namedMetricsFile(tone: number): string {
  const results = questions.map((q, testIdx) => {
    const namedScores = { tone: testIdx / 4 };
    const weights = { tone: testIdx + 1 };
    const success = verdicts[testIdx];
    return {
      ...{ promptIdx: 0, testIdx, provider: { id: 'tiny' }, vars: { q }, success, namedScores },
      prompt: { raw: promptOf(q), label: 'one' },
      response: { output: golds[testIdx] },
      gradingResult: { pass: success, namedScores, namedScoreWeights: weights },
    };
  });
  const metrics = {
    ...{ testPassCount: 2, testFailCount: 2, testErrorCount: 0 },
    namedScores: { tone, derived: 3 },
    namedScoresCount: { tone: 4, derived: 4 },
    namedScoreWeights: { tone: 10 },
  };
  const file = { results: { version: 3, results, prompts: [{ metrics }] } };
  return join(writeFiles({ 'named.json': file }), 'named.json');
}

test.each([
  ['OpenCompass', ifEvalFolder, 75, 'of Prompt-level-loose-accuracy, but its rows give 0.75.'],
  ['promptfoo', namedMetricsFile, 5, 'of tone, but its rows give 0.5.'],
])('%s: further numbers are held against the rows', async (_, write, value, told) => {
  const right = await open(write(value));
  expect(right, right.stderr).toMatchObject({ code: 0, stderr: '' });
  const wrong = await open(write(value + 1));
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toContain(told);
});

test('OpenCompass: an accuracy may be a share', async () => {
  const folder = writeFiles({
    'predictions/tiny/sums.json': { 0: { origin_prompt: 'a', prediction: 'x', gold: 'x' } },
    'results/tiny/sums.json': { score: 1, details: { 0: { correct: true } } },
  });
  const said = await open(folder);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  expect(said.stdout).toMatch(/score\s+1\s+1/);
});

test('rows of equal texts pair by their numbers with those of a run, epochs or not', async () => {
  const rows = questions.map((question, index) => ({
    ...{ question, gold: golds[index], answer: `It is ${golds[index]}.` },
  }));
  const folder = writeFiles({
    'rows.jsonl': jsonLines(rows),
    'config.yaml': `
models: [{ abbr: tiny, type: Replay, answer_column: answer }]
datasets:
  - abbr: sums
    path: ./rows.jsonl
    reader_cfg: { input_columns: [question], output_column: gold }
    infer_cfg: { prompt_template: { template: "Q: {question}\\nA:" } }
    eval_cfg: { evaluator: { type: contains } }
`,
  });
  const own = join(folder, 'run');
  const ran = await callCommand(['run', join(folder, 'config.yaml'), '--out', own]);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const said = await callCommand(['compare', loggedEpochs([judged]), own, '--json']);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  const [task] = JSON.parse(said.stdout).tasks;
  expect(task.pairing).toMatchObject({ rows: 4, moved: 0, unpaired: { a: 0, b: 0 } });
  expect(task.why).toMatchObject({ b: 1, differing: { gold: 0 } });
  expect(task.why.a).toBeCloseTo(ofMean, 9);
});
