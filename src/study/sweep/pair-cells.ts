import { countOf, formatCount } from '../../base/format.ts';
import { describeProblems } from '../../run/store/record-problem.ts';
import type { LoggedRows } from '../compare/logged-rows.ts';
import { crossedCells } from './crossed-cells.ts';
import type { SweepCell } from './expand-cells.ts';
import type { Sheet } from './sheet.ts';
import type { ScoreKind } from './sweep-summary.ts';

/** A cell and what the log says of its rows. */
export interface LoggedCell {
  readonly cell: SweepCell;
  readonly rows: LoggedRows;
}

/**
 * The scores of all cells on the rows that were answered in every one of them. An answer that
 * nothing could be found in counts as wrong: a template that the model cannot follow must not gain by
 * it. Where scores have no worst value such rows are left out.
 */
export function pairCells(
  logged: readonly LoggedCell[],
  { direction, plain }: ScoreKind,
): Pick<Sheet, 'ids' | 'cells' | 'remarks'> {
  const answered = logged.filter(({ rows }) => ids(rows).some((id) => isAnswered(rows, id)));
  const compared = crossed(answered);
  const countsAsWrong = !plain && direction === undefined;
  const known = [...new Set(logged.flatMap(({ rows }) => ids(rows)))].sort((a, b) => a - b);
  const isUsable = (id: number) =>
    compared.every(({ rows }) => (countsAsWrong ? isAnswered(rows, id) : rows.isScored(id))) &&
    holdsTheSame(compared, id);
  const paired = compared.length === 0 ? [] : known.filter(isUsable);
  return {
    ids: paired,
    cells: compared.map(({ cell, rows }) => ({
      abbr: cell.abbr,
      settings: cell.settings,
      scores: Float64Array.from(paired, (id) =>
        countsAsWrong ? rows.scoreOfAll(id) : rows.scoreOf(id),
      ),
    })),
    remarks: [
      ...cellRemark('Without answers and left out', without(logged, answered)),
      ...cellRemark(
        'Also left out, so that the others form all combinations',
        without(answered, compared),
      ),
      ...leftOutRemark(known.length - paired.length),
      ...unscoredRemark(compared, paired),
      ...samplesRemark(compared, { ids: paired, countsAsWrong }),
      ...wholeRemark(compared),
      ...logged.flatMap(({ rows }) => describeProblems(rows.problems).map((text) => `${text}.`)),
    ],
  };
}

function crossed(logged: readonly LoggedCell[]): readonly LoggedCell[] {
  const cells = new Set(crossedCells(logged.map(({ cell }) => cell)));
  return logged.filter(({ cell }) => cells.has(cell));
}

function without(all: readonly LoggedCell[], some: readonly LoggedCell[]): string[] {
  return all.filter((one) => !some.includes(one)).map(({ cell }) => cell.abbr);
}

const maxNamed = 5;

function cellRemark(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - maxNamed;
  const end = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  return [`${what}: ${names.slice(0, maxNamed).join(', ')}${end}.`];
}

function ids(rows: LoggedRows): number[] {
  return [...rows.ids()];
}

function isAnswered(rows: LoggedRows, id: number): boolean {
  return rows.isScored(id) || rows.troubleOf(id)?.outcome === 'unscored';
}

/** Rows of one order of options must be the same ones in all cells. */
function holdsTheSame(logged: readonly LoggedCell[], id: number): boolean {
  const contents = new Map<string, number | undefined>();
  return logged.every(({ cell, rows }) => {
    const order = cell.settings.option_order ?? '';
    if (!contents.has(order)) contents.set(order, rows.contentOf(id));
    return contents.get(order) === rows.contentOf(id);
  });
}

function leftOutRemark(count: number): string[] {
  return count > 0 ? [`${countOf(count, 'row')} left out: not answered in every cell.`] : [];
}

function unscoredRemark(logged: readonly LoggedCell[], paired: readonly number[]): string[] {
  const count = logged.reduce(
    (sum, { rows }) => sum + paired.filter((id) => !rows.isScored(id)).length,
    0,
  );
  return count > 0 ? [`${countOf(count, 'answer')} without a score counted as wrong.`] : [];
}

function samplesRemark(
  logged: readonly LoggedCell[],
  { ids, countsAsWrong }: { readonly ids: readonly number[]; readonly countsAsWrong: boolean },
): string[] {
  const count = logged.reduce(
    (sum, { rows }) => sum + ids.filter((id) => rows.lacksSamples(id)).length,
    0,
  );
  const what = countsAsWrong ? 'counted as wrong' : 'left out';
  return count > 0 ? [`Samples without a score, of ${countOf(count, 'row')}, ${what}.`] : [];
}

function wholeRemark(logged: readonly LoggedCell[]): string[] {
  const isWhole = logged.some(({ rows }) => rows.countLength > 0 || rows.cellNames.length > 0);
  return isWhole
    ? ['Rows are compared by their own scores; summary.json has the pooled metric.']
    : [];
}
