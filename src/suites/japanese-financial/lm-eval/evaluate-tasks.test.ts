import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFolder } from '../../../base/package-folder.ts';
import { checkModel } from '../../../config/check-config.ts';
import { ModelError } from '../../../errors.ts';
import type { LoglikelihoodModel, LoglikelihoodText } from '../../../model/loglikelihood.ts';
import type { Model } from '../../../model/model.ts';
import { openRunFolder } from '../../../run/store/run-folder.ts';
import type { TaskResult } from '../../../run/summary.ts';
import { taskNamed } from '../templates/task-names.ts';
import { loadTemplate, type Template } from '../templates/template.ts';
import { dummyModel } from './dummy-model.ts';
import { evaluateTasks } from './evaluate-tasks.ts';
import type { OpenedModel } from './open-model.ts';
import { type PlanOptions, planTask } from './plan-task.ts';
import type { TaskOutcome } from './read-outcome.ts';
import { taskEvaluation } from './task-evaluation.ts';

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
const opened: OpenedModel = {
  ...{ model: recorder, mode: 'ppl', alsoNormalized: false, limit: undefined },
  config: checkModel({ abbr: 'dummy', batch_size: 4 }, { flag: '--model_args' }),
};

/** The folder of a run, for as long as the test runs. */
async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'typecase-lm-eval-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return openRunFolder(path);
}

async function evaluateTask(model: OpenedModel, template: Template, options: PlanOptions) {
  const task = await planTask(template, options);
  const folder = await openFolder();
  const { outcomes } = await evaluateTasks([taskEvaluation(task, model)], { folder });
  expect(outcomes).toHaveLength(1);
  return outcomes?.[0] as TaskOutcome;
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
  const template = await loadTemplate(taskNamed(task_name), { dialect: 'v0.1.0' });
  const { metrics, docIndexes } = await evaluateTask(opened, template, { numFewshot: 0 });
  expect(docIndexes).toEqual(docs.map((doc: { doc_index: number }) => doc.doc_index));
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
  const template = await loadTemplate(taskNamed('fp2'), { dialect });
  await evaluateTask(opened, template, { numFewshot: 0, limit: 1 });
  const [first] = seen;
  const { text, from } = first as LoglikelihoodText;
  expect([text.slice(0, from).endsWith(before), text.slice(from)]).toEqual([true, `${after}１`]);
});

test('contexts that do not fit lose their beginning, and are counted', async () => {
  seen.length = 0;
  const template = await loadTemplate(taskNamed('fp2'), { dialect: 'main' });
  const limit = { maxTokens: 100, countTokens: (text: string) => text.length };
  const { cut, rows } = await evaluateTask({ ...opened, limit }, template, { numFewshot: 1 });
  expect(cut).toBe(rows.length);
  expect(seen.map(({ text }) => text.length)).toEqual(seen.map(() => 99));
  expect(seen.every(({ text }) => /【答え】\n[１-４]$/.test(text))).toBe(true);
});

test('a model that only writes: the choice it names first', async () => {
  const asked: unknown[] = [];
  const model: Model = {
    ...dummyModel(),
    generate: async (request) => {
      asked.push(request);
      return { text: 'negative, not positive', finishReason: 'stop', totalMs: 0 };
    },
  };
  const template = await loadTemplate(taskNamed('chabsa'), { dialect: 'main' });
  const { rows } = await evaluateTask({ ...opened, model, mode: 'gen' }, template, {
    numFewshot: 0,
    limit: 2,
  });
  expect(rows.map(({ predicted }) => predicted)).toEqual([1, 1]);
  expect(asked[0]).toMatchObject({ maxOutLen: 256 });
});

/** A model that fails on every request but the first so many. */
function failing(after: number): OpenedModel {
  let requests = 0;
  const model: Model = {
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
  return { ...opened, model };
}

test('a document that fails leaves no result; the next time only it is asked', async () => {
  const template = await loadTemplate(taskNamed('fp2'), { dialect: 'v0.1.0' });
  const plan = await planTask(template, { numFewshot: 1 });
  const [folder, whole] = [await openFolder(), await openFolder()];
  const first = await evaluateTasks([taskEvaluation(plan, failing(5))], { folder });
  expect(first.outcomes).toBeUndefined();
  const { rows } = first.run.summary.results[0] as TaskResult;
  expect(rows).toMatchObject({ scored: 5, failed: plan.prompts.length - 5 });
  seen.length = 0;
  const second = await evaluateTasks([taskEvaluation(plan, opened)], { folder });
  expect(second.run.summary.results[0]?.requests.sent).toBe(rows.failed);
  const { outcomes } = await evaluateTasks([taskEvaluation(plan, opened)], { folder: whole });
  expect(second.outcomes).toEqual(outcomes);
});

test('any beginning of a log resumes to the same outcome', async () => {
  const template = await loadTemplate(taskNamed('chabsa'), { dialect: 'main' });
  const plan = await planTask(template, { numFewshot: 2 });
  const folder = await openFolder();
  const { outcomes } = await evaluateTasks([taskEvaluation(plan, opened)], { folder });
  const log = folder.logFile('dummy', 'chabsa');
  const bytes = await readFile(log);
  for (const share of [0, 0.3, 0.77]) {
    await writeFile(log, bytes.subarray(0, Math.floor(bytes.length * share)));
    const again = await evaluateTasks([taskEvaluation(plan, opened)], { folder });
    expect(again.outcomes).toEqual(outcomes);
  }
});

test.each([
  ['fp2', 'acc'],
  ['chabsa', 'f1'],
] as const)('the summary of the run has the %s of the results', async (name, metric) => {
  const template = await loadTemplate(taskNamed(name), { dialect: 'main' });
  const plan = await planTask(template, { numFewshot: 0 });
  const folder = await openFolder();
  const { run, outcomes } = await evaluateTasks([taskEvaluation(plan, opened)], { folder });
  const [result] = run.summary.results;
  const reported = (wanted: string) =>
    outcomes?.[0]?.metrics.find((one) => one.name === wanted)?.value;
  expect(result).toMatchObject({ metric, score: { value: reported(metric) } });
  for (const { name: measure, score } of result?.metrics ?? []) {
    expect(score.value).toBeCloseTo(reported(measure) ?? Number.NaN, 12);
  }
});
