import { compareRuns } from '../../api/compare-runs.ts';
import { cutTexts } from '../../report/snapshot/cut-texts.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import type { OpenedRun } from './opened-run.ts';

interface ComparedSide {
  readonly opened: OpenedRun;
  /** The one evaluation that is meant; left out: those that the other run has as well. */
  readonly only?: EvaluationName | undefined;
}

/** A comparison of two runs; the pages of rows have long texts whole. */
export async function comparePage(a: ComparedSide, b: ComparedSide, flips?: number) {
  return cutTexts(await compareRuns(nameOf(a), nameOf(b), { flips })).value;
}

function nameOf({ opened: { run }, only }: ComparedSide): string {
  return only ? `${run.path}:${only.model}/${only.dataset}` : run.path;
}
