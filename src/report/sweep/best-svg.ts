import type { BestTemplate, SweepSummary } from '../../run/sweep-summary.ts';
import { scaleOf } from './describe-sweep.ts';
import { intervalsSvg } from './intervals-svg.ts';

/** What the best template seems to score, and what can be expected of it; empty with too few rows. */
export function bestSvg(
  { model, template, naive, honest }: BestTemplate,
  { sheets }: Pick<SweepSummary, 'sheets'>,
): string {
  const sheet = sheets.find((one) => one.model === model);
  if (!honest || !sheet) return '';
  const scores = [
    { name: 'on the rows that chose it', value: naive },
    { name: 'expected on other rows', ...honest },
  ];
  return intervalsSvg(scores, { title: `Scores of ${template}`, scale: scaleOf(sheet) });
}
