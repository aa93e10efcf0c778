import type { GroupResult } from './run.ts';

const shownFailures = 3;

/** One line for a group, and its first failures below it. */
export function describeGroup({ name, passed, skipped, failures }: GroupResult): string {
  const counts = [
    `${passed} passed`,
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const details = failures
    .slice(0, shownFailures)
    .flatMap(({ id, differences }) =>
      differences
        .slice(0, 2)
        .flatMap(({ at, expected, actual }) => [
          `  ${id} ${at}`,
          `    expected ${expected}`,
          `    actual   ${actual}`,
        ]),
    );
  return [`${name}: ${counts.join(', ')}`, ...details].join('\n');
}

/** The last line: totals over all groups. */
export function describeTotal(results: readonly GroupResult[]): string {
  const total = (count: (result: GroupResult) => number): number =>
    results.reduce((sum, result) => sum + count(result), 0);
  const skipped = total((result) => result.skipped);
  const passed = total((result) => result.passed);
  const failed = total((result) => result.failures.length);
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
