import { heatGridSvg } from '../../../report/sweep/heat-map-svg.ts';
import type { StudyCounts } from '../cache-study/tally.ts';
import { percent } from './render-study.ts';
import type { ThresholdGrid } from './run-study.ts';

/** Hits, and wrong answers, for each pair of thresholds; the more, the stronger the colour. */
export function gridSvgs(grid: ThresholdGrid) {
  return [
    mapOf(grid, {
      caption: 'Hits, of samples',
      tone: 'hits',
      part: ({ hits }) => hits,
      whole: ({ samples }) => samples,
    }),
    mapOf(grid, {
      caption: 'Wrong answers, of judged hits',
      tone: 'wrong',
      part: ({ wrong }) => wrong,
      whole: ({ judged }) => judged,
    }),
  ];
}

interface Measure {
  readonly caption: string;
  readonly tone: 'hits' | 'wrong';
  readonly part: (counts: StudyCounts) => number;
  readonly whole: (counts: StudyCounts) => number;
}

function mapOf(
  { rowLayer, columnLayer, thresholds, rows }: ThresholdGrid,
  { caption, tone, part, whole }: Measure,
) {
  const svg = heatGridSvg({
    title: `${caption} by the thresholds of ${rowLayer} and ${columnLayer}`,
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
  return { caption, tone, svg };
}
