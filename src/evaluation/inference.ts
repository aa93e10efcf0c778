import type { Loglikelihood, LoglikelihoodText } from '../model/loglikelihood.ts';
import type { Ability } from '../model/model.ts';
import type { Prompt, TracedPrompt } from '../prompt/prompt.ts';
import type { PromptList } from '../prompt/prompt-list.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import type { DialogueSoFar, Measures, RowScore } from '../score/scorer.ts';

/** How the rows of a task are asked about. */
export type Inference = SingleInference | CompositeInference;

/** One request for each row. */
export interface SingleInference {
  readonly type: 'single';
  readonly ask: (row: PositionedRow) => AskedRow;
  /** The same with the origin of every character. */
  readonly trace: (row: PositionedRow) => Traced<AskedRow>;
}

export interface AskedRow {
  readonly request: RowRequest;
  /** The examples that are shown, by their places in the pool. */
  readonly shots: readonly number[];
  /** How many more did not fit and were left out. */
  readonly dropped: number;
  /** Whether the prompt does not fit into the context, although no example is left in it. */
  readonly tooLong?: boolean | undefined;
  /** What examples give away of the row's answer, if they do. */
  readonly leak?: string | undefined;
}

/** What is asked, with the origins of its texts: one for a prompt, one for each text whose loglikelihood is asked for. */
export type Traced<Asked> = Asked & {
  readonly texts: readonly TracedRequestText[];
  readonly examples: readonly NamedRow[];
};

export interface TracedRequestText {
  /** The label that the text stands for, if it stands for one. */
  readonly label?: unknown;
  /** What the task says, before any model's format. */
  readonly list: PromptList;
  readonly prompt: TracedPrompt;
}

/** Several requests for each row, at once or one after the other, that give one score. */
export interface CompositeInference {
  readonly type: 'composite';
  /** All that decides what the row will be asked, but for the answers, as text. */
  readonly identityOf: (row: PositionedRow) => string;
  /** What to ask after these answers; nothing when the row is done. */
  readonly next: (row: PositionedRow, answers: readonly string[]) => readonly PartRequest[];
  readonly traceNext: (
    row: PositionedRow,
    answers: readonly string[],
  ) => readonly Traced<PartRequest>[];
  readonly combine: (parts: readonly ScoredPart[], row: Pick<PositionedRow, 'id'>) => CombinedRow;
}

/** One of the requests of a row. */
export type PartRequest = TurnRequest | RepeatRequest;

/** A turn of a dialogue. */
export interface TurnRequest extends AnyPart {
  readonly kind: 'turn';
  /** What was said before it. */
  readonly dialogue: DialogueSoFar;
}

/** The row once more: another sample, or its options in another order. */
export interface RepeatRequest extends AnyPart {
  readonly kind: 'sample' | 'order';
  readonly dialogue?: undefined;
}

interface AnyPart extends AskedRow {
  /** Counts them from 1. */
  readonly name: number;
  /** Whether what is asked depends on the answers before. */
  readonly followsAnswers: boolean;
  /** What the answer is scored by. */
  readonly row: Row;
  readonly gold: unknown;
}

/** The answer to one of the requests of a row, and its score. */
export interface ScoredPart {
  readonly name: number;
  readonly text: string;
  readonly score: RowScore;
}

export interface CombinedRow {
  readonly score: RowScore;
  /** The answer that stands for the row. */
  readonly text: string;
}

export type RowRequest = PromptRequest | LabelRequest;

/** Asks for an answer to a prompt. */
export interface PromptRequest {
  readonly type: 'generate';
  readonly prompt: Prompt;
  /** Left out: that of the task. */
  readonly maxOutLen?: number | undefined;
  readonly seed?: number | undefined;
}

/** Asks how likely texts are, and chooses among the labels that they stand for. */
export interface LabelRequest {
  readonly type: 'loglikelihood';
  readonly texts: readonly LoglikelihoodText[];
  /** What is chosen among; left out where texts are only measured. */
  readonly labels?: readonly unknown[] | undefined;
  readonly choose: (loglikelihoods: readonly Loglikelihood[]) => Choice;
}

/** What the loglikelihoods of a row's texts say. */
export interface Choice {
  /** Left out where nothing is chosen, only measured. */
  readonly label?: unknown;
  readonly labels: readonly MeasuredLabel[];
  /** The labels with the best value, if there are several; the first of them was taken. */
  readonly ties?: readonly unknown[] | undefined;
  /** Measures of the row that come from the loglikelihoods alone. */
  readonly measures?: Measures | undefined;
}

export interface MeasuredLabel {
  /** Left out for texts that others are compared with. */
  readonly label?: unknown;
  /** What the labels are compared by. */
  readonly value: number;
  /** How likely the label is by that, as a logarithm, if not by the loglikelihood of its text. */
  readonly log?: number | undefined;
}

/** What a model must be able to do for an inferencer. */
export function abilityFor(inferencer: string): Ability {
  if (inferencer === 'CLPInferencer') return 'next-token';
  return likelihoodInferencers.has(inferencer) ? 'loglikelihood' : 'generate';
}

const likelihoodInferencers = new Set(['PPLInferencer', 'LLInferencer', 'PPLOnlyInferencer']);
