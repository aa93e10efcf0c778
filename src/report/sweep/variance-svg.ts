import type { VariancePart } from '../../study/sweep/sweep-summary.ts';
import { type Html, html, htmlLines } from '../page.ts';
import { formatShare } from './describe-sweep.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

const line = 28;
const plotWidth = 220;

/** Where differences between single scores come from, as bars. */
export function varianceSvg(parts: readonly VariancePart[], title: string): Html {
  const names = parts.map(({ source }) => source.replaceAll('_', ' '));
  const left = nameRoom(names, 40);
  const bars = parts.map((part, index) => {
    const { share } = part;
    const y = index * line + 20;
    return html`${[
      plotText(names[index] ?? '', { x: left - 12, y: y + 4, class: 'end' }),
      html`<rect class="mark" x="${short(left)}" y="${y - 7}" width="${short(share * plotWidth)}" height="14" rx="3"/>`,
      plotText(formatShare(part), { x: left + share * plotWidth + 8, y: y + 4 }),
    ]}`;
  });
  const frame = {
    title,
    width: Math.ceil(left + plotWidth + 60),
    height: parts.length * line + 12,
  };
  return plotSvg(frame, htmlLines(bars));
}
