import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { root } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

const schema = JSON.parse(await readFile(join(root, 'schema/output.schema.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(closed(schema) as object, 'outputs');
const failed = '(failed)';
const validators = new Map<string, ValidateFunction>(
  schema.anyOf.flatMap(({ $ref }: { $ref: string }) => {
    const { command } = schema.$defs[$ref.split('/').at(-1) ?? ''].properties;
    const validate = ajv.compile({ $ref: `outputs${$ref}` });
    const names: string[] = command.enum ?? [command.const ?? failed];
    return names.map((name) => [name, validate]);
  }),
);

/** The same schema, in which objects have no properties that it does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, closed(item)]);
  const isObject = 'properties' in value && 'type' in value && value.type === 'object';
  // One that says which others there may be has it among its entries.
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(entries) };
}

/** Sums that a function answers; some are judged. */
const config = `
export default {
  models: [
    { abbr: 'app', version: '1', price: { in: 1, out: 2 },
      generate: async ({ row }) => ({ text: String(row.sum[0] * 2), usage: { inputTokens: 3, outputTokens: 1 } }) },
    { abbr: 'critic', version: '1', judge: true, generate: () => '{"reason": "it fits", "verdict": "pass"}' },
  ],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ sum: '1+1', answer: '2' }, { sum: '2+2', answer: '5' }],
      reader_cfg: { input_columns: ['sum'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{sum}={nothing}' }, { role: 'BOT', prompt: '{answer}' }] } } },
      eval_cfg: { evaluator: [{ type: 'equals' }, { type: 'judge', rubric: 'is a number' }] },
    },
    {
      abbr: 'again',
      rows: [{ sum: '3+3', answer: '6' }],
      reader_cfg: { input_columns: ['sum'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{sum}=' } },
      eval_cfg: { evaluator: { type: 'exact' } },
    },
  ],
};
`;

const task = `
models: [{ abbr: app, type: Replay, answer_column: said }]
datasets:
  - abbr: sums
    rows: [{ sum: 1+1, answer: '2', said: '2' }, { sum: 2+2, answer: '4', said: '4' }]
    reader_cfg: { input_columns: [sum], output_column: answer }
    infer_cfg: { prompt_template: { template: "{sum}=" } }
    eval_cfg: { evaluator: { type: exact } }
sweep:
  templates:
    - { name: short, prompt_template: { template: "{sum}=" } }
    - { name: long, prompt_template: { template: "What is {sum}?" } }
`;

let cwd: string;

async function print(args: readonly string[]) {
  const { stdout, stderr, code } = await runCli([...args, '--json'], { cwd });
  expect(stdout, stderr).not.toBe('');
  return { document: JSON.parse(stdout), code };
}

/** What is wrong with a document by the schema of its command. */
function faultsOf(document: { readonly command: string }): unknown {
  const { command } = document;
  const validate = validators.get(command);
  if (!validate) return `there is no schema for ${command}`;
  return validate(document) ? [] : validate.errors;
}

/** Each command in the ways that print documents of other forms. */
const printing: readonly (readonly string[])[] = [
  ['run', 'sums.config.mjs', '--out', 'run'],
  ['run', 'sums.config.mjs', '--out', 'run', '--baseline', 'base'],
  ['score', 'base'],
  ['compare', 'base', 'run'],
  ['sweep', 'sweep.yaml', '--out', 'swept'],
  ['plan', 'sums.config.mjs', '--out', 'run'],
  ['view', 'sums.config.mjs', '--all'],
  ['view', 'sums.config.mjs', '--dataset', 'sums', '--diff', 'other.config.mjs'],
  ['show', 'base', '--row', '1'],
  ['explain', 'sums.config.mjs'],
  ['cache', 'explain', 'sums.config.mjs', '--out', 'base'],
  ['leaderboard', 'base', 'run'],
  ['bundle', 'base', 'base.zip'],
  ['bundle', '--verify', 'base.zip'],
  ...['tasks', 'templates', 'formats', 'evaluators', 'retrievers'].map((kind) => ['list', kind]),
];

test('each document fits the schema of its command, and has nothing that is not in it', async () => {
  cwd = await writeFolder({
    'sums.config.mjs': config,
    'other.config.mjs': config.replace('{sum}={nothing}', 'What is {sum}?'),
    'sweep.yaml': task,
  });
  await runCli(['run', 'sums.config.mjs', '--out', 'base'], { cwd });
  for (const args of printing) {
    const { document } = await print(args);
    expect(document, args.join(' ')).not.toHaveProperty('errors');
    expect(document, args.join(' ')).toMatchObject({ schemaVersion: 1, command: args[0] });
    expect(faultsOf(document), args.join(' ')).toEqual([]);
  }
}, 240_000);

test('each error fits its schema', async () => {
  cwd = await writeFolder({});
  for (const [name = ''] of printing) {
    const { document, code } = await print([name, '--no-such-option']);
    expect(document, name).toMatchObject({ command: name, exitCode: 2 });
    expect(validators.get(failed)?.(document), name).toBe(true);
    expect(code).toBe(2);
  }
}, 240_000);
