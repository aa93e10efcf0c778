import type { ConfigPath } from '../errors.ts';
import type { RowId } from '../prompt/origin.ts';
import type { NamedRow, PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import type { Embedder } from './embeddings/embedder.ts';

/** Chooses examples for a row: indexes into the pool, in the order in which they are shown. */
export interface Retriever {
  (query: Query): readonly number[];
  /**
   * Gets ready for some rows. A retriever that has this can only be asked about rows that went
   * through it: it needs vectors or a model to choose.
   */
  readonly prepare?:
    | ((queries: readonly Query[], options?: WaitOptions) => Promise<void>)
    | undefined;
  /** What examples are drawn by; left out where chance has no part in the choice. */
  readonly seed?: number | undefined;
}

/** The row that examples are chosen for. */
export type Query = PositionedRow;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A user's own retriever: the ids of the rows that are shown as examples, in their order. */
export type RetrieveFunction = (row: NamedRow, pool: readonly NamedRow[]) => readonly RowId[];

/** A condition on the rows of the pool, and the columns that it reads. */
export interface RowCondition {
  readonly columns: Iterable<string>;
  readonly matches: (row: Row) => boolean;
}

/** A retriever as a config describes it. */
export interface RetrieverSettings {
  readonly type: string;
  /** How many examples; 1 by default. */
  readonly iceNum?: number | undefined;
  readonly seed?: number | undefined;
  readonly fixIdList?: readonly number[] | undefined;
  /** How many rows a sliding window holds. */
  readonly k?: number | undefined;
  /** Columns that rows are compared by; the input columns by default. */
  readonly columns?: readonly string[] | undefined;
  /** Which rows of the pool can serve at all. */
  readonly where?: RowCondition | undefined;
  /** Columns in which an example must match the row that is asked about. */
  readonly sameAs?: readonly string[] | undefined;
  readonly embedder?: Embedder | undefined;
  /** How many neighbours vote in vote-k. */
  readonly votekK?: number | undefined;
  /** Among how many of the nearest rows DPP and MDL choose. */
  readonly candidateNum?: number | undefined;
  /** How much DPP cares for variety against nearness; 0.1 by default. */
  readonly scaleFactor?: number | undefined;
  /** How many choices of examples MDL compares. */
  readonly selectTime?: number | undefined;
  /** The labels that MDL compares; those of the task by default. */
  readonly labels?: readonly unknown[] | undefined;
  readonly retrieve?: RetrieveFunction | undefined;
}

/**
 * Whether a retriever gives any examples at all.
 *
 * @example
 * givesShots({ type: 'FixKRetriever', fixIdList: [] }); // false
 */
export function givesShots({
  type,
  fixIdList,
  iceNum,
}: Pick<RetrieverSettings, 'type' | 'fixIdList' | 'iceNum'>): boolean {
  if (type === 'ZeroRetriever') return false;
  if (type === 'FixKRetriever') return (fixIdList?.length ?? 0) > 0;
  return (iceNum ?? 1) > 0;
}

const none: readonly number[] = Object.freeze([]);

/** No examples. */
export const zeroRetriever: Retriever = () => none;

const drawing = new Set(['RandomRetriever', 'BalancedRetriever', 'VotekRetriever', 'MDLRetriever']);

/** A retriever that says by which seed it draws, if it draws. */
export function drawnBy(retriever: Retriever, type: string, seed: number): Retriever {
  return drawing.has(type) ? Object.assign(retriever, { seed }) : retriever;
}

/** What a retriever works on. */
export interface RetrieverContext {
  readonly pool: readonly NamedRow[];
  readonly path: ConfigPath;
  readonly inputColumns: readonly string[];
  readonly outputColumn?: string | undefined;
  /** Left out: there is no model that gives loglikelihoods. */
  readonly labelLosses?: LabelLosses | undefined;
}

/** The mean loss of a row's prompt for each label, in nats a token, after the given examples. */
export type LabelLosses = (
  query: Query,
  shots: readonly number[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly number[]>;
