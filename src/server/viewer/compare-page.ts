import { compareRuns } from '../../api/compare-runs.ts';
import type { OpenedRun } from './opened-run.ts';

/** Two runs held against each other, with the words of the report. */
export async function comparePage(a: OpenedRun, b: OpenedRun) {
  const comparison = await compareRuns(a.run.path, b.run.path);
  return { ...comparison };
}
