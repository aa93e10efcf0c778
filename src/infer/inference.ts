import type { GenerateResult } from '../model/model.ts';
import type { TextWeight, WeighedText } from '../model/weigh.ts';
import type { Prompt, Row } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import type { RowScore } from '../score/index.ts';

/** How the rows of a task are asked about. */
export type Inference = SingleInference | CompositeInference;

/** One request for each row. */
export interface SingleInference {
  readonly type: 'single';
  readonly ask: (query: Query) => AskedRow;
}

export interface AskedRow {
  readonly request: RowRequest;
  /** Examples that did not fit and were left out. */
  readonly dropped: number;
  /** What examples give away of the row's answer, if they do. */
  readonly leak?: string | undefined;
}

/** Several requests for each row, at once or one after the other, that give one score. */
export interface CompositeInference {
  readonly type: 'composite';
  /** All that decides what the row will be asked, but for the answers, as text. */
  readonly identityOf: (query: Query) => string;
  /** What to ask after these answers; nothing when the row is done. */
  readonly next: (query: Query, answered: readonly AnsweredPart[]) => readonly PartRequest[];
  readonly combine: (parts: readonly AnsweredPart[], query: Query) => CombinedRow;
}

/** One of the requests of a row: a turn, a sample, an order of the options. */
export interface PartRequest extends AskedRow {
  readonly name: string | number;
  /** What the answer is scored by. */
  readonly row: Row;
  readonly gold: unknown;
}

export interface AnsweredPart extends PartRequest {
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
  readonly type: 'weigh';
  readonly texts: readonly WeighedText[];
  readonly choose: (weights: readonly TextWeight[]) => Choice;
}

/** What the weights of a row's texts say. */
export interface Choice {
  /** Left out where nothing is chosen, only measured. */
  readonly label?: unknown;
  readonly labels: readonly WeighedLabel[];
  /** Measures of the row that come from the weights alone. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
}

export interface WeighedLabel {
  /** Left out for texts that are weighed for comparison. */
  readonly label?: unknown;
  /** What the labels are compared by. */
  readonly value: number;
  /** How likely the label is by that, as a logarithm, if not by the log-likelihood of its text. */
  readonly log?: number | undefined;
}

/** What a model gave back for a request. */
export type ModelAnswer = GenerateResult | WeighAnswer;

export interface WeighAnswer {
  readonly weights: readonly TextWeight[];
  readonly usage?: GenerateResult['usage'];
  readonly totalMs: number;
}
