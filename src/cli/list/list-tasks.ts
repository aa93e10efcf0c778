import { packageFolder } from '../../base/package-folder.ts';
import { contentText } from '../../prompt/parts/content.ts';
import { compileLabelPrompts, compilePrompt } from '../../prompt/program.ts';
import { fillPrompt } from '../../prompt/render.ts';
import { type SuiteTasks, suites } from '../../suites/index.ts';
import { builtInTasks } from '../../tasks/find-task.ts';
import { type OwnVersion, readTaskFile, type VersionedTask } from '../../tasks/task-file.ts';
import { describeVersion } from '../../terminal/list/describe-version.ts';
import type { ListedEntry, ListedPart } from '../../terminal/list/render-parts.ts';

export interface TaskListOptions {
  /** Files and folders of tasks of one's own. */
  readonly files: readonly string[];
  readonly dialect: string;
}

/** The tasks with their versions: built-in ones, or those of the files. */
export async function listedTasks({ files, dialect }: TaskListOptions): Promise<ListedPart[]> {
  if (files.length > 0) {
    const own = await Promise.all(files.map(readTaskFile));
    return [{ title: 'tasks', use: 'your own', entries: own.map(taskEntry) }];
  }
  return [
    {
      title: 'tasks',
      use: '`typecase run task:NAME`, or `task: NAME` in a dataset',
      entries: (await shippedTasks()).map(taskEntry),
    },
    ...(await ofSuites((tasks) => tasks.listTasks({ dialect }))),
  ];
}

/** Template versions with their hashes and a prompt written by each. */
export async function listedTemplates({ files, dialect }: TaskListOptions): Promise<ListedPart[]> {
  if (files.length > 0) {
    const own = await Promise.all(files.map(readTaskFile));
    return [{ title: 'templates', use: 'your own versions', entries: templateEntries(own) }];
  }
  return [
    {
      title: 'templates',
      use: '`typecase run task:NAME/TEMPLATE`',
      entries: templateEntries(await shippedTasks()),
    },
    ...(await ofSuites((tasks) => tasks.listTemplates({ dialect }))),
  ];
}

function shippedTasks(): Promise<VersionedTask[]> {
  return Promise.all(
    builtInTasks().map((name) => readTaskFile(packageFolder('tasks', name, 'task.yaml'))),
  );
}

async function ofSuites(list: (tasks: SuiteTasks) => Promise<ListedPart>): Promise<ListedPart[]> {
  const loaded = suites.flatMap(({ tasks }) => (tasks ? [tasks()] : []));
  return Promise.all((await Promise.all(loaded)).map(list));
}

function taskEntry({ task, summary = 'your own task', versions }: VersionedTask): ListedEntry {
  return {
    name: task,
    summary,
    versions: versions.map(({ version, hash }) => ({ version, hash })),
  };
}

function templateEntries(tasks: readonly VersionedTask[]): ListedEntry[] {
  return tasks.flatMap(({ versions }) => versions.map(templateEntry));
}

function templateEntry(version: OwnVersion): ListedEntry {
  return {
    ...describeVersion(version, `${version.task} ${version.version}`),
    example: showOwnVersion(version),
  };
}

/** The prompt of a version for its example row, or its first label; columns stay without one. */
function showOwnVersion(version: OwnVersion): string {
  const { promptTemplate, iceTemplate, outputColumn, example = {} } = version;
  const settings = { promptTemplate, iceTemplate, outputColumn };
  const program = isOneTemplate(promptTemplate ?? iceTemplate)
    ? compilePrompt(settings)
    : compileLabelPrompts(settings)[0]?.program;
  if (!program) return '';
  const prompt = fillPrompt(program, example);
  return prompt.type === 'text'
    ? prompt.text
    : prompt.messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n');
}

function isOneTemplate({ template }: { readonly template?: unknown } = {}): boolean {
  return typeof template !== 'object' || template === null || 'round' in template;
}
