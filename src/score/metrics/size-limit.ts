import { chargeWork } from '../../base/heavy-work.ts';
import { DataError } from '../../errors.ts';

/** How much a metric whose work grows with the product of two lengths takes on: some seconds. */
const most = { characters: 2e9, words: 5e7, moved: 4e6 };

/** How long a pair takes, in nanoseconds. Words that may move say themselves what they take. */
const pairNs = { characters: 1, words: 10, moved: 0 };

interface Sizes {
  readonly metric: string;
  readonly answer: number;
  readonly gold: number;
  /** What the lengths count. Words that may move are the most work. */
  readonly unit: keyof typeof most;
}

/** Refuses texts that a metric would take too long for; the rest may be heavy work. */
export function checkSizes({ metric, answer, gold, unit }: Sizes): void {
  if (answer * gold <= most[unit]) {
    chargeWork(answer * gold * pairNs[unit]);
    return;
  }
  const name = unit === 'characters' ? unit : 'words';
  const show = (count: number) => count.toLocaleString('en');
  throw new DataError(
    'metric.too_long',
    `the answer has ${show(answer)} ${name} and the right answer ${show(gold)}: too long for ${metric}, which allows a product of at most ${show(most[unit])}`,
    { hint: 'Cut answers with max_out_len or a post-processor, or choose another metric.' },
  );
}
