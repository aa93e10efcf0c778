import { countOf, formatCount } from '../../base/format.ts';
import {
  formatP,
  formatPText,
  formatSigned,
  formatSize,
} from '../../study/compare/compare-format.ts';
import type { Assessment, LeftOut, Scale, TaskComparison } from '../../study/compare/comparison.ts';

/** What a verdict rests on, in sentences. */
export function describeTask(task: TaskComparison): string[] {
  const { leftOut } = task;
  const reasons = leftOut.map(describeLeftOut).join('; ');
  return [
    ...describeTested(task),
    ...(leftOut.length === 0 ? [] : [`Pairs need a score on both sides. Left out: ${reasons}.`]),
    ...describeCountedAsWrong(task),
    ...describeAnswers(task),
  ];
}

/** How the difference was tested, and what these rows can show. */
export function describeTested({ result, scale, verdict, adjustedP }: TaskComparison): string[] {
  if (!result || verdict.type === 'equal') return [];
  return [describeTest(result, adjustedP), ...describePower(result, scale)];
}

/** What is left of the difference where rows without a score count as wrong. */
export function describeCountedAsWrong({ countedAsWrong, scale }: TaskComparison): string[] {
  if (!countedAsWrong) return [];
  const { difference, pairs, p } = countedAsWrong;
  const change = formatSigned(difference, scale);
  return [
    `Counting unscored rows as wrong: ${change} on ${countOf(pairs, 'row')}, ${formatPText(p)}.`,
  ];
}

/** How answers came about, where that bears on the difference. */
export function describeAnswers({ chosen, unnamed }: TaskComparison): string[] {
  return [
    ...(chosen
      ? [`A ${ways[chosen.a]}, B ${ways[chosen.b]}: part of the difference comes from that.`]
      : []),
    ...(unnamed
      ? [
          `Answers that name no choice (the first one was taken): ${formatCount(unnamed.a)} in A, ${formatCount(unnamed.b)} in B.`,
        ]
      : []),
  ];
}

const ways = { loglikelihood: 'chose by loglikelihood', answer: 'wrote answers' };

const listedIds = 5;

/** `2 unscored in A (no answer found): rows 3, 9`. */
function describeLeftOut({ reason, rows, ids }: LeftOut): string {
  const listed = ids.slice(0, listedIds).join(', ');
  const rest = rows > listedIds ? ' …' : '';
  return `${formatCount(rows)} ${reason}: row${rows === 1 ? '' : 's'} ${listed}${rest}`;
}

function describeTest({ test, p, clusters }: Assessment, adjustedP: number | undefined): string {
  const told =
    adjustedP === undefined
      ? formatPText(p)
      : `adjusted ${formatPText(adjustedP)}, unadjusted ${formatP(p)}`;
  if (test.type === 'mcnemar') {
    const { onlyA, onlyB, both, neither, midP } = test;
    const counts = `${formatCount(onlyB)} right only in B, ${formatCount(onlyA)} only in A, ${formatCount(both)} in both, ${formatCount(neither)} in neither`;
    return `McNemar's exact test: ${told} (mid-p ${formatP(midP)}); ${counts}.`;
  }
  const { higherA, higherB, equal } = test;
  const tests = clusters ? clusterTests : rowTests;
  const name = test.type === 'swap' ? tests.swap[test.method] : tests.permutation[test.method];
  const among = clusters ? ` (${countOf(clusters.count, 'cluster')} of \`${clusters.by}\`)` : '';
  const counts = `${formatCount(higherB)} higher in B, ${formatCount(higherA)} higher in A, ${formatCount(equal)} equal`;
  return `${name}${among}: ${told}; ${counts}.`;
}

const rowTests = {
  permutation: {
    exact: 'Exact paired permutation test',
    sampled: 'Paired permutation test with 9,999 draws',
    normal: 'Paired permutation test (large-sample limit)',
  },
  swap: {
    exact: 'Exact permutation test that swaps A and B in rows',
    sampled: 'Permutation test that swaps A and B in rows, with 999 draws',
    normal: 'Normal test with the bootstrap standard error',
  },
};
const clusterTests = {
  permutation: {
    exact: 'Exact permutation test of whole clusters',
    sampled: 'Permutation test of whole clusters with 9,999 draws',
    normal: 'Permutation test of whole clusters (large-sample limit)',
  },
  swap: {
    exact: 'Exact permutation test that swaps A and B in whole clusters',
    sampled: 'Permutation test that swaps A and B in whole clusters, with 999 draws',
    normal: 'Normal test with the cluster bootstrap standard error',
  },
};

/** What these rows, and more of them, can show; nothing if all differences are the same. */
function describePower(
  { neededPairs, detectable, difference, pairs, test }: Assessment,
  scale: Scale,
): string[] {
  if (test.type !== 'mcnemar' && detectable === undefined) return [];
  const rows = neededPairs === undefined ? 'more than ten million' : formatCount(neededPairs);
  const needed = `${formatSize(difference, scale)} needs ${rows} rows; `;
  const found =
    detectable === undefined
      ? 'cannot detect any difference: too few of them changed'
      : `can detect ${formatSize(detectable, scale)}`;
  return [
    `With 80% power: ${difference === 0 ? '' : `detecting ${needed}`}${formatCount(pairs)} rows ${found}.`,
  ];
}
