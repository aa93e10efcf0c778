import { scaleOf } from '../../study/sweep/headline.ts';
import type { BestConfiguration, SweepSummary } from '../../study/sweep/sweep-summary.ts';
import type { Html } from '../page.ts';
import { intervalsSvg } from './intervals-svg.ts';

/** Narrow enough for a card on a telephone. */
const plotWidth = 160;

/** What the best configuration seems to score, and what can be expected of it; nothing with too few rows. */
export function bestSvg(
  { model, datasets, title, naive, honest }: BestConfiguration,
  { sheets }: Pick<SweepSummary, 'sheets'>,
): Html | undefined {
  const sheet = sheets.find((one) => one.model === model && datasets.includes(one.dataset));
  if (!honest || !sheet) return undefined;
  const scores = [
    { name: 'selection rows', value: naive },
    { name: 'held-out rows', ...honest },
  ];
  return intervalsSvg(scores, { title: `Scores: ${title}`, scale: scaleOf(sheet), plotWidth });
}
