import type { SheetSummary } from '../../run/sweep-summary.ts';
import { formatValue } from '../compare/compare-format.ts';
import { scaleOf } from './describe-sweep.ts';
import { heatMapOf, shadeOf } from './heat-map.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

const cell = { width: 76, height: 30 };
const head = 28;
const mostName = 28;

/** Scores by template and number of examples as a picture. */
export function heatMapSvg(sheet: SheetSummary): string {
  const map = heatMapOf(sheet);
  const scale = scaleOf(sheet);
  const left = nameRoom([map.rowAxis, ...map.rows.map(({ name }) => name)], mostName);
  const titles = map.columns.map((column, place) =>
    plotText(column, { x: left + (place + 0.5) * cell.width, y: 18, class: 'middle soft' }),
  );
  const rows = map.rows.flatMap(({ name, scores }, line) => {
    const y = head + line * cell.height;
    return [
      plotText(name, { x: left - 10, y: y + 20, class: 'end', most: mostName }),
      ...scores.map((score, place) =>
        heatCell({
          x: left + place * cell.width,
          y,
          shade: shadeOf(score, map),
          text: formatValue(score, scale),
        }),
      ),
    ];
  });
  const frame = {
    title: `${sheet.metric} of ${sheet.model} on ${sheet.dataset} by template and number of examples`,
    width: Math.ceil(left + map.columns.length * cell.width + 4),
    height: head + map.rows.length * cell.height + 4,
  };
  return plotSvg(frame, [...titles, ...rows].join('\n'));
}

interface HeatCell {
  readonly x: number;
  readonly y: number;
  readonly shade: number;
  readonly text: string;
}

function heatCell({ x, y, shade, text }: HeatCell): string {
  const share = Math.round(shade * 100);
  const ink = shade > 0.55 ? ' style="fill:#ffffff"' : '';
  return `<rect x="${short(x + 1)}" y="${y + 1}" width="${cell.width - 2}" height="${cell.height - 2}" rx="4" style="fill:color-mix(in srgb, var(--p-high) ${share}%, var(--p-low))"/><text x="${short(x + cell.width / 2)}" y="${y + 20}" class="middle"${ink}>${text}</text>`;
}
