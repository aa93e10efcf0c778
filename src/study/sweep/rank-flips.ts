import type { RankFlip, ValueComparison } from './sweep-summary.ts';

interface ModelComparisons {
  readonly model: string;
  readonly dataset: string;
  readonly comparisons: readonly ValueComparison[];
}

/** Pairs of templates whose order depends on the model, clear ones first. */
export function findRankFlips(sheets: readonly ModelComparisons[]): RankFlip[] {
  const flips = sheets.flatMap((first, place) =>
    sheets
      .slice(place + 1)
      .filter(({ dataset, model }) => dataset === first.dataset && model !== first.model)
      .flatMap((second) => flipsBetween(first, second)),
  );
  return flips.toSorted((left, right) => Number(right.isClear) - Number(left.isClear));
}

function flipsBetween(first: ModelComparisons, second: ModelComparisons): RankFlip[] {
  const templates = first.comparisons.filter(({ axis }) => axis === 'template');
  return templates.flatMap((one) => {
    const other = second.comparisons.find(
      ({ axis, a, b }) => axis === one.axis && a === one.a && b === one.b,
    );
    if (!other || one.difference.value * other.difference.value >= 0) return [];
    return [
      {
        dataset: first.dataset,
        models: [first.model, second.model] as const,
        templates: [one.a, one.b] as const,
        differences: [one.difference.value, other.difference.value] as const,
        isClear: one.isDifferent && other.isDifferent,
      },
    ];
  });
}
