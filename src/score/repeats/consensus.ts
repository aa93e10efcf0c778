import { keyedRandom, sampleWithoutReplacement } from '../../base/keyed-random.ts';
import { voteAnswers } from './vote.ts';

/** What a tied vote is worth: its first answer, an equal share of each, or nothing. */
export type TieRule = 'first' | 'share' | 'wrong';

export interface ConsensusSettings {
  readonly k: number;
  readonly ties: TieRule;
  readonly seed: number;
  /** The row, so that its draws depend on nothing else. */
  readonly key: string | number;
}

export interface Ballot {
  readonly answer: string;
  readonly value: number;
}

const maxSubsets = 5000;

/**
 * What the majority of `k` answers is worth on average: over all choices of `k` where they are few,
 * else over as many that are drawn.
 *
 * @example
 * const [right, wrong] = [{ answer: '7', value: 1 }, { answer: '8', value: 0 }];
 * consensusAtK([right, wrong, right], { k: 3, ties: 'first', seed: 1, key: 'row 1' }); // 1
 */
export function consensusAtK(
  ballots: readonly Ballot[],
  { k, ties, seed, key }: ConsensusSettings,
): number {
  let total = 0;
  let count = 0;
  for (const chosen of choices(ballots.length, { k, seed, key })) {
    total += majorityValue(
      chosen.flatMap((index) => ballots[index] ?? []),
      ties,
    );
    count += 1;
  }
  return total / count;
}

function majorityValue(ballots: readonly Ballot[], ties: TieRule): number {
  const values = new Map(ballots.map(({ answer, value }) => [answer, value]));
  const vote = voteAnswers(ballots.map(({ answer }) => answer));
  if (ties === 'wrong' && vote.ties.length > 1) return 0;
  const winners = ties === 'share' ? vote.ties : vote.ties.slice(0, 1);
  const total = winners.reduce((sum, answer) => sum + (values.get(answer) ?? 0), 0);
  return total / winners.length;
}

function* choices(
  size: number,
  { k, seed, key }: Pick<ConsensusSettings, 'k' | 'seed' | 'key'>,
): Generator<readonly number[]> {
  if (countChoices(size, k) <= maxSubsets) {
    yield* allChoices(size, k);
    return;
  }
  const random = keyedRandom(seed, key);
  for (let draw = 0; draw < maxSubsets; draw += 1) {
    // In the order in which the answers were given: ties go to the first.
    yield sampleWithoutReplacement(random, size, k).sort((left, right) => left - right);
  }
}

function countChoices(size: number, k: number): number {
  let count = 1;
  for (let index = 0; index < Math.min(k, size - k); index += 1) {
    count = (count * (size - index)) / (index + 1);
  }
  return count;
}

function* allChoices(size: number, k: number): Generator<readonly number[]> {
  const chosen = Array.from({ length: k }, (_, index) => index);
  for (;;) {
    yield [...chosen];
    let position = k - 1;
    while (position >= 0 && chosen[position] === size - k + position) position -= 1;
    if (position < 0) return;
    const next = (chosen[position] ?? 0) + 1;
    for (let index = position; index < k; index += 1) chosen[index] = next + index - position;
  }
}
