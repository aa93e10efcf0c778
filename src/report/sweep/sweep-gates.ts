import type { RunSummary } from '../../run/summary.ts';
import type { CellSettings, SheetSummary, SweepSummary } from '../../study/sweep/sweep-summary.ts';

/** What the best configuration of a model was held to. */
export interface SweepGate {
  readonly model: string;
  readonly datasets: readonly string[];
  readonly asked: number;
  /**
   * The score to expect of what the sweep chooses, with rows that failed as wrong; left out where there
   * are too few rows to say.
   */
  readonly got?: number;
  /** Rows of the best configuration that failed; where lower is better, those without a score. */
  readonly left?: { readonly rows: number; readonly of: number };
  /** They cannot count as wrong, so that nothing can be said with them. */
  readonly problem?: 'uncounted_rows';
  readonly passed: boolean;
}

/** Holds what a sweep chooses for each model to a score, on rows that had no part in the choice. */
export function holdSweep(
  summary: SweepSummary,
  failUnder: number | undefined,
  results: RunSummary['results'],
): SweepGate[] {
  if (failUnder === undefined) return [];
  return chosenOf(summary).map(({ model, datasets, settings, score }) => {
    const sheets = summary.sheets.filter(
      (sheet) => sheet.model === model && datasets.includes(sheet.dataset),
    );
    // A share says nothing of a score that is none.
    const isShare = sheets.every(({ plain }) => !plain);
    const isLess = sheets.some(({ direction }) => direction === 'lower');
    const left = mostLeft(sheets.map((sheet) => leftRows(sheet, { settings, isLess, results })));
    const got = score === undefined || isLess ? score : score * (1 - shareOf(left));
    const reaches = got !== undefined && (isLess ? got <= failUnder : got >= failUnder);
    return {
      model,
      datasets,
      asked: failUnder,
      passed: isShare && reaches && !(isLess && left.rows > 0),
      ...(got !== undefined && { got }),
      ...(left.rows > 0 && { left, ...(isLess && { problem: 'uncounted_rows' as const }) }),
    };
  });
}

type LeftRows = NonNullable<SweepGate['left']>;

interface LeftOptions {
  readonly settings: CellSettings;
  readonly isLess: boolean;
  readonly results: RunSummary['results'];
}

/** What the cells of a configuration lack. Answers without a score count as wrong already, unless lower is better. */
function leftRows(
  { model, cells }: SheetSummary,
  { settings, isLess, results }: LeftOptions,
): LeftRows {
  const chosen = cells.filter((cell) =>
    Object.entries(settings).every(
      ([axis, value]) => cell.settings[axis as keyof CellSettings] === value,
    ),
  );
  const rows = results
    .filter((one) => one.model === model && chosen.some(({ abbr }) => abbr === one.dataset))
    .map((one) => one.rows);
  return mostLeft(
    rows.map(({ scored, unscored, failed }) => ({
      rows: isLess ? unscored : failed,
      of: scored + unscored + failed,
    })),
  );
}

function mostLeft(all: readonly LeftRows[]): LeftRows {
  return all.reduce((most, one) => (shareOf(one) > shareOf(most) ? one : most), {
    rows: 0,
    of: 0,
  });
}

function shareOf({ rows, of }: LeftRows): number {
  return of === 0 ? 0 : rows / of;
}

interface Chosen {
  readonly model: string;
  readonly datasets: readonly string[];
  readonly settings: CellSettings;
  readonly score: number | undefined;
}

function chosenOf({ best, budget }: SweepSummary): Chosen[] {
  const chosen = best.map(({ model, datasets, settings, honest }) => ({
    model,
    datasets,
    settings,
    score: honest?.value,
  }));
  const races = (budget?.races ?? []).map(({ model, dataset, winner, score }) => ({
    model,
    datasets: [dataset],
    settings: { template: winner },
    score: score?.value,
  }));
  return chosen.length > 0 ? chosen : races;
}

/** `Gate failed: small on sums: 71.4 to expect of the best configuration, needs at least 80.0`. */
export function describeSweepGate(gate: SweepGate): string {
  const { model, datasets, asked, got, passed } = gate;
  const figure =
    got === undefined
      ? 'too few rows to say what to expect of the best configuration'
      : `${percent(got)} to expect of the best configuration`;
  return `Gate ${passed ? 'passed' : 'failed'}: ${model} on ${datasets.join(', ')}: ${figure}${leftText(gate)}, needs at least ${percent(asked)}`;
}

function leftText({ left, problem }: SweepGate): string {
  if (!left) return '';
  const many = `${left.rows} of ${left.of} rows`;
  return problem
    ? `, ${many} not scored, and not allowed`
    : ` with ${many} that failed counted as wrong`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
