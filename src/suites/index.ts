import type { ReadResult } from '../study/leaderboard/find-results.ts';
import { gqa } from './gqa/index.ts';
import { japaneseFinancial } from './japanese-financial/index.ts';
import type { Suite } from './suite.ts';

export type { Suite, SuiteTasks } from './suite.ts';

/** Every suite that comes with the package: a new one is a folder and a line here. */
export const suites: readonly Suite[] = [japaneseFinancial, gqa];

/** Reads result files in the ways of all suites. */
export async function resultReader(): Promise<ReadResult> {
  const readers = await Promise.all(
    suites.flatMap(({ readResult }) => (readResult ? [readResult()] : [])),
  );
  return (value, file) => {
    for (const read of readers) {
      const result = read(value, file);
      if (result) return result;
    }
    return undefined;
  };
}
