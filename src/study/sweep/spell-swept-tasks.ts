import { type ModelFlags, namesTask, spellTaskName } from '../../config/flags.ts';

interface SweptTasks extends Pick<ModelFlags, 'dataDir' | 'dialect'> {
  /** In the spelling of configs. */
  readonly models: readonly object[];
}

/** A config of tasks that are swept by their names: all templates, unless a task comes with one. */
export function spellSweptTasks(
  sources: readonly string[],
  { models, dataDir, dialect }: SweptTasks,
) {
  const datasets = sources.map((source) => spellTaskName(source, { dataDir, dialect }));
  const isNamed = datasets.some(({ version }) => version !== undefined);
  return { models, datasets, ...(!isNamed && { sweep: { templates: 'all' } }) };
}

/** The tasks that a source names, if it names tasks. */
export function sweptTasksIn(source: string): readonly string[] | undefined {
  return namesTask(source) ? source.split(' ') : undefined;
}
