import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { packageFolder } from '../../../base/package-folder.ts';
import { type TemplateVersion, templateHash } from '../../../tasks/version-stamp.ts';
import { type Dialect, dialects, rulesOf } from './dialects.ts';
import { fillText, parsePattern, type TextPattern } from './fill-text.ts';
import type { NamedTask, Task } from './task-names.ts';

/** A template version in one dialect, ready to be filled in. */
export interface Template extends TemplateVersion {
  /** As results are filed: `chabsa-1.0-0.2`. */
  readonly name: string;
  readonly task: Task;
  readonly dialect: Dialect;
  /** Stands once, before everything else. */
  readonly description: string;
  readonly text: TextPattern;
  /** How the text lists the choices of a document. */
  readonly choices: { readonly each: TextPattern; readonly between: string } | undefined;
  /** Choices that are the same for every document. */
  readonly labels: readonly string[] | undefined;
  /** How a choice is answered with. */
  readonly answer: TextPattern;
  readonly separator: string;
  /** Between a text and its answer. */
  readonly delimiter: string;
  /** Whether a system prompt was given that this dialect does not take. */
  readonly ignoresSystemPrompt: boolean;
}

const texts = z.union([z.string(), z.record(z.enum(dialects), z.string())]);

const fileSchema = z.strictObject({
  task: z.string(),
  version: z.string(),
  models: z.string().optional(),
  reference: z.array(z.string()).default([]),
  description: texts,
  system_prompt: texts.optional(),
  text: texts,
  choices: z.strictObject({ each: z.string(), between: z.string() }).optional(),
  labels: z.array(z.string()).optional(),
  answer: z.string(),
  fewshot_separator: texts,
  target_delimiter: texts,
});

type Texts = z.output<typeof texts>;

export interface TemplateOptions {
  readonly dialect: Dialect;
  /** Takes the place of the system prompt in dialects that let it; an environment variable there. */
  readonly systemPrompt?: string | undefined;
}

/** Reads the template of a task. */
export async function loadTemplate(
  { name, task, version }: NamedTask,
  { dialect, systemPrompt }: TemplateOptions,
): Promise<Template> {
  const file = join(packageFolder('tasks', 'japanese-financial', 'templates'), `${name}.yaml`);
  const read = fileSchema.parse(parse(await readFile(file, 'utf8')));
  const textOf = (value: Texts) => (typeof value === 'string' ? value : value[dialect]);
  const { readsSystemPrompt } = rulesOf[dialect];
  const own = readsSystemPrompt ? systemPrompt : undefined;
  const system = own ?? textOf(read.system_prompt ?? '');
  const content = {
    description: fillText(parsePattern(textOf(read.description)), () => system),
    text: textOf(read.text),
    choices: read.choices ?? null,
    labels: read.labels ?? null,
    answer: read.answer,
    separator: textOf(read.fewshot_separator),
    delimiter: textOf(read.target_delimiter),
  };
  return {
    ...content,
    name,
    task,
    version,
    dialect,
    hash: templateHash(content),
    reference: read.reference,
    models: read.models,
    text: parsePattern(content.text),
    choices: read.choices && {
      each: parsePattern(read.choices.each),
      between: read.choices.between,
    },
    labels: read.labels,
    answer: parsePattern(read.answer),
    ignoresSystemPrompt:
      systemPrompt !== undefined && !readsSystemPrompt && read.system_prompt !== undefined,
  };
}

/** Says that a system prompt has no effect. */
export function systemPromptNote({ name, dialect }: Template): string {
  return `SYSTEM_PROMPT has no effect: ${name} has a fixed system prompt in the dialect ${dialect}. The dialect v0.1.0 reads it.`;
}
