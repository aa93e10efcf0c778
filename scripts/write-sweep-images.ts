import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bestSvg } from '../src/report/sweep/best-svg.ts';
import { heatMapSvg } from '../src/report/sweep/heat-map-svg.ts';
import { intervalsSvg } from '../src/report/sweep/intervals-svg.ts';
import { varianceSvg } from '../src/report/sweep/variance-svg.ts';
import { scaleOf } from '../src/study/sweep/headline.ts';
import type { SweepSummary } from '../src/study/sweep/sweep-summary.ts';

// Writes the pictures of docs/what-the-numbers-mean.md from the two sweeps that the page shows:
// `npx tsx scripts/write-sweep-images.ts WIDE/sweep.json SMALL/sweep.json`

const [wide, small] = process.argv
  .slice(2)
  .map((file): SweepSummary => JSON.parse(readFileSync(file, 'utf8')));
const sheet = wide?.sheets[0];
const best = small?.best[0];
if (!sheet || !small || !best) throw new Error('two files are needed: WIDE and SMALL');

const drawn = sheet.templates.flatMap(({ template, score }) =>
  score ? [{ name: template, ...score }] : [],
);
const images = {
  'heat-map': heatMapSvg(sheet),
  templates: intervalsSvg(drawn, {
    title: 'Templates with their intervals',
    scale: scaleOf(sheet),
  }),
  variance: varianceSvg(sheet.variance ?? [], 'Where differences come from'),
  best: bestSvg(best, small),
};
const folder = new URL('../docs/images/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, svg] of Object.entries(images)) {
  writeFileSync(new URL(`sweep-${name}.svg`, folder), String(svg ?? ''));
}
