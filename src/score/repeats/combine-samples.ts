import { type RowScore, unscored } from '../scorer.ts';
import { consensusAtK, type TieRule } from './consensus.ts';
import { passAtK, passHatK } from './pass-at-k.ts';
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
 * as further measures. Samples without a score are left out, and `unscored_samples` says how many.
 * A sample passes if its score is 1; samples vote with what was compared.
 */
export function combineSamples(samples: readonly RowScore[], settings: RepeatSettings): RowScore {
  const scored = samples.filter((sample) => sample.type === 'scored');
  const [first] = scored;
  if (!first) return samples[0] ?? unscored('no samples');
  const value = scored.reduce((sum, sample) => sum + sample.value, 0) / scored.length;
  const ballots = scored.map((sample) => ({ answer: sample.compared.got, value: sample.value }));
  const { ties = 'first', seed = 0, key = '' } = settings;
  const metrics: Record<string, number> = { [`avg@${samples.length}`]: value };
  const counts = {
    attempts: scored.length,
    passed: scored.filter((sample) => sample.value === 1).length,
  };
  for (const k of settings.k) {
    if (k > scored.length) continue;
    metrics[`pass@${k}`] = passAtK({ ...counts, k });
    metrics[`pass^${k}`] = passHatK({ ...counts, k });
    metrics[`cons@${k}`] = consensusAtK(ballots, { k, ties, seed, key });
  }
  metrics.unscored_samples = samples.length - scored.length;
  const { winner = '' } = voteAnswers(ballots.map(({ answer }) => answer));
  const example = scored.find((sample) => sample.compared.got === winner) ?? first;
  return {
    type: 'scored',
    value,
    extracted: example.extracted,
    compared: { got: winner, want: first.compared.want },
    metrics,
  };
}
