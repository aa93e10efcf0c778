import { verdictOf } from '../../run/row-sample.ts';
import { cohenKappa } from '../../stats/cohen-kappa.ts';
import type { Agreement } from './api.ts';
import type { OpenedRun } from './opened-run.ts';

/** How far people and the scores of a run agree on the rows that people graded. */
export async function agreementOf(opened: OpenedRun): Promise<Agreement> {
  const { all } = await opened.notes();
  const graded = all.filter(({ grade }) => grade !== undefined);
  const counts = { bothRight: 0, bothWrong: 0, onlyScorer: 0, onlyHuman: 0 };
  for (const { model, dataset, id, grade } of graded) {
    const isThere = opened.run.evaluations.some(
      (one) => one.model === model && one.dataset === dataset,
    );
    const row = isThere ? await opened.run.row({ model, dataset, id }) : undefined;
    const verdict = row && verdictOf(row, opened.kindOf({ model, dataset }));
    if (verdict !== 'right' && verdict !== 'wrong') continue;
    const isRight = grade === 'right';
    if (verdict === 'right') counts[isRight ? 'bothRight' : 'onlyScorer'] += 1;
    else counts[isRight ? 'onlyHuman' : 'bothWrong'] += 1;
  }
  const { bothRight, bothWrong, onlyScorer, onlyHuman } = counts;
  const kappa = cohenKappa({
    bothYes: bothRight,
    bothNo: bothWrong,
    onlyFirst: onlyScorer,
    onlySecond: onlyHuman,
  });
  return {
    graded: graded.length,
    rows: bothRight + bothWrong + onlyScorer + onlyHuman,
    ...counts,
    ...(kappa && { kappa: { ...kappa } }),
    notes: [...all],
  };
}
