import { beginStart } from '../../../run/begin-start.ts';
import { workOf } from '../../../run/execute-evaluations.ts';
import type { StartRecord } from '../../../run/start-record.ts';
import { describeEvaluations } from '../../../run/store/describe-run.ts';
import type { RunFile } from '../../../run/store/run-file.ts';
import type { RunFolder } from '../../../run/store/run-folder.ts';
import { datasetType } from '../index.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

interface RunParts {
  readonly tasks: readonly TaskEvaluation[];
  readonly options: LmEvalOptions;
}

/** Begins a run and writes what is run, on which data. `model_args` stay out: they may hold a password. */
export async function recordRun(
  folder: RunFolder,
  { tasks, options }: RunParts,
): Promise<StartRecord> {
  const { model, tasks: names, num_fewshot, dialect, limit } = options;
  const settings = {
    model,
    tasks: names,
    num_fewshot,
    dialect,
    ...(limit !== undefined && { limit }),
  };
  const evaluations = tasks.map(({ evaluation }) => evaluation);
  const file: RunFile = {
    ...describeEvaluations(evaluations, { command: 'lm-eval', settings }),
    templates: tasks.map(({ task: { template } }) => ({
      dataset: template.name,
      task: template.task,
      version: template.version,
      dialect: template.dialect,
      hash: template.hash,
    })),
    datasets: tasks.map(({ task }) => ({
      abbr: task.template.name,
      type: datasetType,
      numFewshot: task.numFewshot,
    })),
    data: tasks.map(describeData),
  };
  return beginStart(folder, file, {
    fresh: options.fresh,
    evaluations: workOf(evaluations, folder).flatMap((work) => work.evaluations),
    isSelection: limit !== undefined,
    repository: { folder: process.cwd() },
  });
}

function describeData({ task: { template, data } }: TaskEvaluation): RunFile['data'][number] {
  const { hash, size, isSynthetic } = data;
  return { dataset: template.name, files: [], hash, documents: size, synthetic: isSynthetic };
}
