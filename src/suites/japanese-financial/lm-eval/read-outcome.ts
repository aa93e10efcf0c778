import { RecordLookup } from '../../../run/store/record-lookup.ts';
import type { RowFiles } from '../../../run/store/row-places.ts';
import type { RowRecord } from '../../../run/store/row-record.ts';

import { splitAnswer, type Thinking } from '../../../score/split-thought.ts';
import type { TaskData } from '../data/load-documents.ts';
import type { JudgedRow } from '../scoring/judge-row.ts';
import { type Metric, taskMetrics } from '../scoring/metrics.ts';
import type { TaskPrompt } from '../templates/task-prompts.ts';
import type { Template } from '../templates/template.ts';
import { type ChoiceReply, judgeReply } from './judge-reply.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

/** What a model made of a task. */
export interface TaskOutcome {
  readonly template: Template;
  readonly numFewshot: number;
  readonly data: Omit<TaskData, 'documents'> & { readonly size: number };
  /** What was asked, in the order of evaluation, what came of it, and where the right choices are. */
  readonly asked: readonly TaskPrompt[];
  readonly replies: readonly ChoiceReply[];
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
  files: RowFiles,
): Promise<TaskOutcome> {
  const { template, numFewshot, data, prompts } = task;
  const thinking = evaluation.modelConfig?.thinking;
  const reader = await RecordLookup.open(files);
  const asked: TaskPrompt[] = [];
  const replies: ChoiceReply[] = [];
  const rows: JudgedRow[] = [];
  let unnamed = 0;
  try {
    for await (const batch of evaluation.rows.batches()) {
      for (const { id, position } of batch) {
        const prompt = prompts[position] as TaskPrompt;
        const record = await reader.row(Number(id));
        if (!record) throw new RangeError(`document ${id} has no answer`);
        const reply = replyOf(record, thinking);
        asked.push(prompt);
        replies.push(reply);
        rows.push(judgeReply(prompt, reply, { alsoNormalized }));
        if (record.unnamed) unnamed += 1;
      }
    }
  } finally {
    await reader.close();
  }
  return {
    template,
    numFewshot,
    data,
    ...{ asked, replies, rows },
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
