import type { Weigher } from '../../model/weigh.ts';
import { stripText } from '../../score/opencompass-python-text.ts';
import { choicesInAnswer } from '../../tasks/japanese-financial/answer-choices.ts';
import { rulesOf } from '../../tasks/japanese-financial/dialects.ts';
import { type JudgedRow, judgeRow } from '../../tasks/japanese-financial/judge-row.ts';
import { loadDocuments, type TaskData } from '../../tasks/japanese-financial/load-documents.ts';
import { type Metric, taskMetrics } from '../../tasks/japanese-financial/metrics.ts';
import { type TaskPrompt, taskPrompts } from '../../tasks/japanese-financial/task-prompts.ts';
import type { Template } from '../../tasks/japanese-financial/template.ts';
import { askAll } from './ask-all.ts';
import { unitsToCut } from './fit-context.ts';
import type { OpenedModel } from './open-model.ts';

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
  readonly metrics: readonly Metric[];
}

export interface EvaluateOptions {
  readonly numFewshot: number;
  readonly dataDir?: string | undefined;
  readonly limit?: number | undefined;
}

/** Asks a model about the documents of a task, and judges what it prefers. */
export async function evaluateTask(
  opened: OpenedModel,
  template: Template,
  { numFewshot, dataDir, limit }: EvaluateOptions,
): Promise<TaskOutcome> {
  const { documents, ...data } = await loadDocuments(template.task, dataDir);
  const prompts = [...taskPrompts(template, documents, { numFewshot, limit })];
  let cut = 0;
  const rows = await askAll(prompts, {
    concurrency: opened.concurrency,
    ask: async (prompt, signal) => {
      const units = unitsCut(prompt, opened);
      if (units > 0) cut += 1;
      const context = prompt.context.slice(units);
      return judgeRow({
        logLikelihoods: await weighChoices(opened, { ...prompt, context, template, signal }),
        choices: prompt.choices,
        target: prompt.target,
      });
    },
  });
  return {
    template,
    numFewshot,
    data: { ...data, size: documents.length },
    docIndexes: prompts.map(({ docIndex }) => docIndex),
    rows,
    cut,
    metrics: taskMetrics(rows, template),
  };
}

function unitsCut({ context, continuations }: TaskPrompt, { mode, limit }: OpenedModel): number {
  return limit && mode === 'weigh' ? unitsToCut(context, continuations, limit) : 0;
}

interface Question extends Pick<TaskPrompt, 'context' | 'continuations'> {
  readonly template: Template;
  readonly signal: AbortSignal;
}

const longestAnswer = 256;

/** One number for each choice, the larger the better. */
async function weighChoices(opened: OpenedModel, question: Question): Promise<number[]> {
  const { model, mode, alsoNormalized } = opened;
  const { context, continuations, template, signal } = question;
  if (mode === 'weigh') {
    const from = rulesOf[template.dialect].movesTrailingSpace
      ? contentEnd(context)
      : context.length;
    const texts = continuations.map((continuation) => ({ text: context + continuation, from }));
    const { weights } = await (model.weigher as Weigher).weigh({ texts }, { signal });
    return weights.map(({ logprob }) => logprob);
  }
  const answer = await model.generate(
    {
      prompt: { type: 'text', text: context },
      maxOutLen: longestAnswer,
      settings: { temperature: 0 },
    },
    { signal },
  );
  return choicesInAnswer(answer.text, continuations, { alsoNormalized }).map(
    ({ logLikelihood }) => logLikelihood,
  );
}

/** Where white space at the end of a text begins. */
function contentEnd(text: string): number {
  return stripText(`.${text}`).length - 1;
}
