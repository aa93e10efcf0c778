import { formatCount } from '../../base/format.ts';
import type { PrefixSavings } from '../../study/prefix-cache/prefix-cache.ts';
import type { PrefixCurves } from '../../study/prefix-cache/prefix-curves.ts';
import { type Html, html, htmlLines } from '../markup.ts';
import { plotSvg, plotText, short } from '../plots/plot.ts';
import { orderNames, savedShare } from './describe-prefixes.ts';

const plot = { left: 52, right: 560, top: 12, bottom: 252 };
const legendLine = 20;
/** Colours in light and in dark, and dashes, so that lines on top of each other are all seen. */
const lines = [
  { light: '#0a6ebd', dark: '#58a6ff', width: 5, dashes: 'none' },
  { light: '#8a5a00', dark: '#e3b341', width: 3, dashes: 'none' },
  { light: '#1a7f37', dark: '#56d364', width: 2, dashes: '8 4' },
  { light: '#b42318', dark: '#ff7b72', width: 2, dashes: '3 3' },
  { light: '#8250df', dark: '#bc8cff', width: 3, dashes: '2 6' },
] as const;

/** Tokens saved by cache size, one line for each order of the requests. */
export function sizeSvg({ orders }: PrefixCurves, title: string): Html {
  const sizes = orders[0]?.points.map(({ size }) => size) ?? [];
  const x = placesOf(sizes);
  const curves = orders.map(({ order, points }, index) => {
    const path = points.map((point, at) => `${short(x(at))},${short(y(point))}`).join(' ');
    const marks = points.map(
      (point, at) =>
        html`<circle cx="${short(x(at))}" cy="${short(y(point))}" r="4"><title>${orderNames[order]}, room for ${formatCount(point.size)} tokens: ${savedShare(point)}</title></circle>`,
    );
    return html`<g class="line-${index}"><polyline points="${path}"/>${marks}</g>`;
  });
  const legend = orders.map(({ order }, index) => {
    const top = plot.bottom + 66 + index * legendLine;
    return html`<g class="line-${index}"><polyline points="${plot.left},${top} ${plot.left + 40},${top}"/></g>${plotText(orderNames[order], { x: plot.left + 50, y: top + 4 })}`;
  });
  const height = plot.bottom + 66 + orders.length * legendLine;
  return plotSvg(
    { title, width: plot.right + 40, height },
    htmlLines([
      lineStyle(),
      ...axes(sizes.map(formatSize), x),
      plotText('tokens of room in the cache', {
        x: middle,
        y: plot.bottom + 42,
        class: 'middle soft',
      }),
      ...curves,
      ...legend,
    ]),
  );
}

/** Tokens saved by block size. */
export function blockSvg({ blocks }: PrefixCurves, title: string): Html {
  const step = (plot.right - plot.left) / blocks.length;
  const x = (index: number) => plot.left + (index + 0.5) * step;
  const bars = blocks.map((point, index) => {
    const top = y(point);
    return html`<rect class="mark" x="${short(x(index) - step * 0.3)}" y="${short(top)}" width="${short(step * 0.6)}" height="${short(plot.bottom - top)}"><title>blocks of ${point.block}: ${savedShare(point)}</title></rect>${plotText(savedShare(point), { x: x(index), y: top - 5, class: 'middle' })}`;
  });
  return plotSvg(
    { title, width: plot.right + 40, height: plot.bottom + 54 },
    htmlLines([
      ...axes(
        blocks.map(({ block }) => formatCount(block)),
        x,
      ),
      plotText('tokens of a block', { x: middle, y: plot.bottom + 42, class: 'middle soft' }),
      ...bars,
    ]),
  );
}

const middle = (plot.left + plot.right) / 2;

function y({ saved, tokens }: PrefixSavings): number {
  return plot.bottom - (tokens === 0 ? 0 : saved / tokens) * (plot.bottom - plot.top);
}

/** Sizes are powers of two, so that equal steps are equal factors. */
function placesOf(sizes: readonly number[]): (index: number) => number {
  const powers = sizes.map(Math.log2);
  const first = powers[0] ?? 0;
  const span = (powers.at(-1) ?? 0) - first;
  const [left, right] = [plot.left + 24, plot.right - 24];
  return (index) =>
    span === 0 ? middle : left + (((powers[index] ?? 0) - first) / span) * (right - left);
}

function axes(labels: readonly string[], x: (index: number) => number): Html[] {
  return [
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
      const height = plot.bottom - share * (plot.bottom - plot.top);
      return html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${short(height)}" y2="${short(height)}"/>${plotText(`${share * 100}%`, { x: plot.left - 8, y: height + 4, class: 'end soft' })}`;
    }),
    ...labels.flatMap((label, index) =>
      label === ''
        ? []
        : plotText(label, { x: x(index), y: plot.bottom + 20, class: 'middle soft' }),
    ),
  ];
}

/** `65,536` is `64 Ki`: there is little room on an axis. What is no power of two stands between such. */
function formatSize(size: number): string {
  const units = ['', ' Ki', ' Mi', ' Gi'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(size) / 10));
  return Number.isInteger(Math.log2(size)) ? `${size / 2 ** (10 * power)}${units[power]}` : '';
}

function lineStyle(): Html {
  const rule = ({ width, dashes }: (typeof lines)[number], index: number) =>
    `.line-${index} { --line: var(--l-${index}); } .line-${index} polyline { stroke-width: ${width}; stroke-dasharray: ${dashes}; }`;
  const colours = (tone: 'light' | 'dark') =>
    lines.map((line, index) => `--l-${index}: ${line[tone]};`).join(' ');
  return html`<style>
.plot-svg { ${colours('light')} } @media (prefers-color-scheme: dark) { .plot-svg { ${colours('dark')} } }
.plot-svg polyline { fill: none; stroke: var(--line); stroke-linejoin: round; } .plot-svg circle { fill: var(--line); }
${lines.map(rule).join('\n')}
</style>`;
}
