import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import type { PositionedRow } from '../../src/prompt/trace.ts';
import { toPython } from '../../src/python/convert.ts';
import { dumpJson } from '../../src/python/json.ts';
import { countCharacters } from '../../src/python/text.ts';
import { registerSuites } from '../../src/suites/index.ts';
import { type TaskEvaluation, taskOf } from '../../src/suites/lm-eval/task-evaluation.ts';
import { chooseTasks } from '../../src/suites/lm-eval/tasks/choose-tasks.ts';
import { readTaskYaml, type TaskYaml } from '../../src/suites/lm-eval/tasks/read-task-yaml.ts';
import { indexTasks } from '../../src/suites/lm-eval/tasks/task-index.ts';
import { compare, type Difference, difference } from './compare.ts';
import type { Handlers, VectorContext } from './handler.ts';
import { isObject, type Json, type JsonObject, listAt, textAt } from './json.ts';

registerSuites();

/** Prompts of lm-evaluation-harness, made by its own code from the YAML of tasks and made-up documents. */
export const lmEvalHandlers: Handlers = {
  'lm-eval task': async (vector: JsonObject, { folder }: VectorContext) => {
    const root = rootOf(textAt(vector, 'yaml'), folder);
    if (root === undefined) return 'skipped';
    const file = join(root, textAt(vector, 'yaml'));
    const sha256 = sha256Of(readFileSync(file));
    if (sha256 !== vector.yaml_sha256) {
      return [difference({ at: 'yaml', expected: vector.yaml_sha256, actual: sha256 })];
    }
    const config = await taskOfVector(vector, { root, file });
    const differences: Difference[] = [];
    for (const shots of [0, 1, 2]) {
      differences.push(...(await checkShots({ vector, config, folder }, shots)));
    }
    return differences;
  },
};

/** Files that are not here lie in the tree of the harness, where somebody has one. */
function rootOf(yaml: string, folder: string): string | undefined {
  if (yaml.startsWith('own/')) return folder;
  const tree = process.env.LM_EVAL_TREE;
  return tree !== undefined && existsSync(join(tree, yaml)) ? tree : undefined;
}

interface VectorFile {
  readonly root: string;
  readonly file: string;
}

async function taskOfVector(vector: JsonObject, { root, file }: VectorFile): Promise<TaskYaml> {
  const name = textAt(vector, 'task');
  if (typeof vector.group !== 'string') return (await readTaskYaml(file)).value;
  const group = join(root, vector.group);
  const { entries } = await indexTasks([dirname(group)]);
  const { tasks } = await chooseTasks([group], entries);
  const found = tasks.find((task) => task.name === name);
  if (!found) throw new Error(`the group has no task ${name}`);
  return found.config;
}

interface VectorTask {
  readonly vector: JsonObject;
  readonly config: TaskYaml;
  readonly folder: string;
}

async function checkShots(task: VectorTask, shots: number): Promise<Difference[]> {
  const { vector, config } = task;
  const evaluations = await openEvaluations(
    {
      models: [],
      datasets: [
        {
          abbr: textAt(vector, 'task'),
          type: 'LmEval',
          rows: rowsOf(task),
          reader_cfg: { input_columns: [], output_column: null },
          infer_cfg: {
            prompt_template: { template: '' },
            inferencer: { type: 'GenInferencer' },
          },
          lm_eval: { config, num_fewshot: shots },
        },
      ],
    },
    { purpose: 'view' },
  );
  const evaluation = evaluations[0];
  const opened = evaluation && taskOf(evaluation);
  if (!evaluation || !opened) throw new Error('no evaluation of a task');
  const rows: PositionedRow[] = [];
  for await (const batch of evaluation.rows.batches()) rows.push(...batch);
  const differences: Difference[] = [];
  for (const result of listAt(vector, 'results')) {
    if (!isObject(result) || result.k !== shots) continue;
    const row = rows[Number(result.doc)];
    if (!row) throw new Error('no such row');
    const at = `k ${shots}, document ${result.doc}`;
    const { k: _, doc: __, ...expected } = result;
    const found = compare(expected, observed(opened, row, expected));
    differences.push(...found.map((one) => ({ ...one, at: `${at} ${one.at}` })));
  }
  await evaluations.close();
  return differences;
}

/** The split that is asked about holds the documents, every other one the pool. */
function rowsOf({ vector, config, folder }: VectorTask): Record<string, Record<string, unknown>[]> {
  const own = () =>
    JSON.parse(readFileSync(join(folder, 'own', 'docs.json'), 'utf8')) as JsonObject;
  const { docs = own().eval, pool_docs: pool = own().pool } = vector;
  const { test_split: test, validation_split: validation, training_split: training } = config;
  const fewshot = isObject(config.fewshot_config as Json) ? config.fewshot_config : {};
  const { split } = fewshot as { split?: unknown };
  const asked = String(test ?? validation);
  const others = [validation, training, config.fewshot_split, split].filter(
    (name) => typeof name === 'string' && name !== asked,
  );
  return Object.fromEntries([...others.map((name) => [String(name), pool]), [asked, docs]]);
}

/** What the harness would hand to a model, in the form of the vectors. */
function observed(
  { opened, promptOf }: TaskEvaluation,
  row: PositionedRow,
  expected: JsonObject,
): JsonObject {
  const { contexts, continuations, unconditional } = promptOf(row);
  const isRolling = opened.task.outputType === 'loglikelihood_rolling';
  const own = continuations.length - unconditional;
  const each = continuations.map((_, index) =>
    index >= own ? '' : textOf(contexts[index] ?? contexts[0]),
  );
  const texts = continuations.length === 0 ? contexts.map(textOf) : each;
  const shared = new Set(texts).size === 1 ? texts.slice(0, 1) : texts;
  const isShort = JSON.stringify(expected).includes('"text"');
  const target = opened.targetOf(row.row);
  return {
    ...('generation_kwargs' in expected && {
      generation_kwargs: opened.generationKwargs as JsonObject,
    }),
    context: isRolling ? [] : shared.map((text) => hashed(text, isShort)),
    continuations: continuations.map((text) => hashed(text, isShort)),
    target: targetOf(target, expected.target),
  };
}

function textOf(prompt: Prompt | undefined): string {
  return prompt?.type === 'text' ? prompt.text : '';
}

function hashed(text: string, isShort: boolean): JsonObject {
  const length = countCharacters(text);
  return { sha256: sha256Of(text), length, ...(isShort && { text }) };
}

function targetOf(target: unknown, expected: Json | undefined): JsonObject {
  const written = typeof target === 'string' ? target : dumpJson(toPython(target));
  const type = Array.isArray(target) ? 'list' : typeof target === 'number' ? 'int' : 'str';
  const hasValue = isObject(expected) && 'value' in expected;
  return { type, sha256: sha256Of(written), ...(hasValue && { value: target as Json }) };
}

function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
