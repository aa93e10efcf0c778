import { formatValue } from '../compare/compare-format.ts';
import type { Scale } from '../compare/comparison.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

/** A score to be drawn, with its interval if it has one. */
export interface DrawnScore {
  readonly name: string;
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

const line = 28;
const plotWidth = 380;
const mostName = 40;

/** Scores and their intervals on one scale. */
export function intervalsSvg(
  scores: readonly DrawnScore[],
  { title, scale }: { readonly title: string; readonly scale: Scale },
): string {
  const left = nameRoom(
    scores.map(({ name }) => name),
    mostName,
  );
  const [from, to] = rangeOf(scores, scale);
  const x = (value: number) => left + ((value - from) / (to - from)) * plotWidth;
  const bottom = scores.length * line + 8;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => from + share * (to - from));
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${short(x(tick))}" x2="${short(x(tick))}" y1="4" y2="${bottom}"/>${plotText(formatValue(tick, scale), { x: x(tick), y: bottom + 18, class: 'middle soft' })}`,
  );
  const marks = scores.map(({ name, value, low = value, high = value }, place) => {
    const y = place * line + 20;
    return [
      plotText(name, { x: left - 12, y: y + 4, class: 'end', most: mostName }),
      `<rect class="band" x="${short(x(low))}" y="${y - 4}" width="${short(x(high) - x(low))}" height="8" rx="4"/>`,
      `<circle class="mark" cx="${short(x(value))}" cy="${y}" r="5"/>`,
      plotText(formatValue(value, scale), { x: left + plotWidth + 22, y: y + 4 }),
    ].join('');
  });
  const frame = { title, width: Math.ceil(left + plotWidth + 70), height: bottom + 26 };
  return plotSvg(frame, [...grid, ...marks].join('\n'));
}

/** Shares are drawn from 0 to 100, unless they all lie in a small part of that. */
function rangeOf(scores: readonly DrawnScore[], { isShare }: Scale): [number, number] {
  const ends = scores.flatMap(({ value, low = value, high = value }) => [low, high]);
  const lowest = Math.min(...ends);
  const highest = Math.max(...ends);
  if (isShare && highest - lowest > 0.4) return [0, 1];
  const margin = Math.max((highest - lowest) * 0.1, 1e-3);
  const [from, to] = [lowest - margin, highest + margin];
  if (!isShare) return [from, to];
  return [Math.max(0, Math.floor(from * 20) / 20), Math.min(1, Math.ceil(to * 20) / 20)];
}
