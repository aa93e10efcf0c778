import type { RunSummary, TaskResult } from '../src/run/summary.ts';
import type { RunDetails } from '../src/server/viewer/api.ts';

/** Below this, lists beside the rows would push them out of sight. */
export const narrowWidth = 830;

export interface Evaluation {
  readonly model: string;
  readonly dataset: string;
  readonly data: number;
  readonly key: string;
  readonly result?: TaskResult | undefined;
}

export function summaryOf({ summary }: RunDetails): RunSummary | undefined {
  return summary as RunSummary | undefined;
}

/** The evaluations of a run with what they came to. */
export function evaluationsOf(run: RunDetails): Evaluation[] {
  const results = summaryOf(run)?.results ?? [];
  return run.evaluations.map(({ model, dataset, data }) => ({
    ...{ model, dataset, data },
    key: JSON.stringify([model, dataset]),
    result: results.find((one) => one.model === model && one.dataset === dataset),
  }));
}

/** The first evaluation with rows that ask for a look; the first of all if none has. */
export function firstToShow(evaluations: readonly Evaluation[]): Evaluation | undefined {
  const isTroubled = ({ result }: Evaluation) =>
    result !== undefined &&
    (result.rows.scored < result.rows.total || (!result.plain && (result.score?.value ?? 1) < 1));
  return evaluations.find(isTroubled) ?? evaluations[0];
}

/** What tells evaluations apart: models, datasets, or both. */
export function shortNames(evaluations: readonly Evaluation[]): string[] {
  const models = new Set(evaluations.map(({ model }) => model));
  const datasets = new Set(evaluations.map(({ dataset }) => dataset));
  return evaluations.map(({ model, dataset }) => {
    if (models.size === 1) return dataset;
    return datasets.size === 1 ? model : `${dataset} · ${model}`;
  });
}

/** A, B … Z, AA, AB …, as spreadsheets name columns. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letterOf(Math.floor(index / 26) - 1)}${letter}`;
}
