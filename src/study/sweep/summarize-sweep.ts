import { version } from '../../base/version.ts';
import type { RunSummary } from '../../run/summary.ts';
import { analyzeSweep } from './analyze-sweep.ts';
import type { CellEvaluation } from './cell-evaluation.ts';
import { withFit } from './cell-fit.ts';
import { describeRows } from './describe-rows.ts';
import { readSheet } from './read-sheets.ts';
import type { SpentBudget } from './run-budget.ts';
import type { Sheet } from './sheet.ts';
import type { SheetSummary, SweepSummary } from './sweep-summary.ts';

/** The most changing rows that are shown of a sheet. */
const maxRows = 20;

export interface SweepOutcome {
  readonly run: RunSummary;
  /** How many requests were sent. */
  readonly sent: number;
  readonly spent?: SpentBudget | undefined;
  readonly seed: number;
  /** One template has to serve all datasets. */
  readonly sameTemplate: boolean;
}

/** What a sweep found out; `groups` are the cells of each model on each dataset. */
export async function summarizeSweep(
  groups: readonly (readonly CellEvaluation[])[],
  { run, sent, spent, seed, sameTemplate }: SweepOutcome,
): Promise<SweepSummary> {
  const sheets: Sheet[] = [];
  for (const cells of groups) sheets.push(await readSheet(cells));
  const findings = analyzeSweep(sheets, { seed, sameTemplate, maxRows });
  const described: SheetSummary[] = [];
  for (const [index, sheet] of findings.sheets.entries()) {
    described.push(await withDetails(sheet, groups[index] ?? []));
  }
  const answers = run.results.reduce((sum, { rows }) => sum + rows.scored + rows.unscored, 0);
  const summary = {
    name: run.name,
    version,
    complete: run.complete,
    ...findings,
    sheets: described,
    ...(spent && budgetFindings(described, spent)),
    requests: { sent, reused: Math.max(0, answers - sent) },
  };
  return withFit(summary, run.results);
}

async function withDetails(
  sheet: SheetSummary,
  cells: readonly CellEvaluation[],
): Promise<SheetSummary> {
  const { changing } = sheet;
  if (!changing) return sheet;
  return { ...sheet, changing: { ...changing, most: await describeRows(changing.most, cells) } };
}

/**
 * The findings of a budget. Sheets have the rows that all templates were asked. How many that are
 * depends on the scores, so that tests on them would claim too much: the races say what is known.
 */
function budgetFindings(
  sheets: readonly SheetSummary[],
  { best, summary: budget }: SpentBudget,
): Pick<SweepSummary, 'sheets' | 'best' | 'flips' | 'budget'> {
  const remarks = ['These are the rows that every template was asked about.'];
  return {
    best,
    budget,
    flips: [],
    sheets: sheets.map((sheet) => ({ ...sheet, comparisons: [], remarks })),
  };
}
