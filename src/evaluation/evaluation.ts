import type { Compat } from '../compat/compat.ts';
import type { DatasetConfig, ModelConfig, Price } from '../config/config.ts';
import type { RowStream } from '../data/row-stream.ts';
import type { LoglikelihoodRecall, LoglikelihoodRequest } from '../model/loglikelihood.ts';
import type { GenerateRequest, Model } from '../model/model.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { ModelFormat } from '../prompt/format.ts';
import type { RowId } from '../prompt/origin.ts';
import type { Prompt, TracedPrompt } from '../prompt/prompt.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import type { ScoreInput, Scorer } from '../score/scorer.ts';
import type {
  CombinedRow,
  PartRequest,
  RowRequest,
  ScoredPart,
  TracedRequestText,
} from './inference.ts';
import type { PromptSetup } from './prompt-setup.ts';

/** A value, or the promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** What is asked about, whatever the model: a dataset with its templates, examples and scoring. */
export interface Task {
  /** The `abbr` of the dataset. */
  readonly name: string;
  readonly inferencer: string;
  /** The system whose rules make the prompts, if not our own. */
  readonly compat?: Compat | undefined;
  /** Whether the model is to answer (`gen`) or to tell how likely texts are (`ppl`). */
  readonly mode: 'gen' | 'ppl';
  readonly outputColumn?: string | undefined;
  /** The column whose values tell which rows belong together. */
  readonly clusterBy?: string | undefined;
  /** Left out for tasks that no config describes. */
  readonly dataset?: DatasetConfig | undefined;
}

/** One task on one model: what is asked about each row, byte for byte, and how it is scored. */
export interface Evaluation {
  readonly model: Model;
  /** The `abbr` of the model. */
  readonly modelName: string;
  /** What tells the model's answers from another's, as text. */
  readonly modelIdentity: string;
  /** Left out where no config describes the model. */
  readonly modelConfig?: ModelConfig | undefined;
  /** The model that scores answers; left out where none does. */
  readonly judgeConfigs?: readonly ModelConfig[] | undefined;
  readonly task: Task;
  readonly rows: RowStream<PositionedRow>;
  /** What may be wrong with the templates and the columns as a whole. */
  readonly diagnostics: readonly Diagnostic[];
  /** What may be wrong with a row. */
  readonly checkRow: (row: PositionedRow) => readonly Diagnostic[];
  /** Examples, by their places in the pool, that give away the answer to a row. */
  readonly leaksOf: (row: PositionedRow, shots: readonly number[]) => readonly Diagnostic[];
  /** The examples at some places of the pool. */
  readonly examplesAt: (shots: readonly number[]) => readonly NamedRow[];
  /** What the prompts depend on beside the configs of model and dataset. */
  readonly shape: PromptShape;
  /** What its prompts are made by; left out by suites, which make them by rules of their own. */
  readonly setup?: PromptSetup | undefined;
  /** The most tokens that an answer has, of rows that set no limit themselves, as far as it is known. */
  readonly answerLimit: number | undefined;
  /** Whether a row takes one request, or several that are scored together. */
  readonly type: 'single' | 'composite';
  /** Gets ready for many rows at once, where a row needs media, vectors or a model's choice. */
  readonly prepare?: ((rows: readonly PositionedRow[]) => Promise<void>) | undefined;
  /**
   * The requests for a row, or those that come after the answers to earlier ones. A promise only
   * where the row has to be made ready first.
   */
  plan(row: PositionedRow, answers?: readonly string[]): MaybePromise<RowPlan>;
  /** The same with the origin of every character; what it untraces to is the plan. */
  trace(row: PositionedRow, answers?: readonly string[]): MaybePromise<TracedPlan>;
  /** The score of a row whose requests are all answered. */
  combine(parts: readonly ScoredPart[], row: Pick<PositionedRow, 'id'>): CombinedRow;
  readonly scorer: Scorer;
  /** What tells the scorer from another, as text. */
  readonly scorerIdentity: string;
  /** Who judges the answers, if anybody does. */
  readonly judges?: readonly NamedJudge[] | undefined;
  /** What a judge may be shown of a row beside its texts, by hash; left out where it is shown no media. */
  readonly seenOf?: ((row: Row) => string) | undefined;
  /** What holds for the scoring on this machine, such as the limits of code that is run. */
  readonly scoringNotes: readonly string[];
  /** What judges are asked to score an answer; nothing is sent. */
  planScoring(input: ScoreInput): Promise<readonly JudgeRequest[]>;
  /** What the model was asked to choose examples, by the keys of the requests; a row may be asked the same. */
  readonly trials?: LoglikelihoodRecall | undefined;
  /** How fast the model is asked. */
  readonly pace: Pace;
  /** How many tokens a text has; left out where the model has no tokenizer. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** The tokens of a text; left out where they are not known. */
  readonly tokenize?: ((text: string) => readonly number[]) | undefined;
  /** Whether answers depend on a function without a version: they are of this start alone. */
  readonly isUnversioned?: boolean | undefined;
}

/** What shapes prompts and is no setting itself. */
export interface PromptShape {
  /** The seed that examples are drawn by; left out where none are drawn. */
  readonly seed?: number | undefined;
  /** The rows that can be examples; left out where there are none. */
  readonly pool?: readonly NamedRow[] | undefined;
  /** The rows that labels and columns are known by. */
  readonly samples?: readonly PositionedRow[] | undefined;
  /** How the model writes dialogues. */
  readonly format?: ModelFormat | undefined;
  /** Whether lengths are estimated: there is a limit, and no tokenizer. */
  readonly estimatesLengths?: boolean | undefined;
}

export interface Pace {
  readonly maxConcurrency: number;
  readonly requestsPerSecond?: number | undefined;
  readonly maxAttempts: number;
}

/** What a row is asked. */
export interface RowPlan extends PositionedRow {
  /** The identity of all that the row is asked, of this model. */
  readonly key: string;
  /** Hash of what it is asked, whatever the model. */
  readonly promptHash: string;
  /** What can be asked now. */
  readonly requests: readonly PlannedRequest[];
}

/** One request, as it is sent. */
export interface PlannedRequest
  extends Pick<
    AskedRequest,
    'shots' | 'dropped' | 'tooLong' | 'leak' | 'row' | 'gold' | 'dialogue'
  > {
  readonly id: number;
  readonly key: string;
  readonly promptHash: string;
  /** What it is: a prompt, or texts whose likelihood is asked for. */
  readonly asked: RowRequest;
  /** What the model is given. */
  readonly request: GenerateRequest | LoglikelihoodRequest;
  /** What stands for it, as text: equal texts are one request. */
  readonly encoded: string;
  /** Which of the row's requests it is, if there are several. */
  readonly part?: Pick<PartRequest, 'kind' | 'name' | 'followsAnswers'> | undefined;
}

/** A request before the model has a say in it. */
export type AskedRequest = Pick<
  PartRequest,
  'request' | 'shots' | 'dropped' | 'tooLong' | 'leak' | 'row' | 'gold' | 'dialogue'
>;

export interface TracedPlan extends Omit<RowPlan, 'requests'> {
  readonly requests: readonly TracedRequest[];
}

export interface TracedRequest extends PlannedRequest {
  /** One for a prompt, one for each text whose likelihood is asked for. */
  readonly texts: readonly TracedRequestText[];
  readonly examples: readonly NamedRow[];
}

/** A request to a model that judges. */
export interface JudgeRequest {
  /** The `abbr` of the judge. */
  readonly judge: string;
  readonly model: Model;
  readonly prompt: Prompt;
  /** The hash of the request, by which the reply is kept. */
  readonly key: string;
  /** The prompt with the origin of every character, for the row of this id. */
  readonly trace: (id: RowId) => TracedPrompt;
}

/** A judge, and what its verdicts depend on. */
export interface NamedJudge {
  /** Its `abbr`. */
  readonly name: string;
  readonly identity: Readonly<Record<string, unknown>>;
  /** What it costs, where the config says so. */
  readonly price?: Price | undefined;
}

/** A plan as it is without its trace. */
export function untracePlan({ requests, ...plan }: TracedPlan): RowPlan {
  return {
    ...plan,
    requests: requests.map(({ texts: _, examples: __, ...request }) => request),
  };
}

/** The right answer to a row, where the data has one. */
export function goldOf({ outputColumn }: Pick<Task, 'outputColumn'>, row: Row): unknown {
  return outputColumn === undefined ? undefined : row[outputColumn];
}
