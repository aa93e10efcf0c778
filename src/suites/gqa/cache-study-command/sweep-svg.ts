import { type Html, html, htmlLines } from '../../../report/markup.ts';
import { percent, wrongText } from './render-study.ts';
import type { StudyResult, SweepPoint } from './run-study.ts';

const size = { width: 640, height: 360 };
const maxLabels = 12;
const plot = { left: 56, right: 616, top: 24, bottom: 300 };

const parts = ['right', 'open', 'wrong'] as const;

/** The sweep as a picture: of the samples at each threshold, what was right, wrong and not judged. */
export function sweepSvg({ sweep, settings }: StudyResult): Html {
  const title = `Cache hits by threshold: ${settings.name ?? settings.dataset}`;
  const step = (plot.right - plot.left) / Math.max(1, sweep.length);
  const labelStep = Math.ceil(sweep.length / maxLabels);
  const middle = (index: number) => plot.left + (index + 0.5) * step;
  const y = (share: number) => plot.bottom - share * (plot.bottom - plot.top);
  const bars = sweep.map((point, index) => {
    let below = 0;
    const rects = parts.map((part) => {
      const share = shareOf(point, part);
      const [top, bottom] = [y(below + share), y(below)];
      below += share;
      return (
        share > 0 &&
        html`<rect class="${part}" x="${short(middle(index) - step * 0.36)}" y="${short(top)}" width="${short(step * 0.72)}" height="${short(bottom - top)}"/>`
      );
    });
    return html`<g><title>${describePoint(point)}</title>${rects}</g>`;
  });
  const labels = sweep.flatMap(({ threshold }, index) =>
    index % labelStep === 0
      ? html`<text x="${short(middle(index))}" y="${plot.bottom + 18}" text-anchor="middle">${threshold}</text>`
      : [],
  );
  const legend = [
    { part: 'right', text: 'right' },
    { part: 'open', text: 'not judged' },
    { part: 'wrong', text: 'wrong' },
  ].map(
    ({ part, text }, index) =>
      html`<rect class="${part}" x="${plot.left + 4 + index * 110}" y="4" width="12" height="12"/><text x="${plot.left + 22 + index * 110}" y="14">${text}</text>`,
  );
  return html`<svg class="sweep" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">
<title>${title}</title>
<style>
.sweep { font: 12px system-ui, sans-serif; --ink: #1f2328; --line: #d0d7de; --right: #0a6ebd; --open: #afb8c1; --wrong: #b42318; }
@media (prefers-color-scheme: dark) { .sweep { --ink: #e6edf3; --line: #3d444d; --right: #58a6ff; --open: #656c76; --wrong: #ff7b72; } }
.sweep text { fill: var(--ink); } .sweep .grid { stroke: var(--line); }
.sweep .right { fill: var(--right); } .sweep .open { fill: var(--open); } .sweep .wrong { fill: var(--wrong); }
</style>
${htmlLines([0, 0.25, 0.5, 0.75, 1].map((share) => gridLine(share, y(share))))}
${htmlLines(bars)}
${htmlLines(labels)}
<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle">threshold; bars are hits, of samples</text>
${htmlLines(legend)}
</svg>
`;
}

function shareOf(
  { hits, judged, wrong, samples }: SweepPoint,
  part: (typeof parts)[number],
): number {
  const counts = { right: judged - wrong, open: hits - judged, wrong };
  return counts[part] / Math.max(1, samples);
}

function gridLine(share: number, y: number): Html {
  const height = short(y);
  return html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${height}" y2="${height}"/><text x="${plot.left - 8}" y="${Number(height) + 4}" text-anchor="end">${share * 100}%</text>`;
}

function describePoint(point: SweepPoint): string {
  const { threshold, hits, judged, samples } = point;
  return `${threshold}: ${percent(hits, samples)} hits, ${percent(hits - judged, samples)} not judged, wrong of the judged ${wrongText(point)}`;
}

function short(value: number): string {
  return value.toFixed(1);
}
