import type { BestConfiguration, SweepSummary } from '../../study/sweep/sweep-summary.ts';

/** What the best configuration of a model was held to. */
export interface SweepGate {
  readonly model: string;
  readonly datasets: readonly string[];
  readonly asked: number;
  /** The score to expect of what the sweep chooses; left out where there are too few rows to say. */
  readonly got?: number;
  readonly passed: boolean;
}

/** Holds what a sweep chooses for each model to a score, on rows that had no part in the choice. */
export function holdSweep(summary: SweepSummary, failUnder: number | undefined): SweepGate[] {
  if (failUnder === undefined) return [];
  return chosenOf(summary).map(({ model, datasets, score: got }) => {
    const sheets = summary.sheets.filter(
      (sheet) => sheet.model === model && datasets.includes(sheet.dataset),
    );
    // A share says nothing of a score that is none.
    const isShare = sheets.every(({ plain }) => !plain);
    const isLess = sheets.some(({ direction }) => direction === 'lower');
    const reaches = got !== undefined && (isLess ? got <= failUnder : got >= failUnder);
    return {
      model,
      datasets,
      asked: failUnder,
      passed: isShare && reaches,
      ...(got !== undefined && { got }),
    };
  });
}

interface Chosen {
  readonly model: string;
  readonly datasets: readonly string[];
  readonly score: number | undefined;
}

function chosenOf({ best, budget }: SweepSummary): Chosen[] {
  const chosen = best.map(({ model, datasets, honest }: BestConfiguration) => ({
    model,
    datasets,
    score: honest?.value,
  }));
  const races = (budget?.races ?? []).map(({ model, dataset, score }) => ({
    model,
    datasets: [dataset],
    score: score?.value,
  }));
  return chosen.length > 0 ? chosen : races;
}

/** `Gate failed: small on sums: 71.4 to expect of the best configuration, asked 80.0`. */
export function describeSweepGate({ model, datasets, asked, got, passed }: SweepGate): string {
  const figure =
    got === undefined
      ? 'too few rows to say what to expect of the best configuration'
      : `${percent(got)} to expect of the best configuration`;
  return `Gate ${passed ? 'passed' : 'failed'}: ${model} on ${datasets.join(', ')}: ${figure}, asked ${percent(asked)}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
