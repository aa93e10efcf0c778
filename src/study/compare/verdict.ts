import { countOf, formatCount } from '../../base/format.ts';
import type { Estimate } from '../../stats/estimate.ts';
import {
  formatLevel,
  formatPText,
  formatSignedInterval,
  formatSize,
  formatValue,
} from './compare-format.ts';
import type { Assessment, Scale, Verdict } from './comparison.ts';
import { fewestPairs } from './paired-test.ts';

export interface Judged {
  /** The p value that counts: adjusted if there are several tasks. */
  readonly p: number;
  /** Whether it is adjusted for the number of tasks. */
  readonly isAdjusted?: boolean;
  readonly level: number;
  readonly scale: Scale;
}

/** What a comparison comes to, in plain words. A claim takes the test, and the interval if there is one. */
export function verdictOf(result: Assessment | undefined, judged: Judged): Verdict {
  if (!result) return { type: 'nothing', text: 'No row is scored on both sides.' };
  const { p, level, scale } = judged;
  const rows = countOf(result.pairs, 'row');
  if (isEqual(result)) {
    return { type: 'equal', text: `A and B score the same on each of ${rows}.` };
  }
  const { pairs, clusters } = result;
  if ((clusters?.count ?? pairs) < fewestPairs(level)) {
    const units = clusters ? countOf(clusters.count, 'cluster') : rows;
    const text = `${units} cannot tell A and B apart, whatever their scores; at least ${fewestPairs(level)} are needed.`;
    return { type: 'too-few', text };
  }
  const { interval } = result;
  const holdsZero = interval ? !leavesOutZero(interval) : result.difference === 0;
  if (p > 1 - level || holdsZero) return undecided(result, judged);
  const isHigher = result.difference > 0;
  const isBetter = isHigher === (scale.direction === 'higher');
  const size = formatSize(result.difference, scale);
  return {
    type: isBetter ? 'b-better' : 'a-better',
    text: `${isBetter ? 'B' : 'A'} is better by ${size}, ${sizeText(result, judged)}.`,
  };
}

/** How far off the size of a difference may be. */
function sizeText({ interval, difference }: Assessment, { p, scale }: Judged): string {
  if (!interval) return `${formatPText(p)}; differences are too similar for an interval`;
  const isHigher = difference > 0;
  const ends = isHigher ? interval : { ...interval, low: -interval.high, high: -interval.low };
  return intervalText(ends, scale);
}

function isEqual({ test, difference }: Assessment): boolean {
  return test.type === 'mcnemar'
    ? test.onlyA + test.onlyB === 0
    : test.higherA + test.higherB === 0 && difference === 0;
}

function undecided(result: Assessment, { p, level, scale, isAdjusted }: Judged): Verdict {
  const { pairs, clusters, difference, interval } = result;
  const among = clusters ? ` in ${countOf(clusters.count, 'cluster')}` : '';
  const size = formatSize(difference, scale);
  const seen = [
    difference === 0
      ? 'no difference on average'
      : `B is ${size} ${difference > 0 ? 'higher' : 'lower'}`,
    ...(interval
      ? [`${formatLevel(interval.level)} interval ${formatSignedInterval(result, scale)}`]
      : []),
    isAdjusted ? `adjusted ${formatPText(p)}` : formatPText(p),
  ].join(', ');
  const isFound = p <= 1 - level;
  const note = isFound
    ? ' The test alone would tell them apart, but the interval contains 0.'
    : ' The interval excludes 0, but the test is stricter.';
  const disagree = interval !== undefined && leavesOutZero(interval) !== isFound;
  return {
    type: 'undecided',
    text: `A and B cannot be told apart at n = ${formatCount(pairs)}${among}: ${seen}.${disagree ? note : ''}`,
  };
}

function leavesOutZero({ low, high }: Estimate): boolean {
  return low > 0 || high < 0;
}

function intervalText({ low, high, level }: Estimate, scale: Scale): string {
  return `${formatLevel(level)} interval [${formatValue(low, scale)}, ${formatValue(high, scale)}]`;
}
