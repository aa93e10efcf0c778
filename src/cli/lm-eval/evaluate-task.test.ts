import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Model } from '../../model/index.ts';
import type { WeighedText } from '../../model/weigh.ts';
import { taskNamed } from '../../tasks/japanese-financial/task-names.ts';
import { loadTemplate } from '../../tasks/japanese-financial/template.ts';
import { packageFolder } from '../../tasks/package-folder.ts';
import { dummyModel } from './dummy-model.ts';
import { evaluateTask } from './evaluate-task.ts';
import type { OpenedModel } from './open-model.ts';

/** Weighs as the model did whose answers the vectors hold. */
function weigh({ text, from }: WeighedText): number {
  const digest = hash('sha256', `${text.slice(0, from)}\0${text.slice(from)}`, 'hex');
  return -Math.round((Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 20e6) / 1e6;
}

const seen: WeighedText[] = [];
const recorder: Model = {
  ...dummyModel(),
  weigher: {
    encode: () => '',
    weigh: async ({ texts }) => {
      seen.push(...texts);
      return { weights: texts.map((text) => ({ logprob: weigh(text), tokens: 1 })), totalMs: 0 };
    },
  },
};
const opened: OpenedModel = {
  ...{ model: recorder, mode: 'weigh', alsoNormalized: false },
  ...{ concurrency: 4, limit: undefined },
};

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
  const { text, from } = first as WeighedText;
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
  const { rows } = await evaluateTask({ ...opened, model, mode: 'generate' }, template, {
    numFewshot: 0,
    limit: 2,
  });
  expect(rows.map(({ predicted }) => predicted)).toEqual([1, 1]);
  expect(asked[0]).toMatchObject({ maxOutLen: 256, settings: { temperature: 0 } });
});
