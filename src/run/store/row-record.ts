import type { FailureKind } from '../../model/failure-kind.ts';
import type { AnswerStep } from '../../model/model.ts';
import type { RowId } from '../../prompt/origin.ts';
import type { ToolCall } from '../../prompt/tool-call.ts';
import type { AskedVerdict, CheckResult } from '../../score/scorer.ts';
import type { Stretch } from '../../score/split-thought.ts';
import type { StoredLogprobs } from './stored-logprobs.ts';

/**
 * One line of a row log: how a row ended, or a part of one. What is undefined is not written.
 */
export interface RowRecord {
  /** The number of the row in its data. */
  readonly id: number;
  /** Hash of the request. */
  readonly key: string;
  /** The turn, the sample or the like that this line is about; lines about whole rows have none. */
  readonly part?: string | number | undefined;
  /** Hash of the prompt alone, whatever the model. */
  readonly prompt: string;
  /** Of a dialogue whose later turns hold the answers to earlier ones: hash of all that was asked. */
  readonly history?: string | undefined;
  readonly outcome: 'scored' | 'unscored' | 'failed';
  readonly score?: number | undefined;
  /** Why the row was not scored, or failed. */
  readonly reason?: string | undefined;
  /** What kind of failure it was. */
  readonly kind?: FailureKind | undefined;
  /** More about the score, such as what a judge said. */
  readonly detail?: string | undefined;
  readonly answer?: string | undefined;
  /** The answer is JSON of what a function gave as its `object`. */
  readonly object?: true | undefined;
  readonly reasoning?: string | undefined;
  /** The tools that the model wanted to be called. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Of an answer that took several requests, because tools were called between them: each in turn. */
  readonly steps?: readonly AnswerStep[] | undefined;
  /** The mark of the thought that the answer starts in: the prompt opened it. */
  readonly opened?: string | undefined;
  /** The statement that the prompt ends with, from which the answer goes on: `The answer is`. */
  readonly begun?: string | undefined;
  /** Where the answer says again what the prompt had it begin with: from a character up to another. */
  readonly prefix?: Stretch | undefined;
  /** `***` stands in the answer for a secret: it was scored before, and cannot be scored anew. */
  readonly redacted?: true | undefined;
  /** The label that the answer stands for. */
  readonly label?: unknown;
  /** The labels that were as good as it, with itself, if there were any. */
  readonly ties?: readonly unknown[] | undefined;
  /** How likely the texts of a row are, as the row reads what the model said. */
  readonly loglikelihoods?: readonly LoggedLoglikelihood[] | undefined;
  /** What the model said of the tokens of these texts. */
  readonly logprobs?: readonly StoredLogprobs[] | undefined;
  /** The keys of the parts of a row, whose lines hold their answers. */
  readonly parts?: readonly string[] | undefined;
  /** The messages that were sent for a turn, or the prompt that a function made. */
  readonly sent?: unknown;
  /** Why the model stopped, unless it was done. Of a row in parts: why one of them did. */
  readonly finish?: string | undefined;
  /** Of a row in parts: how many of them stopped for each such reason. */
  readonly finishes?: Readonly<Record<string, number>> | undefined;
  /** What the server called the model, unless it was what the model was asked as. */
  readonly served?: string | undefined;
  readonly extracted?: unknown;
  readonly gold?: unknown;
  /** What of the two was compared, unless they were compared as they are. */
  readonly compared?: readonly [got: string, want: string] | undefined;
  /** Further measures of the row, and what it adds to measures of the whole dataset. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** What came of each check of the answer, in their order. */
  readonly checks?: readonly CheckResult[] | undefined;
  /** The checks that left this row out on purpose. */
  readonly skipped?: readonly string[] | undefined;
  readonly cell?: string | undefined;
  readonly counts?: readonly number[] | undefined;
  readonly rounds?: number | undefined;
  readonly samples?: readonly [asked: number, unscored: number] | undefined;
  /** The answer names no choice, and the first one was taken. */
  readonly unnamed?: true | undefined;
  /** The answer got no credit, and the gold answer stands in it under a looser reading. */
  readonly looser?: true | undefined;
  /** The gold answer is short, and stands inside of words or numbers of the answer alone. */
  readonly insideWord?: true | undefined;
  /** The gold answer is none of the labels: whichever was chosen, the row would be wrong. */
  readonly notALabel?: true | undefined;
  /** What judges were asked for the score; their replies are kept by these keys. */
  readonly verdicts?: readonly AskedVerdict[] | undefined;
  /** Hash of what the row holds: rows of two runs are the same if it is. */
  readonly row?: string | undefined;
  /** The rows that this one belongs with: the value of a column, or a hash of it. */
  readonly cluster?: string | undefined;
  /** Hash of the scorer and the right answer: a row is judged again when they change. */
  readonly scoring?: string | undefined;
  /** Of the input tokens, those that the server had in its cache, where it says so. */
  readonly tokens?: RecordedTokens | undefined;
  /** Of a row in parts: how many of their answers came without numbers of tokens, or with half of them. */
  readonly untold?: number | undefined;
  readonly ms?: number | undefined;
  /** When a streamed answer began. */
  readonly firstMs?: number | undefined;
  readonly attempts?: number | undefined;
  /** Where the answer came from, if it was not asked for: another row, or the response cache. */
  readonly from?: 'row' | 'cache' | undefined;
  /** The examples that were shown, by their numbers in the train split. */
  readonly examples?: readonly RowId[] | undefined;
  /** Examples that did not fit into the context and were left out. */
  readonly dropped?: number | undefined;
  /** Whether the prompt did not fit into the context, although no example was left in it. */
  readonly tooLong?: true | undefined;
  /** What the row's examples give away of its answer. */
  readonly leak?: string | undefined;
}

/** Why an answer has no score that is scored later, with its row. */
export const notScoredYet = 'not scored yet';

/** Whether a line is of an answer that is scored later. */
export function isWaiting({ part, reason }: Pick<RowRecord, 'part' | 'reason'>): boolean {
  return part !== undefined && reason === notScoredYet;
}

/** Null where the server does not tell. */
export type RecordedTokens = readonly [
  input: number | null,
  output: number | null,
  cachedInput?: number,
];

/** Whether a server told all of what an answer took. */
export function areTold(tokens: RecordedTokens | undefined): boolean {
  return tokens !== undefined && tokens[0] !== null && tokens[1] !== null;
}

/** The loglikelihood of a text; without a label, it is there for comparison. */
export interface LoggedLoglikelihood {
  readonly label?: unknown;
  /** What the labels are compared by; null for an infinite one. */
  readonly value: number | null;
  /** Null for negative infinity, which JSON cannot say. */
  readonly logprob: number | null;
  /** How likely the label is, as a logarithm, where `logprob` does not say so. */
  readonly log?: number | null | undefined;
  readonly tokens: number;
  readonly spanning?: string | undefined;
}

/** The labels that a record's label was chosen among. */
export function labelsIn({ loglikelihoods = [] }: Pick<RowRecord, 'loglikelihoods'>): unknown[] {
  return loglikelihoods.flatMap(({ label }) => (label === undefined ? [] : [label]));
}

/** What a row answered, in a line or more: its text; of an answer that only calls tools, the calls. */
export function answerOrCalls(record: Pick<RowRecord, 'answer' | 'toolCalls' | 'steps'>): string {
  return record.answer || callLines(record).join('; ');
}

/** The score of a row whose samples without a score count as wrong; 0 for a row without one. */
export function scoreOfAllSamples({
  outcome,
  score = 0,
  samples: [asked, unscored] = [1, 0],
}: Pick<RowRecord, 'outcome' | 'score' | 'samples'>): number {
  return outcome === 'scored' ? (score * (asked - unscored)) / asked : 0;
}

/** The calls of tools that a record holds, each in a line, with what the tool gave where it was run. */
export function callLines({
  toolCalls = [],
  steps = [],
}: Pick<RowRecord, 'toolCalls' | 'steps'>): string[] {
  const results = steps.flatMap((step) => step.toolCalls?.map((_, index) => step.results?.[index]));
  return toolCalls.map(({ name, arguments: given }, index) => {
    const result = results[index];
    const call = `${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
    return result ? `${call} → ${result.content}` : call;
  });
}
