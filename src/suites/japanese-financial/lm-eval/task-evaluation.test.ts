import { expect, test } from 'vitest';
import { checkModel } from '../../../config/check-config.ts';
import { type TracedRequest, untracePlan } from '../../../evaluation/evaluation.ts';
import { dummyModel } from '../../../model/dummy-model.ts';
import { untrace } from '../../../prompt/prompt.ts';
import type { PositionedRow } from '../../../prompt/trace.ts';
import { type Dialect, dialects } from '../templates/dialects.ts';
import { taskNamed } from '../templates/task-names.ts';
import { loadTemplate } from '../templates/template.ts';
import { planTask } from './plan-task.ts';
import { type OpenedModel, taskEvaluation } from './task-evaluation.ts';

const opened: OpenedModel = {
  ...{ model: dummyModel(), mode: 'ppl', alsoNormalized: false, limit: undefined },
  config: checkModel({ abbr: 'dummy' }, { flag: '--model_args' }),
};
const limit = { maxTokens: 100, countTokens: (text: string) => text.length };

async function evaluationOf(name: string, model: OpenedModel, dialect: Dialect) {
  const template = await loadTemplate(taskNamed(name), { dialect });
  const task = taskEvaluation(await planTask(template, { numFewshot: 2 }), model);
  const rows: PositionedRow[] = [];
  for await (const batch of task.evaluation.rows.batches()) rows.push(...batch);
  return { ...task, rows };
}

/** What a request asks, read from its trace. */
function tracedTexts({ texts }: TracedRequest): unknown[] {
  return texts.map(({ prompt }) => untrace(prompt));
}

const cases = [
  ['ppl', {}],
  ['ppl, cut to fit', { limit }],
  ['gen', { mode: 'gen' }],
] as const;

test.each(cases.flatMap(([name, how]) => dialects.map((dialect) => [name, dialect, how] as const)))(
  '%s, %s: a trace is the plan with origins',
  async (_, dialect, how) => {
    for (const name of ['chabsa-1.0-0.2', 'fp2-1.0-0.1.2']) {
      const { evaluation, rows } = await evaluationOf(name, { ...opened, ...how }, dialect);
      for (const row of rows) {
        const [plan, traced] = [await evaluation.plan(row), await evaluation.trace(row)];
        expect(JSON.stringify(untracePlan(traced))).toBe(JSON.stringify(plan));
        const [request] = traced.requests as [TracedRequest];
        const { asked } = request;
        expect(tracedTexts(request)).toEqual(
          asked.type === 'generate'
            ? [asked.prompt]
            : asked.texts.map(({ text }) => ({ type: 'text', text })),
        );
        expect(request.examples.map(({ id }) => id)).toEqual(request.shots);
      }
    }
  },
);

test('rows are documents by their places in the data, in the order of evaluation', async () => {
  const { rows, task } = await evaluationOf('fp2', opened, 'v0.1.0');
  expect(rows.map(({ id }) => id)).toEqual(task.prompts.map(({ docIndex }) => docIndex));
  expect(rows.map(({ position }) => position)).toEqual(task.prompts.map(({ pos }) => pos));
});
