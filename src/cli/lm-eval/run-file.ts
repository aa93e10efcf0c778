import type { RunFolder } from '../../run/run-folder.ts';
import { version } from '../version.ts';
import type { LmEvalOptions } from './lm-eval-options.ts';
import type { OpenedModel } from './open-model.ts';
import type { PlannedTask } from './plan-task.ts';

interface RunFileParts {
  readonly opened: OpenedModel;
  readonly tasks: readonly PlannedTask[];
  readonly options: LmEvalOptions;
}

/** Writes what is run, on which data. `model_args` stay out: they may hold a password. */
export async function writeRunFile(
  folder: RunFolder,
  { opened, tasks, options }: RunFileParts,
): Promise<void> {
  const { name, identity, facts } = opened.model;
  const { model, tasks: names, num_fewshot, dialect, limit } = options;
  const described = {
    typecase: version,
    command: 'lm-eval',
    settings: { model, tasks: names, num_fewshot, dialect, limit },
    models: [{ name, identity, facts }],
    templates: tasks.map(({ template }) => ({
      dataset: template.name,
      task: template.task,
      version: template.version,
      dialect: template.dialect,
      hash: template.hash,
    })),
    datasets: tasks.map(({ template, numFewshot }) => ({ abbr: template.name, numFewshot })),
    data: tasks.map(({ template, data: { hash, size, isSynthetic } }) => ({
      dataset: template.name,
      ...{ hash, documents: size, synthetic: isSynthetic },
    })),
  };
  await folder.write('run.json', `${JSON.stringify(described, null, 2)}\n`);
}
