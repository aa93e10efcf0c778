import type { DatasetConfig } from '../../config/config.ts';
import { ConfigError } from '../../errors.ts';
import { entriesOf, isMapping, toPlain } from '../../prompt/mapping.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { ContextBuilder } from './prompts/build-context.ts';
import {
  DocumentTexts,
  printed,
  type Target,
  type TaskFunctions,
} from './prompts/document-texts.ts';
import { createSampler, type Sampler } from './prompts/sampler.ts';
import { scoringProblems } from './scoring/metrics.ts';
import { resultReader } from './scoring/process-results.ts';
import { type TaskScorer, taskScorer } from './scoring/task-scorer.ts';
import { findFunctions } from './tasks/find-functions.ts';
import { readTaskRows, type TaskRows } from './tasks/read-rows.ts';
import type { TaskYaml } from './tasks/read-task-yaml.ts';
import { functionsIn, type LmEvalTask, parseTask } from './tasks/task-config.ts';

/** A task with its rows, ready to make prompts and to read what comes back. */
export interface OpenedTask {
  readonly task: LmEvalTask;
  /** The task as in its file. */
  readonly yaml: TaskYaml;
  readonly data: TaskRows;
  readonly numFewshot: number;
  readonly seed: number;
  readonly shotsOf: Sampler;
  readonly builder: ContextBuilder;
  readonly hasSeveralInputs: boolean;
  readonly targetOf: (row: Row) => Target;
  readonly choicesOf: (row: Row) => readonly string[];
  readonly scorer: TaskScorer;
  readonly functions: TaskFunctions;
  /** What is sent beside the prompt, with `until`. */
  readonly generationKwargs: Readonly<Record<string, unknown>>;
}

export interface TaskParts {
  readonly folder: string;
  /** Whether the model's config says how it thinks. */
  readonly splitsThoughts: boolean;
}

/** What the original draws examples by unless it is told otherwise. */
export const defaultSeed = 1234;

/** Opens the task that a dataset stands for. */
export async function openTask(dataset: DatasetConfig, parts: TaskParts): Promise<OpenedTask> {
  const { lmEval = {}, source, abbr } = dataset;
  const yaml = taskYamlOf(dataset);
  const task = parseTask(yaml, lmEval.file);
  refuseScoring(task, dataset);
  const functions = await findFunctions(functionsIn(yaml), lmEval.functions, {
    folder: parts.folder,
    path: source,
    name: abbr,
  });
  // A text that is only measured stands alone.
  const isAlone = task.outputType === 'loglikelihood_rolling';
  const numFewshot = isAlone ? 0 : (lmEval.numFewshot ?? task.numFewshot ?? 0);
  const data = await readTaskRows(task, dataset, {
    folder: parts.folder,
    functions,
    wantsPool: numFewshot > 0,
  });
  return assemble(task, {
    ...{ dataset, data, functions, numFewshot },
    splitsThoughts: parts.splitsThoughts,
  });
}

/** The YAML of a dataset's task, as a config or a record has it. */
export function taskYamlOf({
  lmEval,
  source,
  abbr,
}: Pick<DatasetConfig, 'lmEval' | 'abbr' | 'source'>): TaskYaml {
  if (isMapping(lmEval?.config)) return Object.fromEntries(entriesOf(lmEval.config)) as TaskYaml;
  throw new ConfigError('lm_eval.bad_task', `${abbr} has no \`lm_eval.config\``, {
    path: source,
    hint: 'Set `task` to the YAML file of the task; its content is then filled in.',
  });
}

function refuseScoring(task: LmEvalTask, { source }: DatasetConfig): void {
  const problems = scoringProblems(task);
  if (problems.length === 0) return;
  throw new ConfigError(
    'lm_eval.not_supported',
    `${task.name} uses features that are not supported: ${problems.join(', ')}`,
    { path: source, hint: 'docs/migrate/lm-eval.md lists metrics, aggregations and filters.' },
  );
}

interface AssembledParts {
  readonly dataset: DatasetConfig;
  readonly data: TaskRows;
  readonly functions: TaskFunctions;
  readonly numFewshot: number;
  readonly splitsThoughts: boolean;
}

function assemble(task: LmEvalTask, parts: AssembledParts): OpenedTask {
  const { dataset, data, functions, numFewshot } = parts;
  const { lmEval = {} } = dataset;
  const texts = new DocumentTexts(task, { columns: data.columns, functions });
  const first = (data.rows[0] as NamedRow).row;
  const hasSeveralInputs =
    task.docToChoice !== undefined && typeof texts.text(task.docToText, first) === 'number';
  const targetOf = (row: Row) => texts.target(task.docToTarget, row);
  const hasSeveralTargets = Array.isArray(targetOf(first));
  const choicesOf = (row: Row) =>
    task.docToChoice === undefined ? [] : texts.choices(task.docToChoice, row);
  const reader = resultReader(task, { texts, functions, hasSeveralInputs, hasSeveralTargets });
  const seed = lmEval.fewshotSeed ?? defaultSeed;
  return {
    ...{ task, data, numFewshot, seed, hasSeveralInputs, targetOf, choicesOf, functions },
    yaml: taskYamlOf(dataset),
    shotsOf: createSampler({
      name: task.name,
      sampler: task.fewshot.sampler,
      pool: data.pool.map(({ row }) => row),
      count: numFewshot,
      seed,
      excludesRow: data.excludesRow,
    }),
    builder: new ContextBuilder(task, texts, {
      systemInstruction: lmEval.systemInstruction,
      hasSeveralInputs,
    }),
    scorer: taskScorer({
      ...{ task, reader, functions, choicesOf },
      splitsThoughts: parts.splitsThoughts,
      goldTextOf: (row) => goldText(reader.goldOf(row), targetOf(row), choicesOf(row)),
    }),
    generationKwargs: {
      ...task.generationKwargs,
      ...(toPlain(lmEval.genKwargs ?? {}) as Record<string, unknown>),
    },
  };
}

/** What the right answer is, for people. */
function goldText(
  gold: number | readonly number[],
  target: Target,
  choices: readonly string[],
): string {
  if (choices.length === 0) return printed(target);
  const texts = [gold].flat().flatMap((place) => choices[place] ?? []);
  return texts.length > 0 ? texts.join(' | ') : printed(target);
}
