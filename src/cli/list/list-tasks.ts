import { builtInTasks } from '../../tasks/find-task.ts';
import { type Dialect, dialectNamed } from '../../tasks/japanese-financial/dialects.ts';
import { loadDocuments } from '../../tasks/japanese-financial/load-documents.ts';
import {
  type NamedTask,
  namedTasks,
  type Task,
  tasks,
} from '../../tasks/japanese-financial/task-names.ts';
import { taskPrompts } from '../../tasks/japanese-financial/task-prompts.ts';
import { loadTemplate } from '../../tasks/japanese-financial/template.ts';
import { packageFolder } from '../../tasks/package-folder.ts';
import {
  type OwnVersion,
  readTaskFile,
  type VersionedTask,
} from '../../tasks/versions/task-file.ts';
import type { TemplateVersion } from '../../tasks/versions/version-stamp.ts';
import { showOwnVersion } from './own-example.ts';
import type { ListedEntry, ListedPart } from './render-parts.ts';

const summaries: Readonly<Record<Task, string>> = {
  chabsa: 'sentiment towards a target in securities reports (chABSA)',
  cma_basics: 'questions of the securities analysts’ exam',
  cpa_audit: 'short-answer questions on auditing of the accountants’ exam; also `cpa`',
  fp2: 'questions of the financial planners’ exam, second grade',
  security_sales_1: 'questions of the securities sales representatives’ exam',
};

export interface TaskListOptions {
  /** Files and folders of tasks of one's own. */
  readonly files: readonly string[];
  readonly dialect: string;
}

/** The tasks with their versions: built-in ones, or those of the files. */
export async function listedTasks({ files, dialect }: TaskListOptions): Promise<ListedPart[]> {
  const own = await Promise.all(files.map(readTaskFile));
  if (own.length > 0) return [{ title: 'tasks', use: 'of your own', entries: own.map(ownTask) }];
  const shipped = await Promise.all(shippedFiles().map(readTaskFile));
  return [
    {
      title: 'tasks',
      use: '`typecase run task:NAME`, or `task: NAME` in a data set',
      entries: shipped.map(ownTask),
    },
    {
      title: 'financial tasks',
      use: '--task NAME, or --task NAME-1.0-VERSION',
      entries: await financialTasks(dialectNamed(dialect)),
    },
  ];
}

function shippedFiles(): string[] {
  return builtInTasks().map((name) => packageFolder('tasks', name, 'task.yaml'));
}

function ownTask({ task, summary = 'a task of your own', versions }: VersionedTask): ListedEntry {
  return { name: task, summary, versions: versions.map(stampOf) };
}

async function financialTasks(dialect: Dialect): Promise<ListedEntry[]> {
  const options = { dialect, systemPrompt: process.env.SYSTEM_PROMPT };
  const templates = await Promise.all(namedTasks.map((named) => loadTemplate(named, options)));
  return tasks.map((task) => ({
    name: task,
    summary: summaries[task],
    versions: templates.filter((template) => template.task === task).map(stampOf),
  }));
}

function stampOf({ version, hash }: TemplateVersion) {
  return { version, hash };
}

/** Template versions with their hashes and a prompt written by each. */
export async function listedTemplates(options: TaskListOptions): Promise<ListedPart[]> {
  const own = await Promise.all(options.files.map(readTaskFile));
  const entriesOf = (tasks: readonly VersionedTask[]) =>
    tasks.flatMap(({ versions }) => versions.map(ownEntry));
  if (own.length > 0) {
    return [{ title: 'templates', use: 'versions of your own', entries: entriesOf(own) }];
  }
  const shipped = await Promise.all(shippedFiles().map(readTaskFile));
  const financial = namedTasks.map((named) => builtInEntry(named, options.dialect));
  return [
    { title: 'templates', use: '`typecase run task:NAME/TEMPLATE`', entries: entriesOf(shipped) },
    { title: 'financial templates', use: '--task NAME', entries: await Promise.all(financial) },
  ];
}

async function builtInEntry(named: NamedTask, dialect: string): Promise<ListedEntry> {
  const template = await loadTemplate(named, {
    dialect: dialectNamed(dialect),
    systemPrompt: process.env.SYSTEM_PROMPT,
  });
  const { documents } = await loadDocuments(named.task);
  const [prompt] = taskPrompts(template, documents, { numFewshot: 0, limit: 1 });
  return {
    ...described(template, named.name),
    continuations: prompt?.continuations ?? [],
    example: prompt?.context ?? '',
  };
}

function ownEntry(version: OwnVersion): ListedEntry {
  return {
    ...described(version, `${version.task} ${version.version}`),
    example: showOwnVersion(version),
  };
}

function described(template: TemplateVersion, name: string) {
  const { task, version, dialect, hash, models, remark, reference } = template;
  const facts = [hash, models && `for ${models}`, remark, ...reference].filter(Boolean);
  return {
    ...{ name, summary: facts.join(' · '), task, version, hash },
    ...(dialect !== undefined && { dialect }),
    ...(models !== undefined && { models }),
    ...(remark !== undefined && { remark }),
    ...(reference.length > 0 && { reference }),
  };
}
