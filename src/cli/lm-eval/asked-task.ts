import type { LabelRequest, RowRequest } from '../../infer/inference.ts';
import type { NamedRow, Row } from '../../prompt/index.ts';
import { contentHash } from '../../run/key.ts';
import { runFiles } from '../../run/run-folder.ts';
import type { TaskSettings } from '../../run/task-settings.ts';
import { stripText } from '../../score/opencompass-python-text.ts';
import { rulesOf } from '../../tasks/japanese-financial/dialects.ts';
import { isOpinion } from '../../tasks/japanese-financial/documents.ts';
import { judgeRow } from '../../tasks/japanese-financial/judge-row.ts';
import type { TaskPrompt } from '../../tasks/japanese-financial/task-prompts.ts';
import type { Template } from '../../tasks/japanese-financial/template.ts';
import { unitsToCut } from './fit-context.ts';
import { choiceScorer } from './judge-reply.ts';
import type { OpenedModel } from './open-model.ts';
import type { PlannedTask } from './plan-task.ts';

/** A task as the runner takes it. Its rows are documents, by their place in the data. */
export interface AskedTask {
  readonly task: PlannedTask;
  readonly settings: TaskSettings;
  /** Places of the documents whose contexts were cut to fit; full once all are asked. */
  readonly cut: ReadonlySet<number>;
}

const longestAnswer = 256;

export function askedTask(
  task: PlannedTask,
  { opened, folder }: { readonly opened: OpenedModel; readonly folder: string },
): AskedTask {
  const { template, prompts } = task;
  const { model, alsoNormalized, mode } = opened;
  const files = runFiles(folder);
  const promptsByRow = new Map<Row, TaskPrompt>(
    prompts.map((prompt) => [{ ...prompt.document }, prompt]),
  );
  const promptOf = (row: Row) => promptsByRow.get(row) as TaskPrompt;
  const cut = new Set<number>();
  const ask = (row: Row): RowRequest => {
    const prompt = promptOf(row);
    const units = unitsCut(prompt, opened);
    if (units > 0) cut.add(prompt.docIndex);
    const shown = { ...prompt, context: prompt.context.slice(units) };
    return mode === 'weigh' ? weighing(shown, template) : writing(shown);
  };
  return {
    task,
    cut,
    settings: {
      model: model.name,
      modelIdentity: contentHash(model.identity),
      dataset: template.name,
      rows: batchesOf(promptsByRow),
      countRows: async () => promptsByRow.size,
      inference: { type: 'single', ask: ({ row }) => ({ request: ask(row), dropped: 0 }) },
      outputColumn: isOpinion((prompts[0] as TaskPrompt).document) ? 'polarity' : 'answer',
      maxOutLenOf: () => longestAnswer,
      scorer: choiceScorer({ template, promptOf, alsoNormalized }),
      scorerIdentity: contentHash([template.task, template.dialect, template.hash, alsoNormalized]),
      logFile: files.logFile(model.name, template.name),
      indexFile: files.indexFile(model.name, template.name),
    },
  };
}

const rowsOfBatch = 256;

async function* batchesOf(prompts: ReadonlyMap<Row, TaskPrompt>): AsyncGenerator<NamedRow[]> {
  let batch: NamedRow[] = [];
  for (const [row, { docIndex }] of prompts) {
    batch.push({ id: docIndex, row });
    if (batch.length < rowsOfBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function unitsCut({ context, continuations }: TaskPrompt, { mode, limit }: OpenedModel): number {
  return limit && mode === 'weigh' ? unitsToCut(context, continuations, limit) : 0;
}

/** Asks how likely each choice is. */
function weighing(prompt: TaskPrompt, { dialect }: Template): LabelRequest {
  const { context, continuations, choices, target } = prompt;
  const from = rulesOf[dialect].movesTrailingSpace ? contentEnd(context) : context.length;
  return {
    type: 'weigh',
    texts: continuations.map((continuation) => ({ text: context + continuation, from })),
    choose: (weights) => {
      const logLikelihoods = weights.map(({ logprob }) => logprob);
      return {
        label: choices[judgeRow({ logLikelihoods, choices, target }).predicted],
        labels: logLikelihoods.map((value, place) => ({ label: choices[place], value })),
      };
    },
  };
}

/** Where white space at the end of a text begins. */
function contentEnd(text: string): number {
  return stripText(`.${text}`).length - 1;
}

function writing({ context }: TaskPrompt): RowRequest {
  return { type: 'generate', prompt: { type: 'text', text: context } };
}
