/** How often each answer was given. */
export interface Vote {
  /** The answer given most often; of several, the one that was given first. */
  readonly winner: string | undefined;
  /** Every answer with its votes, most first, then in the order of their first vote. */
  readonly votes: readonly { readonly answer: string; readonly votes: number }[];
  /** The answers with as many votes as the winner, itself included. */
  readonly ties: readonly string[];
}

/**
 * Counts answers, one vote each.
 *
 * @example
 * voteAnswers(['7', '8', '7']).winner // '7'
 */
export function voteAnswers(answers: Iterable<string>): Vote {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const votes = Array.from(counts, ([answer, count]) => ({ answer, votes: count })).sort(
    (left, right) => right.votes - left.votes,
  );
  const most = votes[0]?.votes;
  return {
    winner: votes[0]?.answer,
    votes,
    ties: votes.flatMap(({ answer, votes: count }) => (count === most ? [answer] : [])),
  };
}
