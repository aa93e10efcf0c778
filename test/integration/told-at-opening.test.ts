import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

interface Task {
  readonly golds: readonly unknown[];
  readonly evaluator: Readonly<Record<string, unknown>>;
}

/** What `plan` and `view` say of a task before anything is asked. */
async function told({ golds, evaluator }: Task) {
  const config = {
    models: [{ abbr: 'm', type: 'OpenAI', base_url: 'http://127.0.0.1:9/v1', model: 'm' }],
    datasets: [
      {
        abbr: 'd',
        rows: golds.map((a, index) => ({ q: `q${index}`, a })),
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator },
      },
    ],
  };
  const folder = await writeFolder({ 'config.json': JSON.stringify(config, null, 1) });
  const file = `${folder}/config.json`;
  return { plan: await callCommand(['plan', file]), view: await callCommand(['view', file]) };
}

test.each([
  [[['five', 'six'], 3], 'data.unusable_gold', '1 of the first 2 gold answers', 'number'],
  [[[null, ' '], [3]], 'data.unusable_gold', '1 of the first 2 gold answers', 'number'],
  [['猫は静かに眠っている', '犬が走る'], 'data.unspaced_words', 'd', 'bleu'],
])('gold answers %j: %s', async (golds, code, text, type) => {
  const { plan, view } = await told({ golds, evaluator: { type } });
  expect(plan.code).toBe(0);
  const warning = plan.stderr.slice(plan.stderr.indexOf(`warning[${code}]`));
  expect(warning).toContain(`warning[${code}]`);
  expect(warning).toContain(text);
  expect(warning).toMatch(/\n {2}at \S+config\.json:\d+:\d+\nhint: /);
  expect(view.stdout).toMatch(/^warning/m);
});

test.each([
  [[3, [4, null]], { type: 'number' }],
  [['猫は静かに眠っている', '犬が走る'], { type: 'bleu', tokenize: 'ja' }],
  [['the cat sleeps', 'dogs run'], { type: 'bleu' }],
  [['猫は静かに眠っている', '犬が走る'], { type: 'chrf' }],
])('nothing is told of %j for %j', async (golds, evaluator) => {
  const { plan } = await told({ golds, evaluator });
  expect([plan.code, plan.stderr]).toEqual([0, '']);
});
