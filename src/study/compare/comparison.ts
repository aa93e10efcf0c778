import type { ClusterCount } from '../../run/summary.ts';
import type { Estimate } from '../../stats/estimate.ts';

/** A comparison of two runs. */
export interface Comparison {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** Share of intervals that hold the truth. */
  readonly level: number;
  /** What is the same in both runs, and what is not. */
  readonly differences: readonly Difference[];
  readonly tasks: readonly TaskComparison[];
  /** Tasks that only one of the runs has. */
  readonly onlyIn: { readonly a: readonly SingleTask[]; readonly b: readonly SingleTask[] };
  readonly warnings: readonly string[];
}

/** A task without a partner, and how many rows it has. */
export interface SingleTask {
  readonly name: string;
  readonly rows: number;
}

export interface ComparedRun {
  readonly folder: string;
  readonly models: readonly string[];
}

export interface Difference {
  readonly kind: 'prompts' | 'model' | 'settings' | 'data' | 'scorer' | 'version' | 'harness';
  readonly isSame: boolean;
  /** What there is to say beyond that. */
  readonly note?: string | undefined;
  /** Of prompts that differ: what may have made them differ. */
  readonly causes?: readonly string[] | undefined;
  readonly changes: readonly Change[];
}

/** A value that differs; undefined where one side has none. */
export interface Change {
  readonly path: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** One task of A against one of B, on the rows that both have. */
export interface TaskComparison {
  readonly name: string;
  readonly a: TaskName;
  readonly b: TaskName;
  readonly scale: Scale;
  readonly pairing: Pairing;
  /** Of the rows in both runs, those without a score, or with samples without one. */
  readonly unscored: { readonly a: number; readonly b: number };
  /** Of these rows, those whose answers name no choice, so that the first was taken, where there are some. */
  readonly unnamed?: { readonly a: number; readonly b: number } | undefined;
  /** How answers came about, where that is not the same in both. */
  readonly chosen?: { readonly a: AnswerWay; readonly b: AnswerWay } | undefined;
  /** Rows without a partner, or without a score on one side, by reason. */
  readonly leftOut: readonly LeftOut[];
  /** A run did not get to all rows: the others are no random part, so that the interval says nothing of all. */
  readonly partial?: true | undefined;
  /** Left out when no row is scored on both sides. */
  readonly result?: Assessment | undefined;
  /** The p value adjusted for the number of tasks, if there are several. */
  readonly adjustedP?: number | undefined;
  /** The same with rows that have no score counted as wrong, if there are any. */
  readonly countedAsWrong?: Assessment | undefined;
  /** The share of rows that pass their checks, where both sides say which do: rows without a score do not. */
  readonly passing?: Assessment | undefined;
  readonly verdict: Verdict;
  /** Rows that B has worse than A, that pass their checks in A alone, or that B has no score for where A's is not the lowest. */
  readonly regressions: number;
  readonly flips: Flips;
  /** Why the scores differ, where that was asked for or results of another harness are compared. */
  readonly why?: Why | undefined;
}

/** The way from the score of A to that of B, over all scored rows of each: the parts add up to the difference. */
export interface Why {
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly parts: readonly WhyPart[];
  readonly prompts: PromptDifferences;
  /** Paired rows whose answers differ, and whose read values and gold answers do; null where no pair has them on both sides. */
  readonly differing: {
    readonly answers: number;
    readonly extracted: number | null;
    readonly gold: number | null;
  };
  /** What a side does not record, so that causes cannot be told apart. */
  readonly notes: readonly string[];
}

/**
 * What made scores differ. `rows`: rows that only one side has. `unscored`: rows that only one side has a
 * score for. `prompts`: other answers to other prompts. `answers`: other answers to the same prompts.
 * `answers_unknown_prompts`: other answers, where a side does not record the prompt. `extraction`: another
 * value read from the same answer. `gold`: another gold answer for the same value. `metric`: another
 * verdict on the same value. `scoring`: another verdict on the same answer, where a side does not record
 * the value that it read.
 */
export type WhyCause =
  | 'rows'
  | 'unscored'
  | 'prompts'
  | 'answers'
  | 'answers_unknown_prompts'
  | 'extraction'
  | 'gold'
  | 'metric'
  | 'scoring';

export interface WhyPart {
  readonly cause: WhyCause;
  /** How much of the difference it explains, B less A. */
  readonly points: number;
  /** Rows in which it changed the score. */
  readonly rows: number;
  /** Of `rows` and `unscored`: rows that count in A or B alone. Of others: rows in which it speaks for A, or for B. */
  readonly sides: { readonly a: number; readonly b: number };
  /** The first of these rows. */
  readonly first: readonly RowPlace[];
}

/** The number of a row in A, in B, or in both. */
export interface RowPlace {
  readonly a?: number | undefined;
  readonly b?: number | undefined;
}

/** How the prompts of paired rows differ. */
export interface PromptDifferences {
  readonly same: number;
  readonly other: number;
  /** Of those that differ, in white space alone. */
  readonly whiteSpace: number;
  /** Rows whose prompt a side does not record. */
  readonly unknown: number;
  /** Where they differ first, the most frequent places first. */
  readonly places: readonly PromptPlace[];
}

/** A place at which prompts begin to differ. */
export interface PromptPlace {
  readonly rows: number;
  /** One of these rows, and where the difference is in A: line and column from 1. */
  readonly row: RowPlace;
  readonly line: number;
  readonly column: number;
  /** What both say before it, and how each goes on. */
  readonly before: string;
  readonly a: string;
  readonly b: string;
}

/** A label that was found likeliest, or an answer that was written and read. */
export type AnswerWay = 'loglikelihood' | 'answer';

export interface TaskName {
  readonly model: string;
  readonly dataset: string;
}

/** How scores of a task are read. */
export interface Scale {
  readonly metric: string;
  readonly direction: 'higher' | 'lower';
  /** Whether scores are shares, shown in hundredths. */
  readonly isShare: boolean;
}

export interface Pairing {
  /** `number`: the logs do not say what rows hold, but the data files are the same. */
  readonly by: 'content' | 'number';
  /** Rows in both runs, scored or not. */
  readonly rows: number;
  /** Those that have another number in B. */
  readonly moved: number;
  /** Those that hold other values in columns that their prompts do not show, where there are some. */
  readonly otherColumns?: number | undefined;
  /** Those paired by the text that they ask about, where there are some. */
  readonly byText?: number | undefined;
  /** Rows that only one of the runs has. */
  readonly unpaired: { readonly a: number; readonly b: number };
  readonly otherPrompts: number;
  /** Beside these, dialogues whose later turns differ by the answers to earlier ones alone, where there are some. */
  readonly otherHistories?: number | undefined;
  /** Rows that were shown other examples; left out where a log does not name them. */
  readonly otherExamples?: number | undefined;
  /** Rows that had to do without examples, where there are some. */
  readonly dropped?: { readonly a: number; readonly b: number } | undefined;
}

export interface LeftOut {
  readonly reason: string;
  readonly rows: number;
  /** The first of them. */
  readonly ids: readonly number[];
}

/** What paired scores say. Differences are B less A. */
export interface Assessment {
  readonly pairs: number;
  /** Where rows come in clusters: what tells them, and how many the pairs are in. */
  readonly clusters?: ClusterCount | undefined;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  /** Left out with too few pairs to resample, and with one cluster. */
  readonly interval?: Estimate | undefined;
  readonly p: number;
  readonly test: McnemarTest | PermutationTest | SwapTest;
  /** Pairs that it takes to find a difference of this size 8 times in 10, if that can be said. */
  readonly neededPairs?: number | undefined;
  /** The smallest difference that this many pairs would show 8 times in 10, if any. */
  readonly detectable?: number | undefined;
}

/** For scores of 0 and 1. */
export interface McnemarTest {
  readonly type: 'mcnemar';
  readonly onlyA: number;
  readonly onlyB: number;
  readonly both: number;
  readonly neither: number;
  readonly midP: number;
}

/** For other scores, and for rows in clusters: these turn their signs as a whole. */
export interface PermutationTest {
  readonly type: 'permutation';
  readonly method: 'exact' | 'sampled' | 'normal';
  readonly higherA: number;
  readonly higherB: number;
  readonly equal: number;
}

/** For a measure of all rows together; the counts are of the rows' own scores. */
export interface SwapTest extends Omit<PermutationTest, 'type' | 'method'> {
  readonly type: 'swap';
  readonly method: 'exact' | 'sampled' | 'normal';
}

export interface Verdict {
  readonly type: 'b-better' | 'a-better' | 'undecided' | 'equal' | 'too-few' | 'nothing';
  readonly text: string;
}

/** Rows whose score changed. */
export interface Flips {
  readonly total: number;
  readonly shown: readonly Flip[];
}

export interface Flip {
  readonly a: FlipSide;
  readonly b: FlipSide;
  readonly gold?: string | undefined;
  /** Why prompts are not shown. */
  readonly noPrompt?: string | undefined;
}

export interface FlipSide {
  readonly id: number;
  readonly score: number;
  readonly prompt?: string | undefined;
  readonly answer: string;
  readonly extracted?: string | undefined;
  /** Of a dialogue: what each turn was asked and answered. */
  readonly turns?: readonly FlipTurn[] | undefined;
}

export interface FlipTurn {
  /** Counted from 1. */
  readonly name: number;
  readonly score?: number | undefined;
  readonly prompt?: string | undefined;
  readonly answer: string;
}
