import type { ConfigPath } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { MediaPart } from '../prompt/parts/content.ts';
import type { TurnMedia } from '../prompt/parts/turn-media.ts';
import type { Message } from '../prompt/prompt.ts';
import type { ToolCall } from '../prompt/tool-call.ts';
import type { NamedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import type { Comparison } from './compare/compare.ts';
import type { Extractor } from './extract/extractor.ts';
import type { MetricTraits } from './metrics/metric.ts';
import type { AnswerParts, Thinking } from './split-thought.ts';

/** What a scorer reports. */
export interface ScorerMetrics extends Omit<MetricTraits, 'name'> {
  readonly metric: string;
  /** Measures of all rows together. If one is the metric, the mean of scores is another measure. */
  readonly datasetMetrics?: readonly DatasetMetric[] | undefined;
  /** What that mean is then called. */
  readonly meanName?: string | undefined;
  /** How further measures of rows are read, if not as shares, the higher the better. */
  readonly traits?: readonly MetricTraits[] | undefined;
  /** A function may measure more, as shares; what it calls them is known once rows are scored. */
  readonly measuresMore?: ((name: string) => boolean) | undefined;
  /** The names of measures that a row has where rows may bring some of their own, all of them shares. */
  readonly namesIn?: ((row: Row) => readonly RowMetricName[]) | undefined;
  /** The column to report separate means by, called `column=value`. */
  readonly by?: string | undefined;
  /** It scores a dialogue as a whole, with its last turn. */
  readonly ofWhole?: true | undefined;
  /** Rows are dialogues, whose turns are the rows of measures of the whole dataset. */
  readonly isInTurns?: true | undefined;
  /** What settles the metric's value, in short. */
  readonly signature?: string | undefined;
  /**
   * What a row with this gold answer adds to measures of all rows if its answer is empty: the way in
   * which a row without a score counts as wrong. Nothing where that cannot be said.
   */
  readonly ofNothing?: ((gold: unknown) => Pick<Scored, 'cell' | 'counts'> | undefined) | undefined;
  /** Whether two answers, as they were compared, are the same; left out, if they are the same text. */
  readonly isSame?: ((left: string, right: string) => boolean) | undefined;
}

/** A measure of a row. */
export interface RowMetricName {
  readonly name: string;
  /** What it would be called in rows with other measures. */
  readonly otherwise: readonly string[];
}

/** A measure of all rows together, worked out from their cells or from the sums of their counts. */
export type DatasetMetric = MetricTraits &
  (
    | {
        readonly type: 'cells';
        readonly measure: (cells: readonly string[]) => (counts: ArrayLike<number>) => number;
      }
    | { readonly type: 'sums'; readonly measure: (sums: ArrayLike<number>) => number }
  );

/** Scores the rows of a task. */
export interface Scorer extends ScorerMetrics {
  readonly score: (input: ScoreInput) => RowScore;
  /** What is wrong with a gold answer, whatever the answer to it; nothing where that cannot be said. */
  readonly goldFault?: ((gold: unknown, row: Row) => GoldFault | undefined) | undefined;
  /**
   * Used instead of `score` where it is there: by scorers that ask a judge or run code. `stop` comes
   * before `signal`, and ends what nobody knows to end by itself.
   */
  readonly scoreLater?:
    | ((input: ScoreInput, signal: AbortSignal, stop?: AbortSignal) => Promise<RowScore>)
    | undefined;
  /** What another process can make the same scorer of. */
  readonly recipe?: object | undefined;
  /** Who is asked to score an answer, and how often, if anybody is. */
  readonly judge?: ScorerJudge | undefined;
  /**
   * The same scorer, which knows whom the checks of these rows ask; checks that cannot be made are
   * refused.
   */
  readonly withRows?: ((rows: readonly NamedRow[]) => Scorer) | undefined;
  /** Which judges a row asks itself, as text; empty where it asks none. */
  readonly judgesOf?: ((row: Row) => string) | undefined;
  /** Whether it reads what is known of an answer beside its text. */
  readonly readsFacts?: boolean | undefined;
  /** The columns that it reads beside the gold answer; `any` where nobody can say which. */
  readonly columns?: readonly ReadColumn[] | 'any' | undefined;
}

/** It cannot be compared with anything; or it holds several answers, and one of them is taken. */
export type GoldFault = 'unusable' | 'several';

/** A column that a scorer reads, and where the config names it. */
export interface ReadColumn {
  readonly name: string;
  readonly path: ConfigPath;
  /** Chats need no such column: the user's messages are it. */
  readonly isSaidInChats?: true | undefined;
}

/** A judge, and how many requests it gets for an answer that is not there yet. */
export interface ScorerJudge {
  readonly name: string;
  /** Further judges, where several checks ask several. */
  readonly others?: readonly string[] | undefined;
  /** What may be wrong with its prompts. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** It is shown media, so that it has to see. */
  readonly showsMedia: boolean;
  /** It is shown what was asked. */
  readonly showsQuestion: boolean;
  /** The parts of its prompts that are media, */
  readonly media: TurnMedia;
  /** and those that it may be shown of a row, whatever the answer. */
  readonly mediaOf: (row: Row) => readonly MediaPart[];
  readonly requestsFor: (input: Pick<ScoreInput, 'row' | 'gold' | 'dialogue'>) => number;
}

/** What a judge said. */
export interface JudgeReply {
  readonly text: string;
  /** The text with the judge's thinking set apart; left out where the text alone tells them apart. */
  readonly parts?: AnswerParts | undefined;
  /** What the prompt had it begin with; patterns are looked for in both together. */
  readonly begun?: string | undefined;
  /** It ended at the length limit. */
  readonly isCut?: boolean | undefined;
  /** The request that it answers; left out where nobody keeps replies. */
  readonly asked?: AskedVerdict | undefined;
}

/** A request to a judge that a score rests on. */
export interface AskedVerdict {
  /** The hash of the request, by which the reply is kept. */
  readonly key: string;
  /** Who was asked, where that is not the first judge of the dataset. */
  readonly judge?: string | undefined;
  /** What it took; null or left out where the server does not say. */
  readonly tokens?: readonly [input: number | null, output: number | null] | undefined;
  /** Another run had asked it. */
  readonly from?: 'cache' | undefined;
  /** What the judge was given, with media by their names; left out by older versions. */
  readonly sent?: string | readonly SentMessage[] | undefined;
  /** What it said. */
  readonly said?: string | undefined;
  /** What of it is no thought, and whether a thought was left open, where `said` alone does not tell. */
  readonly answer?: string | undefined;
  readonly unfinished?: true | undefined;
  /** What the prompt had it begin with. */
  readonly begun?: string | undefined;
  /** The reply ended at the length limit. */
  readonly cut?: true | undefined;
}

export interface SentMessage {
  readonly role: string;
  readonly content: string;
}

export interface ScoreInput {
  readonly answer: AnswerParts;
  /** The marks of thoughts that the config of the model names. */
  readonly thinking?: Thinking | undefined;
  /** The statement that the prompt ends with, from which the answer goes on: `The answer is`. */
  readonly begun?: string | undefined;
  readonly gold: unknown;
  /** A check names the empty text as what is wanted: `value: ''`. */
  readonly wantsNothing?: true | undefined;
  readonly row: Row;
  /** The label that was chosen by loglikelihood; nothing is extracted then. */
  readonly label?: unknown;
  /** How likely each label is, in their order, as logarithms. */
  readonly logprobs?: readonly number[] | undefined;
  /** A label that has no token, so that nothing could be chosen. */
  readonly unmeasured?: unknown;
  /** What is measured of a text that nothing is chosen for. */
  readonly measures?: Measures | undefined;
  /** What the judge said of this answer before, in the order in which it was asked: it is not asked again. */
  readonly replies?: readonly JudgeReply[] | undefined;
  /** What was said before, if the answer belongs to a dialogue. */
  readonly dialogue?: DialogueSoFar | undefined;
  /** What else is known of the answer; only for scorers that read it. */
  readonly facts?: AnswerFacts | undefined;
  /** Only what judges are asked is of interest: nothing else is called or run. */
  readonly onlyJudges?: true | undefined;
}

/** What is known of an answer beside its text. */
export interface AnswerFacts {
  /** What was asked: a text is one message of the user. */
  readonly messages: readonly Message[];
  /** The answer is JSON of what a function gave in place of a text. */
  readonly object?: true | undefined;
  /** The tools that were called, or that the model wanted to be called, in their order. */
  readonly toolCalls: readonly ToolCall[];
  /** Why the model stopped: `stop` where it was done. */
  readonly finish: string;
  /** What it took; null where that is not known. */
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  readonly latencyMs: number;
  /** What it cost; null where tokens or prices are not known. */
  readonly cost: number | null;
}

/** A dialogue up to the turn whose answer is scored. */
export interface DialogueSoFar {
  readonly before: readonly SaidTurn[];
  /** What the turn asks, where that is not a column of its row. */
  readonly question?: string | undefined;
  /** All that was said before the answer, where that is not one question for each answer. */
  readonly messages?: readonly SaidMessage[] | undefined;
  /** Whether no turn follows. */
  readonly isLast: boolean;
  /** The row as the data have it, with lists for its turns; left out where their number is not known. */
  readonly whole?: { readonly row: Row; readonly turns: number } | undefined;
}

export interface SaidMessage {
  readonly role: string;
  readonly content: string;
}

/** A turn of a dialogue that is over. */
export interface SaidTurn extends Pick<DialogueSoFar, 'question'> {
  /** The row as the turn sees it. */
  readonly row: Row;
  readonly gold: unknown;
  /** What the dialogue went on from. */
  readonly answer: string;
}

/** How surprising a text is. */
export interface Measures {
  /** Its mean negative loglikelihood for a token; infinite for an impossible text. */
  readonly nll: number;
  /** How many of its tokens count. */
  readonly tokens?: number | undefined;
  readonly metrics?: Scored['metrics'];
  readonly counts?: Scored['counts'];
}

/** A row's score, or why it has none. A wrong answer has one: 0. */
export type RowScore = Scored | Unscored;

export interface Scored {
  readonly type: 'scored';
  readonly value: number;
  /** Whether the answer is right, where a value of 1 does not say so; null where nothing does: of grades. */
  readonly isRight?: boolean | null | undefined;
  readonly extracted: string;
  /** The answer names no choice, and the first one was taken, as a rule of the task says. */
  readonly unnamed?: true | undefined;
  /** The answer got no credit, and the gold answer stands in it under a looser reading. */
  readonly looser?: true | undefined;
  /** The gold answer is short, and stands in the answer inside of longer words or numbers alone. */
  readonly insideWord?: true | undefined;
  /** The gold answer is none of the labels: whichever was chosen, the row would be wrong. */
  readonly notALabel?: true | undefined;
  /** Where in the answer it was found. */
  readonly place?: { readonly start: number; readonly end: number } | undefined;
  /** The extractors that were tried; the last one found it. */
  readonly tried?: readonly string[] | undefined;
  readonly compared: { readonly got: string; readonly want: string };
  /** Further measures of the row, by name; their means are reported beside the score. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** What came of each check, where there are several. */
  readonly checks?: readonly CheckResult[] | undefined;
  /** The checks that left this row out on purpose. */
  readonly skipped?: readonly string[] | undefined;
  /** What the row adds to a measure of the whole dataset: its cell of a table, */
  readonly cell?: string | undefined;
  /** or numbers that are summed over the rows. */
  readonly counts?: readonly number[] | undefined;
  /** Of a row with several samples: how many of them `cell` and `counts` hold, */
  readonly rounds?: number | undefined;
  /** and how many there are, with and without a score. */
  readonly samples?: readonly [asked: number, unscored: number] | undefined;
  /** Why it scored as it did: a judge's reason, or what a failed test said. */
  readonly detail?: string | undefined;
  /** What a judge was asked. */
  readonly verdicts?: readonly AskedVerdict[] | undefined;
  /** Of a turn: the score is that of the whole dialogue. */
  readonly ofWhole?: true | undefined;
}

/** What came of one check of an answer. */
export interface CheckResult {
  readonly name: string;
  /** From 0 to 1. */
  readonly score: number;
  /** Whether the score reaches the threshold. */
  readonly passed: boolean;
  /** Why it scored as it did. */
  readonly reason?: string | undefined;
}

export interface Unscored {
  readonly type: 'unscored';
  readonly reason: string;
  readonly detail?: string;
  /** Of a dialogue: the scores of those turns that have one. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** Of several checks: what those found that did not fail themselves. */
  readonly checks?: readonly CheckResult[] | undefined;
  /** A check of several leaves this row out: on purpose, or because the row has nothing to do with it. */
  readonly skips?: 'on purpose' | 'not asked' | undefined;
  /** Of several checks: those that left this row out on purpose. */
  readonly skipped?: readonly string[] | undefined;
  readonly looser?: true | undefined;
  readonly verdicts?: readonly AskedVerdict[] | undefined;
  readonly ofWhole?: true | undefined;
}

/** Where an answer is looked for, by extractors tried in order, and how it is compared. */
export interface ScoringMethod {
  readonly extractors: readonly Extractor[];
  readonly compare: Comparison;
  /** Whether a gold answer holds several answers where one is expected. */
  readonly holdsSeveral?: ((gold: string) => boolean) | undefined;
  /** The extractors look for statements of the answer, also for one that the prompt has begun. */
  readonly readsBegun?: boolean | undefined;
}

export interface ScorerSettings extends Partial<ScorerMetrics> {
  readonly metric: string;
  readonly methodOf: (row: Row) => ScoringMethod;
  /** Makes the gold answer ready to be compared. */
  readonly cleanGold?: ((gold: unknown, row: Row) => unknown) | undefined;
  /** The texts that questions begin with in the prompts: what follows one in an answer is not read. */
  readonly openings?: readonly string[] | undefined;
}

/** What an evaluator of a config stands for. */
export type Evaluator = Omit<ScorerSettings, 'cleanGold' | 'openings'>;
