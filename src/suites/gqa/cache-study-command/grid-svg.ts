import { heatGridSvg } from '../../../report/plots/heat-grid-svg.ts';
import type { StudyFigure } from '../../../report/snapshot/study-page.ts';
import type { StudyCounts } from '../cache-study/tally.ts';
import { percent } from './render-study.ts';
import type { ThresholdGrid } from './run-study.ts';

/** Hits, and wrong answers, for each pair of thresholds; the more, the stronger the colour. */
export function gridFigures(grid: ThresholdGrid): StudyFigure[] {
  return [
    mapOf(grid, {
      caption: 'Hits, of samples',
      part: ({ hits }) => hits,
      whole: ({ samples }) => samples,
    }),
    mapOf(grid, {
      caption: 'Wrong answers, of judged hits',
      isBad: true,
      part: ({ wrong }) => wrong,
      whole: ({ judged }) => judged,
    }),
  ];
}

interface Measure {
  readonly caption: string;
  readonly isBad?: true;
  readonly part: (counts: StudyCounts) => number;
  readonly whole: (counts: StudyCounts) => number;
}

function mapOf(
  { rowLayer, columnLayer, thresholds, rows }: ThresholdGrid,
  { caption, isBad, part, whole }: Measure,
): StudyFigure {
  const svg = heatGridSvg({
    title: `${caption} by the thresholds of ${rowLayer} and ${columnLayer}`,
    ...(isBad && { isBad }),
    rowAxis: rowLayer,
    columns: thresholds.map((threshold) => `${columnLayer} ${threshold}`),
    rows: rows.map((counts, row) => ({
      name: `${rowLayer} ${thresholds[row]}`,
      cells: counts.map((one) => ({
        text: percent(part(one), whole(one)),
        shade: part(one) / Math.max(1, whole(one)),
      })),
    })),
  });
  return { caption, svg: svg.toString() };
}
