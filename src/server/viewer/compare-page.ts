import { compareRuns } from '../../api/compare-runs.ts';
import { cutTexts } from '../../report/snapshot/cut-texts.ts';
import type { OpenedRun } from './opened-run.ts';

/** A comparison of two runs; the pages of rows have long texts whole. */
export async function comparePage(a: OpenedRun, b: OpenedRun, flips?: number) {
  return cutTexts(await compareRuns(a.run.path, b.run.path, { flips })).value;
}
