import { setImmediate as nextTurn } from 'node:timers/promises';
import { keyedRandom, sampleWithoutReplacement } from '../../base/keyed-random.ts';
import { preparedRetriever } from '../prepared.ts';
import type { Retriever } from '../retriever.ts';
import { TopList } from '../top-list.ts';
import { PoolVectors, type VectorSettings } from './pool-vectors.ts';
import type { VectorMatrix } from './vector-matrix.ts';

export interface VotekSettings {
  readonly count: number;
  /** How many neighbours each row votes for. */
  readonly votes: number;
  readonly seed: number;
}

/**
 * The same examples for every row: those that stand near many others of the pool, and not near the
 * same ones. A row is never its own example: the next best is taken instead.
 */
export function votekRetriever(settings: VectorSettings, votek: VotekSettings): Retriever {
  const { pool } = settings;
  const { count } = votek;
  pool.require(count);
  const vectors = new PoolVectors(settings);
  const rankings = new Map<number, readonly number[]>();
  return preparedRetriever(async (queries, { signal }) => {
    const matrix = await vectors.matrix({ signal });
    const spare = pool.maxCopies;
    const chosen: number[][] = [];
    for (const query of queries) {
      const { members, group, own } = pool.choicesFor(query, count);
      const limit = Math.min(members.length, count + spare);
      const ranking =
        rankings.get(group) ?? (await rank({ matrix, members, limit, signal }, votek));
      rankings.set(group, ranking);
      chosen.push(ranking.filter((index) => !own.includes(index)).slice(0, count));
    }
    return chosen;
  });
}

interface Election {
  readonly matrix: VectorMatrix;
  readonly members: Int32Array;
  /** How many rows are to be elected. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function rank(election: Election, { votes, seed }: VotekSettings): Promise<number[]> {
  const { members, limit } = election;
  const voters = await collectVotes(election, votes);
  const elected = electVaried(voters, limit);
  const rest = [...members].filter((index) => !elected.includes(index));
  const drawn = sampleWithoutReplacement(
    keyedRandom(seed, 'vote-k'),
    rest.length,
    limit - elected.length,
  );
  return [...elected, ...drawn.map((index) => rest[index] as number)];
}

/** For each row that has votes, who voted for it. */
async function collectVotes(
  { matrix, members, signal }: Election,
  votes: number,
): Promise<Map<number, number[]>> {
  const voters = new Map<number, number[]>();
  for (const voter of members) {
    const top = new TopList(votes);
    const vector = matrix.at(voter);
    for (const index of members) {
      if (index !== voter) top.offer(index, matrix.product(index, vector));
    }
    for (const index of top.indexes) {
      const known = voters.get(index);
      if (known) known.push(voter);
      else voters.set(index, [voter]);
    }
    await nextTurn();
    signal.throwIfAborted();
  }
  return voters;
}

/** Those with the most votes, but for those all of whose voters one with more votes has as well. */
function electVaried(voters: ReadonlyMap<number, readonly number[]>, limit: number): number[] {
  const ranked = [...voters].sort(([a, forA], [b, forB]) => forB.length - forA.length || a - b);
  const elected: number[] = [];
  const before: ReadonlySet<number>[] = [];
  for (const [index, own] of ranked) {
    if (elected.length === limit) break;
    const isCovered = before.some((others) => own.every((voter) => others.has(voter)));
    before.push(new Set(own));
    if (!isCovered) elected.push(index);
  }
  return elected;
}
