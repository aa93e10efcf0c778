import { isGrade, isRight, unscored } from '../row-score.ts';
import type { RowScore, Scored } from '../scorer.ts';
import { type Ballot, consensusAtK, type TieRule } from './consensus.ts';
import { meanMetrics } from './mean-metrics.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
import { joinRounds } from './rounds.ts';
import { voteAnswers } from './vote.ts';

export interface RepeatSettings {
  /** For which numbers of samples `pass@k`, `pass^k` and `cons@k` are worked out. */
  readonly k: readonly number[];
  /** What a tied vote is worth; its first answer by default. */
  readonly ties?: TieRule | undefined;
  readonly seed?: number | undefined;
  /** The row, for draws where there are too many choices to try all. */
  readonly key?: string | number | undefined;
  /** Whether two answers count as one in a vote; the same text by default. */
  readonly isSame?: SameAnswer | undefined;
}

/** Whether the evaluator takes two answers, as they were compared, for the same. */
export type SameAnswer = (left: string, right: string) => boolean;

/** The answer that most samples give, and its votes; answers that are the same vote together. */
export interface Election {
  readonly winner: Scored | undefined;
  readonly votes: number;
}

/**
 * Lets samples vote with what was compared.
 *
 * @example
 * const sample = (got: string) =>
 *   ({ type: 'scored', value: 1, extracted: got, compared: { got, want: '7' } }) as const;
 * elect([sample('7'), sample('8'), sample('7.0')], (a, b) => Number(a) === Number(b)).votes; // 2
 */
export function elect(samples: readonly RowScore[], isSame?: SameAnswer): Election {
  const scored = samples.filter((sample) => sample.type === 'scored');
  const answers = ballotsOf(scored, isSame).map(({ answer }) => answer);
  const { winner, votes } = voteAnswers(answers);
  return { winner: scored[answers.indexOf(winner ?? '')], votes: votes[0]?.votes ?? 0 };
}

/** What each sample votes for: the first of the answers that its own is the same as. */
function ballotsOf(scored: readonly Scored[], isSame: SameAnswer = () => false): Ballot[] {
  const named = new Map<string, string>();
  return scored.map(({ compared: { got }, value }) => {
    const first = named.get(got) ?? [...new Set(named.values())].find((one) => isSame(one, got));
    named.set(got, first ?? got);
    return { answer: first ?? got, value };
  });
}

/**
 * One score from those of a row's samples: their mean, with `avg@n`, `pass@k`, `pass^k` and `cons@k`
 * as further measures. Samples without a score are left out. A sample passes if it is right, so that
 * grades have no `pass@k`; samples vote with what was compared, and those that `isSame` takes for one vote together.
 *
 * @example
 * const sample = (value: number) => {
 *   const text = String(value);
 *   return { type: 'scored', value, extracted: text, compared: { got: text, want: '1' } } as const;
 * };
 * combineSamples([sample(1), sample(0)], { k: [1, 2] });
 * // { type: 'scored', value: 0.5, metrics: { 'pass@1': 0.5, 'pass@2': 1, … }, … }
 */
export function combineSamples(samples: readonly RowScore[], settings: RepeatSettings): RowScore {
  const scored = samples.filter((sample) => sample.type === 'scored');
  const [first] = scored;
  if (!first) return samples[0] ?? unscored('no samples');
  const value = scored.reduce((sum, sample) => sum + sample.value, 0) / scored.length;
  const { ties = 'first', seed = 0, key = '', isSame } = settings;
  const ballots = ballotsOf(scored, isSame);
  const metrics: Record<string, number> = {
    ...meanMetrics(scored),
    [`avg@${samples.length}`]: value,
  };
  const counts = {
    attempts: scored.length,
    passed: scored.filter(isRight).length,
  };
  for (const k of settings.k) {
    if (k > scored.length) continue;
    if (!isGrade(first)) {
      metrics[`pass@${k}`] = passAtK({ ...counts, k });
      metrics[`pass^${k}`] = passHatK({ ...counts, k });
    }
    metrics[`cons@${k}`] = consensusAtK(ballots, { k, ties, seed, key });
  }
  const { winner = first } = elect(scored, isSame);
  const skipped = [...new Set(samples.flatMap((sample) => sample.skipped ?? []))];
  return {
    type: 'scored',
    value,
    extracted: winner.extracted,
    compared: { got: winner.compared.got, want: first.compared.want },
    metrics,
    ...joinRounds(samples),
    samples: [samples.length, samples.length - scored.length],
    ...(skipped.length > 0 && { skipped }),
  };
}
