import stringWidth from 'fast-string-width';
import { type Html, html } from '../markup.ts';

export interface PlotFrame {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** What is strong is to be avoided. */
  readonly isBad?: true;
}

/** A picture that stands alone or within a page, in light and dark colours. */
export function plotSvg({ title, width, height, isBad }: PlotFrame, body: Html): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" class="plot-svg"${isBad && html` style="--p-high:#b42318"`}>
<title>${title}</title>
<style>
.plot-svg { font: 13px system-ui, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK JP', sans-serif; max-width: 100%; height: auto;
  --p-ink: #22211e; --p-soft: #6b6860; --p-line: #e3e0d8; --p-mark: #2b5c8a; --p-band: #9dbcd8; --p-low: #f6f0e4; --p-high: #2f6b4a; }
@media (prefers-color-scheme: dark) { .plot-svg { --p-ink: #e8e6e1; --p-soft: #9d9a92; --p-line: #34373b; --p-mark: #8db8e0;
  --p-band: #3f648a; --p-low: #25282b; --p-high: #2d7a54; } }
.plot-svg text { fill: var(--p-ink); } .plot-svg .soft { fill: var(--p-soft); }
.plot-svg .grid { stroke: var(--p-line); } .plot-svg .band { fill: var(--p-band); } .plot-svg .mark { fill: var(--p-mark); }
.plot-svg .end { text-anchor: end; } .plot-svg .middle { text-anchor: middle; }
</style>
${body}
</svg>
`;
}

export interface PlotText {
  readonly x: number;
  readonly y: number;
  readonly class?: string;
  /** Names longer than this many columns are cut. */
  readonly maxWidth?: number;
}

export function plotText(text: string, { x, y, class: name, maxWidth }: PlotText): Html {
  const shown = maxWidth === undefined ? text : cut(text, maxWidth);
  return html`<text x="${short(x)}" y="${short(y)}"${name && html` class="${name}"`}>${shown}</text>`;
}

function cut(text: string, maxWidth: number): string {
  if (stringWidth(text) <= maxWidth) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) >= maxWidth) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The room that names take, in pixels. */
export function nameRoom(names: readonly string[], maxWidth: number): number {
  const widest = Math.max(0, ...names.map((name) => stringWidth(name)));
  return Math.min(maxWidth, widest) * 7.4 + 16;
}

export function short(value: number): string {
  return String(Number(value.toFixed(1)));
}
