import { formatValue } from '../../study/compare/compare-format.ts';
import type { Scale } from '../../study/compare/comparison.ts';
import { type Html, html, htmlLines } from '../page.ts';
import { nameRoom, plotSvg, plotText, short } from './plot.ts';

/** A score to be drawn, with its interval if it has one. */
export interface DrawnScore {
  readonly name: string;
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface IntervalsLook {
  readonly title: string;
  readonly scale: Scale;
  /** Of the scale, in pixels. */
  readonly plotWidth?: number;
}

const line = 28;
const maxName = 40;

/** Scores and their intervals on one scale. */
export function intervalsSvg(
  scores: readonly DrawnScore[],
  { title, scale, plotWidth = 220 }: IntervalsLook,
): Html {
  const left = nameRoom(
    scores.map(({ name }) => name),
    maxName,
  );
  const ticks = ticksOf(scores, { scale, maxSteps: Math.floor(plotWidth / tickRoom) });
  const from = ticks[0] ?? 0;
  const to = ticks.at(-1) ?? 1;
  const x = (value: number) => left + ((value - from) / (to - from)) * plotWidth;
  const bottom = scores.length * line + 8;
  const grid = ticks.map(
    (tick) =>
      html`<line class="grid" x1="${short(x(tick))}" x2="${short(x(tick))}" y1="4" y2="${bottom}"/>${plotText(formatValue(tick, scale), { x: x(tick), y: bottom + 18, class: 'middle soft' })}`,
  );
  const marks = scores.map(({ name, value, low = value, high = value }, index) => {
    const y = index * line + 20;
    return html`${[
      plotText(name, { x: left - 12, y: y + 4, class: 'end', maxWidth: maxName }),
      html`<rect class="band" x="${short(x(low))}" y="${y - 4}" width="${short(x(high) - x(low))}" height="8" rx="4"/>`,
      html`<circle class="mark" cx="${short(x(value))}" cy="${y}" r="5"/>`,
      plotText(formatValue(value, scale), { x: left + plotWidth + 22, y: y + 4 }),
    ]}`;
  });
  const frame = { title, width: Math.ceil(left + plotWidth + 70), height: bottom + 26 };
  return plotSvg(frame, htmlLines([...grid, ...marks]));
}

/** The room that a tick needs for its number. */
const tickRoom = 44;

interface TickSettings {
  readonly scale: Scale;
  readonly maxSteps: number;
}

/** Round values that all scores lie between. Shares go from 0 to 100 unless they are close together. */
function ticksOf(
  scores: readonly DrawnScore[],
  { scale: { isShare }, maxSteps }: TickSettings,
): number[] {
  const ends = scores.flatMap(({ value, low = value, high = value }) => [low, high]);
  const lowest = Math.min(...ends);
  const highest = Math.max(...ends);
  const [from, to] = isShare && highest - lowest > 0.4 ? [0, 1] : [lowest, highest];
  const room = Math.max(to - from, 1e-2);
  const size = 10 ** Math.floor(Math.log10(room / maxSteps));
  const found = [1, 2, 5, 10, 20]
    .map((factor) => factor * size)
    .map((step) => ({
      step,
      first: Math.floor(from / step + 1e-9),
      last: Math.ceil(to / step - 1e-9),
    }))
    .find(({ first, last }) => last - first <= maxSteps);
  const { step, first, last } = found ?? { step: room, first: 0, last: 1 };
  const count = Math.max(1, last - first);
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
}
