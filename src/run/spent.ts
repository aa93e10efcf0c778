import type { TokenSums } from './summary.ts';

/** Requests, the tokens of their answers, and what these cost. */
export interface Spent {
  readonly sent: number;
  readonly tokens: Required<TokenSums>;
  /** Left out where no price is known; the least, where tokens are `untold`. */
  readonly cost?: number | undefined;
}

/** The sum of all; what has no price adds nothing to the cost. */
export function addSpent(all: readonly Spent[]): Spent {
  const sum = (of: (one: Spent) => number | undefined) =>
    all.reduce((total, one) => total + (of(one) ?? 0), 0);
  return {
    sent: sum(({ sent }) => sent),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      untold: sum(({ tokens }) => tokens.untold),
    },
    ...(all.some(({ cost }) => cost !== undefined) && { cost: sum(({ cost }) => cost) }),
  };
}

/** What was spent since. */
export function spentSince(before: Spent, now: Spent): Spent {
  const { tokens, cost } = before;
  return {
    sent: now.sent - before.sent,
    tokens: {
      input: now.tokens.input - tokens.input,
      output: now.tokens.output - tokens.output,
      untold: now.tokens.untold - tokens.untold,
    },
    ...(now.cost !== undefined && { cost: now.cost - (cost ?? 0) }),
  };
}
