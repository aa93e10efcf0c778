import type { TaskDocument } from '../data/documents.ts';
import { loadDocuments, type TaskData } from '../data/load-documents.ts';
import { type TaskPrompt, taskPrompts } from '../templates/task-prompts.ts';
import type { Template } from '../templates/template.ts';

/** A task with everything that it asks. */
export interface PlannedTask {
  readonly template: Template;
  readonly numFewshot: number;
  readonly data: Omit<TaskData, 'documents'> & { readonly size: number };
  /** In the order of the data; examples come from among them. */
  readonly documents: readonly TaskDocument[];
  /** In the order of evaluation. */
  readonly prompts: readonly TaskPrompt[];
}

export interface PlanOptions {
  readonly numFewshot: number;
  readonly dataDir?: string | undefined;
}

/** Reads the documents of a task and makes their prompts. */
export async function planTask(
  template: Template,
  { numFewshot, dataDir }: PlanOptions,
): Promise<PlannedTask> {
  const { documents, ...data } = await loadDocuments(template.task, dataDir);
  const prompts = [...taskPrompts(template, documents, { numFewshot })];
  return { template, numFewshot, data: { ...data, size: documents.length }, documents, prompts };
}
