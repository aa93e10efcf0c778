import { type Candidates, crossFit } from './cross-fit.ts';
import { averageRows, isBetter, type Sheet, valuesOf } from './sheet.ts';
import type { BestTemplate } from './sweep-summary.ts';

/** Fewer rows than this leave a half that could not tell templates apart. */
export const fewestRowsToChoose = 20;

/** The best template for some datasets of one model; nothing without two templates in common. */
export function findBestTemplate(sheets: readonly Sheet[], seed: number): BestTemplate | undefined {
  const [first] = sheets;
  const templates = valuesOf({ cells: first?.cells ?? [] }, 'template').filter((template) =>
    sheets.every((sheet) => valuesOf(sheet, 'template').includes(template)),
  );
  if (!first || templates.length < 2) return undefined;
  const tasks = sheets.map(
    (sheet): Candidates => ({
      ...sheet,
      scores: templates.map((template) => averageRows(sheet, 'template', template)),
    }),
  );
  const means = templates.map((_, place) => averageOf(tasks.map(({ scores }) => scores[place])));
  const best = means.reduce(
    (place, mean, other) => (isBetter(mean, means[place] ?? 0, first) ? other : place),
    0,
  );
  const naive = means[best] ?? 0;
  const isEnough = sheets.every(({ ids }) => ids.length >= fewestRowsToChoose);
  const fitted = isEnough ? crossFit(tasks, seed) : undefined;
  const sign = first.direction === 'lower' ? -1 : 1;
  return {
    model: first.model,
    datasets: sheets.map(({ dataset }) => dataset),
    template: templates[best] ?? '',
    naive,
    ...(fitted && { honest: fitted.score, optimism: sign * (naive - fitted.score.value) }),
    choices: templates
      .map((template, place) => ({ template, share: fitted?.chosen[place] ?? 0 }))
      .filter(({ share }) => share > 0)
      .toSorted((left, right) => right.share - left.share),
  };
}

function averageOf(tasks: readonly (Float64Array | undefined)[]): number {
  const means = tasks.map(
    (scores = new Float64Array()) => scores.reduce((sum, score) => sum + score, 0) / scores.length,
  );
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
