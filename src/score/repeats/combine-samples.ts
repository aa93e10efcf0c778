import { isGrade, isRight, type RowScore, unscored } from '../scorer.ts';
import { consensusAtK, type TieRule } from './consensus.ts';
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
}

/**
 * One score from those of a row's samples: their mean, with `avg@n`, `pass@k`, `pass^k` and `cons@k`
 * as further measures. Samples without a score are left out. A sample passes if it is right, so that
 * grades have no `pass@k`; samples vote with what was compared.
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
  const ballots = scored.map((sample) => ({ answer: sample.compared.got, value: sample.value }));
  const { ties = 'first', seed = 0, key = '' } = settings;
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
  const { winner = '' } = voteAnswers(ballots.map(({ answer }) => answer));
  const example = scored.find((sample) => sample.compared.got === winner) ?? first;
  return {
    type: 'scored',
    value,
    extracted: example.extracted,
    compared: { got: winner, want: first.compared.want },
    metrics,
    ...joinRounds(samples),
    samples: [samples.length, samples.length - scored.length],
  };
}
