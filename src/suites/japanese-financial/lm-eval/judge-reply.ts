import type { Row } from '../../../prompt/values.ts';
import type { RowScore, Scorer, ScorerMetrics } from '../../../score/scorer.ts';
import { isOpinion } from '../data/documents.ts';
import { choicesInAnswer } from '../scoring/answer-choices.ts';
import { type JudgedRow, judgeRow } from '../scoring/judge-row.ts';
import { rowMetrics } from '../scoring/metrics.ts';
import { scoreMeasure } from '../scoring/score-estimate.ts';
import type { Task } from '../templates/task-names.ts';
import type { TaskPrompt } from '../templates/task-prompts.ts';
import type { Template } from '../templates/template.ts';

/** What a model gave for a prompt: how likely each choice is, or else a text. */
export interface ChoiceReply {
  readonly logprobs?: readonly number[] | undefined;
  readonly text: string;
}

export interface JudgeOptions {
  /** Whether a text is searched for the compatible form of a choice as well. */
  readonly alsoNormalized: boolean;
}

/** Finds the choice that a reply prefers. */
export function judgeReply(
  { choices, continuations, target }: TaskPrompt,
  { logprobs, text }: ChoiceReply,
  options: JudgeOptions,
): JudgedRow {
  const logLikelihoods =
    logprobs ??
    choicesInAnswer(text, continuations, options).map(({ logLikelihood }) => logLikelihood);
  return judgeRow({ logLikelihoods, choices, target });
}

export interface ChoiceScorerOptions extends JudgeOptions {
  readonly template: Template;
  readonly promptOf: (row: Row) => TaskPrompt;
}

/** How a task is measured, whatever its template. */
export function choiceMetrics(task: Task): ScorerMetrics {
  const { metric, measure, unanswered } = scoreMeasure(task);
  const share = { direction: 'higher', range: [0, 1] } as const;
  return {
    metric,
    ...share,
    ...(metric === 'f1' && {
      meanName: 'acc',
      datasetMetrics: [{ name: metric, ...share, type: 'cells', measure }],
    }),
    ...(unanswered && { ofNothing: (gold: unknown) => ({ cell: unanswered(gold) }) }),
  };
}

/** Scores documents for the log and the report of a run, by the measures of the original. */
export function choiceScorer({ template, promptOf, ...options }: ChoiceScorerOptions): Scorer {
  const { metric, cellOf } = scoreMeasure(template.task);
  const isWhole = metric === 'f1';
  return {
    ...choiceMetrics(template.task),
    score({ row, logprobs, answer }): RowScore {
      const prompt = promptOf(row);
      const judged = judgeReply(prompt, { logprobs, text: answer.answer }, options);
      const { acc = 0, ...measures } = rowMetrics(judged, template);
      // Where an answer mentions a choice does not depend on how long the choice is.
      const metrics = logprobs ? measures : withoutNormalized(measures);
      const isUnnamed = !logprobs && isNowhere(prompt, answer.answer, options);
      const extracted = choiceAt(prompt, judged.predicted);
      return {
        type: 'scored',
        value: acc,
        extracted,
        compared: { got: extracted, want: choiceAt(prompt, judged.gold) },
        metrics,
        ...(isUnnamed && { unnamed: true }),
        ...(isWhole && { cell: cellOf(judged) }),
      };
    },
  };
}

function withoutNormalized(measures: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(measures).filter(([name]) => !name.endsWith('_norm')));
}

/** Whether an answer mentions none of the choices. */
function isNowhere({ continuations }: TaskPrompt, text: string, options: JudgeOptions): boolean {
  const found = choicesInAnswer(text, continuations, options);
  return found.every(({ logLikelihood }) => logLikelihood === Number.NEGATIVE_INFINITY);
}

/** A choice in the words of the data, whatever a template makes of it. */
function choiceAt({ document, choices }: TaskPrompt, index: number): string {
  return isOpinion(document)
    ? (choices[index] ?? document.polarity)
    : String(document.choices[index]?.id);
}
