import { type Html, html, htmlLines } from '../../../report/page.ts';
import { percent } from './render-study.ts';
import type { StudyResult, SweepPoint } from './run-study.ts';

const size = { width: 640, height: 360 };
const maxLabels = 12;
const plot = { left: 56, right: 616, top: 24, bottom: 300 };

/** The sweep as a picture: how many samples hit at each threshold, and how many of them wrongly. */
export function sweepSvg({ sweep, settings }: StudyResult): Html {
  const title = `Cache hits by threshold: ${settings.name ?? settings.dataset}`;
  const first = sweep[0]?.threshold ?? 0;
  const last = sweep.at(-1)?.threshold ?? 1;
  const labelStep = Math.ceil(sweep.length / maxLabels);
  const x = ({ threshold }: SweepPoint) =>
    plot.left + ((threshold - first) / (last - first || 1)) * (plot.right - plot.left);
  const y = (share: number) => plot.bottom - share * (plot.bottom - plot.top);
  const line = (name: string, shareOf: (point: SweepPoint) => number) => {
    const points = sweep.map((point) => ({ point, at: [x(point), y(shareOf(point))].map(short) }));
    const dots = points.map(
      ({ point, at: [cx, cy] }) =>
        html`<circle cx="${cx}" cy="${cy}" r="3.5"><title>${describePoint(point)}</title></circle>`,
    );
    return html`<g class="${name}"><polyline points="${points.map(({ at }) => at.join(',')).join(' ')}"/>${dots}</g>`;
  };
  const labelled = sweep.filter((_, index) => index % labelStep === 0);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">
<title>${title}</title>
<style>
svg { font: 12px system-ui, sans-serif; --ink: #1f2328; --line: #d0d7de; --hits: #0a6ebd; --wrong: #b42318; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --line: #3d444d; --hits: #58a6ff; --wrong: #ff7b72; } }
text { fill: var(--ink); } .grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 2; }
.hits { stroke: var(--hits); fill: var(--hits); } .wrong { stroke: var(--wrong); fill: var(--wrong); }
circle { stroke: none; } text.hits, text.wrong { stroke: none; }
</style>
${htmlLines([0, 0.25, 0.5, 0.75, 1].map((share) => gridLine(share, y(share))))}
${htmlLines(
  labelled.map(
    (point) =>
      html`<text x="${short(x(point))}" y="${plot.bottom + 18}" text-anchor="middle">${point.threshold}</text>`,
  ),
)}
${line('hits', ({ hits, samples }) => hits / Math.max(1, samples))}
${line('wrong', ({ wrong, samples }) => wrong / Math.max(1, samples))}
<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 42}" text-anchor="middle">threshold</text>
<text class="hits" x="${plot.left + 8}" y="14">● hits, of samples</text>
<text class="wrong" x="${plot.left + 150}" y="14">● wrong answers, of samples</text>
</svg>
`;
}

function gridLine(share: number, y: number): Html {
  const height = short(y);
  return html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${height}" y2="${height}"/><text x="${plot.left - 8}" y="${Number(height) + 4}" text-anchor="end">${share * 100} %</text>`;
}

function describePoint({ threshold, hits, judged, wrong, samples }: SweepPoint): string {
  return `${threshold}: ${percent(hits, samples)} hits, ${percent(wrong, judged)} of them wrong`;
}

function short(value: number): string {
  return value.toFixed(1);
}
