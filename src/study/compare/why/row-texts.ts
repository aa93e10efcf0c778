import { contentText } from '../../../prompt/parts/content.ts';
import type { Prompt } from '../../../prompt/prompt.ts';
import { formatValue } from '../../../prompt/values.ts';
import { promptsFile, readSavedPrompts, savedPrompt } from '../../../run/saved-prompts.ts';
import { readCurrentRows } from '../../../run/store/current-rows.ts';
import { ProblemList } from '../../../run/store/record-problem.ts';
import { readRecordedValues } from '../../../run/store/recorded-values.ts';
import type { RowRecord } from '../../../run/store/row-record.ts';
import { datasetOf } from '../../../run/store/run-file-parts.ts';
import type { LoggedTask } from '../load-flips.ts';
import { remakePrompts } from '../remake-prompts.ts';

/** What a row was asked and answered, and what was read out of the answer; nothing where that is not recorded. */
export interface RowTexts {
  readonly record: RowRecord;
  readonly prompt?: string | undefined;
  readonly answer?: string | undefined;
  readonly extracted?: string | undefined;
  readonly gold?: string | undefined;
}

/** The texts of one side. */
export interface SideTexts {
  /** Whose results these are. */
  readonly harness: string;
  readonly rows: ReadonlyMap<number, RowTexts>;
  /** Why prompts are missing, where some are. */
  readonly noPrompts?: string | undefined;
}

/** Reads the texts of all rows: prompts that were kept, or are made anew by the config of the run. */
export async function readTexts(task: LoggedTask): Promise<SideTexts> {
  const { logFile, indexFile, dataset } = task.task;
  const records: RowRecord[] = [];
  const problems = new ProblemList();
  for await (const batch of readCurrentRows({ logFile, indexFile }, { problems })) {
    for (const { record } of batch) records.push(record);
  }
  const { prompts, reason } = await promptsOf(task, records);
  const { opened } = task.run.file.settings;
  const isAsOpened = opened !== undefined && opened.scoredBy[dataset] === evaluatorOf(task);
  const values = opened && (await readRecordedValues(logFile));
  const rows = records.map((record): [number, RowTexts] => {
    const { id, answer, label, extracted } = record;
    const gold = record.gold ?? record.compared?.[1] ?? values?.get(id)?.gold;
    const chosen = label === undefined ? undefined : formatValue(label);
    const read = isAsOpened
      ? values?.get(id)?.extracted
      : extracted === undefined
        ? undefined
        : formatValue(extracted);
    return [
      id,
      {
        record,
        prompt: prompts.get(id),
        answer: answer ?? chosen,
        extracted: read ?? chosen,
        gold: gold === undefined || gold === null ? undefined : formatValue(gold),
      },
    ];
  });
  const hasAll = records.every(({ id }) => prompts.has(id));
  return {
    harness: opened?.harness ?? 'Typecase',
    rows: new Map(rows),
    ...(!hasAll && { noPrompts: reason ?? 'not recorded' }),
  };
}

/** The evaluator of an opened run; suites have their own. */
function evaluatorOf({ run, task }: LoggedTask): string {
  return datasetOf(run.file, task.dataset)?.evalCfg?.evaluator?.type ?? 'task';
}

async function promptsOf(task: LoggedTask, records: readonly RowRecord[]) {
  const saved = new Map<string, string>();
  for await (const one of readSavedPrompts(promptsFile(task.task.logFile))) {
    saved.set(one.key, plainText(savedPrompt(one)));
  }
  const prompts = new Map<number, string>();
  for (const { id, key, parts } of records) {
    const text = saved.get(parts?.[0] ?? key);
    if (text !== undefined && text !== '') prompts.set(id, text);
  }
  const missing = records.filter(({ id }) => !prompts.has(id));
  if (missing.length === 0 || saved.size > 0) return { prompts };
  const remade = await remakePrompts(task, { ids: new Set(missing.map(({ id }) => id)) });
  if (remade.type === 'not-made') return { prompts, reason: remade.reason };
  for (const { id, prompt } of missing) {
    const made = remade.prompts.get(id);
    if (made?.hash === prompt) prompts.set(id, plainText(made.prompt));
  }
  return { prompts, reason: remade.changed && `${remade.changed} has changed since the run` };
}

function plainText(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return joinMessages(prompt.messages.map(({ role, content }) => [role, contentText(content)]));
}

/** One message as it is, several with their roles: harnesses record either. */
function joinMessages(messages: readonly (readonly [role: string, content: string])[]): string {
  const [first] = messages;
  if (first && messages.length === 1) return first[1];
  return messages.map(([role, content]) => `${role}: ${content}`).join('\n');
}
