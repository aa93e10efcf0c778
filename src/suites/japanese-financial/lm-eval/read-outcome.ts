import { RecordLookup } from '../../../run/store/record-lookup.ts';
import type { RowRecord } from '../../../run/store/row-record.ts';
import type { RunFolder } from '../../../run/store/run-folder.ts';
import { splitAnswer, type Thinking } from '../../../score/split-thought.ts';
import type { TaskData } from '../data/load-documents.ts';
import type { JudgedRow } from '../scoring/judge-row.ts';
import { type Metric, taskMetrics } from '../scoring/metrics.ts';
import type { Template } from '../templates/template.ts';
import { type ChoiceReply, judgeReply } from './judge-reply.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

/** What a model made of a task. */
export interface TaskOutcome {
  readonly template: Template;
  readonly numFewshot: number;
  readonly data: Omit<TaskData, 'documents'> & { readonly size: number };
  /** Places of the documents in the data, in the order of evaluation. */
  readonly docIndexes: readonly number[];
  readonly rows: readonly JudgedRow[];
  /** How many contexts were cut at their beginning to fit into the model. */
  readonly cut: number;
  /** How many answers name no choice, so that the first one is taken. */
  readonly unnamed: number;
  readonly metrics: readonly Metric[];
}

/** Judges the logged replies of a task whose documents were all answered. */
export async function readOutcome(
  { task, evaluation, cut, alsoNormalized }: TaskEvaluation,
  folder: Pick<RunFolder, 'logFile' | 'indexFile'>,
): Promise<TaskOutcome> {
  const { template, numFewshot, data, prompts } = task;
  const { modelName, modelConfig } = evaluation;
  const thinking = modelConfig?.thinking;
  const reader = await RecordLookup.open({
    logFile: folder.logFile(modelName, template.name),
    indexFile: folder.indexFile(modelName, template.name),
  });
  const rows: JudgedRow[] = [];
  let unnamed = 0;
  try {
    for (const prompt of prompts) {
      const record = await reader.row(prompt.docIndex);
      if (!record) throw new RangeError(`document ${prompt.docIndex} has no answer`);
      rows.push(judgeReply(prompt, replyOf(record, thinking), { alsoNormalized }));
      if (record.unnamed) unnamed += 1;
    }
  } finally {
    await reader.close();
  }
  return {
    template,
    numFewshot,
    data,
    docIndexes: prompts.map(({ docIndex }) => docIndex),
    rows,
    cut: cut.size,
    unnamed,
    metrics: taskMetrics(rows, template),
  };
}

function replyOf(
  { loglikelihoods, answer = '', reasoning, opened, finish }: RowRecord,
  thinking: Thinking | undefined,
): ChoiceReply {
  const logprobs = loglikelihoods?.map(({ logprob }) => logprob ?? Number.NEGATIVE_INFINITY);
  const parts = splitAnswer(answer, reasoning, { thinking, opened, isCut: finish === 'length' });
  return { logprobs, text: parts.answer };
}
