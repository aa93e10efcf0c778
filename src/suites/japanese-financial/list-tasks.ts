import type { TemplateVersion } from '../../tasks/version-stamp.ts';
import { describeVersion } from '../../terminal/list/describe-version.ts';
import type { ListedEntry, ListedPart } from '../../terminal/list/render-parts.ts';
import { loadDocuments } from './data/load-documents.ts';
import { dialectNamed } from './templates/dialects.ts';
import { type NamedTask, namedTasks, type Task, tasks } from './templates/task-names.ts';
import { taskPrompts } from './templates/task-prompts.ts';
import { loadTemplate } from './templates/template.ts';

const summaries: Readonly<Record<Task, string>> = {
  chabsa: 'sentiment towards a target in securities reports (chABSA)',
  cma_basics: 'questions of the securities analysts’ exam',
  cpa_audit: 'short-answer questions on auditing of the accountants’ exam; also `cpa`',
  fp2: 'questions of the financial planners’ exam, second grade',
  security_sales_1: 'questions of the securities sales representatives’ exam',
};

export async function listTasks({ dialect }: { readonly dialect: string }): Promise<ListedPart> {
  const templates = await Promise.all(namedTasks.map((named) => templateOf(named, dialect)));
  return {
    title: 'financial tasks',
    use: '--task NAME, or --task NAME-1.0-VERSION',
    entries: tasks.map((task) => ({
      name: task,
      summary: summaries[task],
      versions: templates
        .filter((template) => template.task === task)
        .map(({ version, hash }: TemplateVersion) => ({ version, hash })),
    })),
  };
}

export async function listTemplates({
  dialect,
}: {
  readonly dialect: string;
}): Promise<ListedPart> {
  const entries = await Promise.all(namedTasks.map((named) => listedTemplate(named, dialect)));
  return { title: 'financial templates', use: '--task NAME', entries };
}

/** A template with the first prompt that it writes. */
async function listedTemplate(named: NamedTask, dialect: string): Promise<ListedEntry> {
  const template = await templateOf(named, dialect);
  const { documents } = await loadDocuments(named.task);
  const [prompt] = taskPrompts(template, documents, { numFewshot: 0, limit: 1 });
  return {
    ...describeVersion(template, named.name),
    continuations: prompt?.continuations ?? [],
    example: prompt?.context ?? '',
  };
}

function templateOf(named: NamedTask, dialect: string) {
  return loadTemplate(named, {
    dialect: dialectNamed(dialect),
    systemPrompt: process.env.SYSTEM_PROMPT,
  });
}
