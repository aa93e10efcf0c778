import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../../api/evaluate.ts';
import { packageFolder } from '../../../base/package-folder.ts';
import { ModelError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluation/open-evaluations.ts';
import { dummyModel } from '../../../model/dummy-model.ts';
import type { LoglikelihoodModel, LoglikelihoodText } from '../../../model/loglikelihood.ts';
import type { Model } from '../../../model/model.ts';
import { rowFiles } from '../../../run/store/run-folder.ts';
import type { TaskResult } from '../../../run/summary.ts';
import { spellNamedTask } from '../../evaluate-spelled.ts';
import { registerSuites } from '../../index.ts';
import { taskNamed } from '../templates/task-names.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';
import { taskOf } from './task-evaluation.ts';

registerSuites();

/** Measures as the model did whose answers the vectors hold. */
function measure({ text, from }: LoglikelihoodText): number {
  const digest = hash('sha256', `${text.slice(0, from)}\0${text.slice(from)}`, 'hex');
  return -Math.round((Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 20e6) / 1e6;
}

const seen: LoglikelihoodText[] = [];
const recorder: Model = {
  ...dummyModel(),
  loglikelihoodModel: {
    encode: ({ texts }) => JSON.stringify(texts),
    measure: async ({ texts }) => {
      seen.push(...texts);
      const logprobs = texts.map((text) => ({ starts: [text.from], values: [measure(text)] }));
      return { logprobs, totalMs: 0 };
    },
  },
};

/** The folder of a run, for as long as the test runs. */
async function openFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'typecase-lm-eval-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

interface Asking {
  readonly dialect: 'v0.1.0' | 'main';
  readonly numFewshot?: number;
  readonly limit?: number;
  readonly out?: string;
  readonly model?: Model;
  readonly maxSeqLen?: number;
}

/** Runs a task by its name; without an answer to all documents there is no outcome. */
async function evaluateTask(name: string, asking: Asking) {
  const { dialect, numFewshot = 0, limit, maxSeqLen } = asking;
  const { out = await openFolder(), model = recorder } = asking;
  const { task, version } = taskNamed(name);
  const spelled = spellNamedTask(name, { task, version, dialect, numFewshot, dataDir: undefined });
  let opened: Evaluations | undefined;
  const outcomes: TaskOutcome[] = [];
  const { summary } = await evaluate(
    {
      models: [{ abbr: 'dummy', model, batch_size: 4, max_seq_len: maxSeqLen }],
      datasets: [spelled as never],
    },
    {
      ...{ out, limit },
      onOpen: (evaluations) => {
        opened = evaluations;
      },
      async onSummary(ended) {
        if (!ended.complete || ended.results.some(({ rows }) => rows.failed > 0)) return;
        for (const evaluation of opened ?? []) {
          const own = taskOf(evaluation);
          if (own) outcomes.push(await readOutcome(own, rowFiles(out, 'dummy', name)));
        }
      },
    },
  );
  const [outcome] = outcomes;
  return { outcome, result: summary.results[0] as TaskResult };
}

async function outcomeOf(name: string, asking: Asking): Promise<TaskOutcome> {
  const { outcome } = await evaluateTask(name, asking);
  if (!outcome) throw new RangeError('not all documents were answered');
  return outcome;
}

const file = 'metrics-synthetic-v0.1.0.jsonl';
const vectors = readFileSync(
  join(packageFolder('test', 'vectors', 'japanese-financial'), file),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

test.each(vectors)('$task_name from documents to results', async ({ task_name, results, docs }) => {
  const { metrics, asked } = await outcomeOf(task_name, { dialect: 'v0.1.0' });
  expect(asked.map(({ docIndex }) => docIndex)).toEqual(
    docs.map((doc: { doc_index: number }) => doc.doc_index),
  );
  for (const { name, value, stderr } of metrics) {
    expect(value).toBeCloseTo(results[name], 9);
    expect(stderr === undefined).toBe(results[`${name}_stderr`] === undefined);
  }
});

test.each([
  ['v0.1.0', '【答え】\n', ''],
  ['main', '【答え】', '\n'],
] as const)('%s: where the answer begins', async (dialect, before, after) => {
  seen.length = 0;
  await outcomeOf('fp2', { dialect, limit: 1 });
  const [first] = seen;
  const { text, from } = first as LoglikelihoodText;
  expect([text.slice(0, from).endsWith(before), text.slice(from)]).toEqual([true, `${after}１`]);
});

test('contexts that do not fit lose their beginning, and are counted', async () => {
  seen.length = 0;
  const model = { ...recorder, countTokens: (text: string) => text.length };
  const asking = { dialect: 'main', numFewshot: 1, model, maxSeqLen: 100 } as const;
  const { cut, rows } = await outcomeOf('fp2', asking);
  expect(cut).toBe(rows.length);
  expect(seen.map(({ text }) => text.length)).toEqual(seen.map(() => 99));
  expect(seen.every(({ text }) => /【答え】\n[１-４]$/.test(text))).toBe(true);
});

test('a model that only writes: the choice it names first', async () => {
  const asked: unknown[] = [];
  const { loglikelihoodModel: _, ...writer } = dummyModel();
  const model: Model = {
    ...writer,
    abilities: new Set(['generate']),
    generate: async (request) => {
      asked.push(request);
      return { text: 'negative, not positive', finishReason: 'stop', totalMs: 0 };
    },
  };
  const { rows } = await outcomeOf('chabsa', { dialect: 'main', limit: 2, model });
  expect(rows.map(({ predicted }) => predicted)).toEqual([1, 1]);
  expect(asked[0]).toMatchObject({ maxOutLen: 256 });
});

/** A model that fails on every request but the first so many. */
function failing(after: number): Model {
  let requests = 0;
  return {
    ...recorder,
    loglikelihoodModel: {
      encode: ({ texts }) => JSON.stringify(texts),
      measure: async (request, options) => {
        if (requests++ >= after)
          throw new ModelError('model.server_error', 'down', { retryable: false });
        return (recorder.loglikelihoodModel as LoglikelihoodModel).measure(request, options);
      },
    },
  };
}

test('a document that fails leaves no result; the next time only it is asked', async () => {
  const out = await openFolder();
  const asking = { dialect: 'v0.1.0', numFewshot: 1 } as const;
  const first = await evaluateTask('fp2', { ...asking, out, model: failing(5) });
  expect(first.outcome).toBeUndefined();
  const { rows } = first.result;
  expect(rows).toMatchObject({ scored: 5, failed: rows.total - 5 });
  const second = await evaluateTask('fp2', { ...asking, out });
  expect(second.result.requests.sent).toBe(rows.failed);
  expect(second.outcome).toEqual(await outcomeOf('fp2', asking));
});

test('any beginning of a log resumes to the same outcome', async () => {
  const out = await openFolder();
  const asking = { dialect: 'main', numFewshot: 2, out } as const;
  const outcome = await outcomeOf('chabsa', asking);
  const { logFile } = rowFiles(out, 'dummy', 'chabsa');
  const bytes = await readFile(logFile);
  for (const share of [0, 0.3, 0.77]) {
    await writeFile(logFile, bytes.subarray(0, Math.floor(bytes.length * share)));
    expect(await outcomeOf('chabsa', asking)).toEqual(outcome);
  }
});

test.each([
  ['fp2', 'acc'],
  ['chabsa', 'f1'],
] as const)('the summary of the run has the %s of the results', async (name, metric) => {
  const { outcome, result } = await evaluateTask(name, { dialect: 'main' });
  const reported = (wanted: string) => outcome?.metrics.find((one) => one.name === wanted)?.value;
  expect(result).toMatchObject({ metric, score: { value: reported(metric) } });
  for (const { name: measure, score } of result.metrics ?? []) {
    expect(score.value).toBeCloseTo(reported(measure) ?? Number.NaN, 12);
  }
});
