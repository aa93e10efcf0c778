import type { Evaluation } from '../evaluation/evaluation.ts';
import type { FoundAnswer } from './make-record.ts';

/** An evaluation, and where its results go. */
export interface StoredEvaluation {
  readonly evaluation: Evaluation;
  readonly logFile: string;
  readonly indexFile: string;
  /** Evaluations of one group begin their prompts alike, and take turns. */
  readonly group?: string | undefined;
}

/** Evaluations that are to take turns, together. */
export function groupTurns<Item>(
  items: readonly Item[],
  storedOf: (item: Item) => Pick<StoredEvaluation, 'group'>,
): Item[][] {
  const groups = new Map<unknown, Item[]>();
  for (const item of items) {
    const key = storedOf(item).group ?? item;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/** What became of an evaluation so far. */
export interface EvaluationCounts {
  rows: number;
  /** Rows that were answered before. */
  resumed: number;
  /** Rows that failed before, in a way that is not asked again. */
  left: number;
  /** Rows whose saved answer is to another request. */
  outdated: number;
  scored: number;
  /** The scores of these rows, added up. */
  scoreSum: number;
  unscored: number;
  failed: number;
  sent: number;
  /** Answers that the server gave now. */
  asked: number;
  /** Answers of the folder, to rows that were not through. */
  kept: number;
  shared: number;
  cached: number;
  inputTokens: number;
  outputTokens: number;
  /** Answers of the server without numbers of tokens, or with half of them. */
  untold: number;
  /** Rows whose examples give their answers away. */
  leaks: number;
  /** Rows whose loglikelihoods an earlier version kept, and which are asked again. */
  oldLoglikelihoods: number;
}

export function zeroCounts(): EvaluationCounts {
  return {
    rows: 0,
    resumed: 0,
    left: 0,
    outdated: 0,
    scored: 0,
    scoreSum: 0,
    unscored: 0,
    failed: 0,
    sent: 0,
    asked: 0,
    kept: 0,
    shared: 0,
    cached: 0,
    inputTokens: 0,
    outputTokens: 0,
    untold: 0,
    leaks: 0,
    oldLoglikelihoods: 0,
  };
}

/** Counts an answer by where it came from. */
export function countAnswer(
  counts: EvaluationCounts,
  { result: { usage }, from, isKept }: FoundAnswer,
): void {
  if (isKept) counts.kept++;
  else if (from === 'row') counts.shared++;
  else if (from === 'cache') counts.cached++;
  else {
    counts.asked++;
    counts.inputTokens += usage?.inputTokens ?? 0;
    counts.outputTokens += usage?.outputTokens ?? 0;
    if (usage?.inputTokens === undefined || usage.outputTokens === undefined) counts.untold++;
  }
}
