import { packageFolder } from '../../base/package-folder.ts';
import type { TaskSource } from '../../tasks/sources.ts';
import type { OwnVersion, VersionedTask } from '../../tasks/task-file.ts';
import { defaultDialect } from './default-dialect.ts';
import { datasetType } from './index.ts';
import { type Dialect, dialectNamed } from './templates/dialects.ts';
import type { TextPattern } from './templates/fill-text.ts';
import {
  type NamedTask,
  namedTasks,
  nameOf,
  type Task,
  taskCalled,
  taskNamed,
  taskNames,
  taskVersions,
} from './templates/task-names.ts';
import { loadTemplate, type Template } from './templates/template.ts';

/** The financial tasks as `task:` names them: `cma_basics`, or with a version `cma_basics-1.0-0.2`. */
export const taskSource: TaskSource = {
  names: taskNames,
  versions: new Map(namedTasks.map(({ name, task, version }) => [name, { task, version }])),
  async find(name, { dialect: given = defaultDialect }) {
    const dialect = () => dialectNamed(given);
    const task = taskCalled(name);
    if (task) {
      const versions = taskVersions[task].map((version) => ({
        name: nameOf(task, version),
        task,
        version,
      }));
      return versionedTask(task, versions, dialect());
    }
    if (!taskNames.some((known) => name.startsWith(`${known}-`))) return undefined;
    const named = taskNamed(name);
    return { ...(await versionedTask(named.task, [named], dialect())), abbr: named.name };
  },
};

async function versionedTask(
  task: Task,
  named: readonly NamedTask[],
  dialect: Dialect,
): Promise<VersionedTask> {
  const { SYSTEM_PROMPT: systemPrompt } = process.env;
  const templates = await Promise.all(
    named.map((one) => loadTemplate(one, { dialect, systemPrompt })),
  );
  const isOpinion = task === 'chabsa';
  const outputColumn = isOpinion ? 'polarity' : 'answer';
  return {
    task,
    summary: undefined,
    type: datasetType,
    hasDialects: true,
    versions: templates.map((template) => ownVersion(template, outputColumn)),
    dataset: {
      path: { test: packageFolder('tasks', 'japanese-financial', 'data') },
      readerCfg: {
        input_columns: isOpinion ? ['sentence', 'target'] : ['question', 'context', 'choices'],
        output_column: outputColumn,
      },
      inferCfg: { inferencer: { type: 'LLInferencer' } },
      evalCfg: undefined,
    },
  };
}

/** Its template is there to be read: prompts are made by the rules of the original. */
function ownVersion(template: Template, outputColumn: string): OwnVersion {
  const { task, version, hash, reference, models, description, text, delimiter, answer } = template;
  return {
    ...{ task, version, hash, reference, models, outputColumn },
    promptTemplate: {
      template: [description, written(text), delimiter, written(answer)].join(''),
    },
    iceTemplate: undefined,
    example: undefined,
  };
}

function written(pattern: TextPattern): string {
  return pattern.map((part, index) => (index % 2 === 0 ? part : `{${part}}`)).join('');
}
