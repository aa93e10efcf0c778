import type { VariancePart } from '../../study/sweep/sweep-summary.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

const line = 28;
const plotWidth = 220;

/** Where differences between single scores come from, as bars. */
export function varianceSvg(parts: readonly VariancePart[], title: string): string {
  const names = parts.map(({ source }) => source.replaceAll('_', ' '));
  const left = nameRoom(names, 40);
  const bars = parts.map(({ share }, place) => {
    const y = place * line + 20;
    return [
      plotText(names[place] ?? '', { x: left - 12, y: y + 4, class: 'end' }),
      `<rect class="mark" x="${short(left)}" y="${y - 7}" width="${short(share * plotWidth)}" height="14" rx="3"/>`,
      plotText(`${Math.round(share * 100)} %`, { x: left + share * plotWidth + 8, y: y + 4 }),
    ].join('');
  });
  const frame = {
    title,
    width: Math.ceil(left + plotWidth + 60),
    height: parts.length * line + 12,
  };
  return plotSvg(frame, bars.join('\n'));
}
