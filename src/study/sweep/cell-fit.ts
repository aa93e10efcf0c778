import { countOf, formatCount } from '../../base/format.ts';
import type { TaskResult } from '../../run/summary.ts';
import { nameSettings } from './headline.ts';
import type {
  AxisName,
  BestConfiguration,
  CellFit,
  CellSettings,
  CellSummary,
  SheetSummary,
  SweepSummary,
} from './sweep-summary.ts';

/**
 * A sweep with what did not fit into the context: by cell, among the remarks of each sheet, and where
 * a configuration is named that shows fewer examples than it says.
 */
export function withFit(summary: SweepSummary, results: readonly TaskResult[]): SweepSummary {
  const resultOf = (model: string, { abbr }: CellSummary) =>
    results.find((result) => result.model === model && result.dataset === abbr);
  const sheets = summary.sheets.map((sheet): SheetSummary => {
    const cells = sheet.cells.map((cell) => {
      const fit = fitOf(resultOf(sheet.model, cell));
      return fit ? { ...cell, fit } : cell;
    });
    if (!cells.some(({ fit }) => fit)) return sheet;
    const hashOf = (cell: CellSummary) => resultOf(sheet.model, cell)?.promptHash ?? cell.abbr;
    return { ...sheet, cells, remarks: [...fitRemarks(cells, hashOf), ...sheet.remarks] };
  });
  return { ...summary, sheets, best: summary.best.map((best) => bestWithFit(best, sheets)) };
}

function fitOf(result: TaskResult | undefined): CellFit | undefined {
  const { dropped = 0, tooLong = 0, estimatedLengths, rows } = result ?? {};
  if (!rows || dropped + tooLong === 0) return undefined;
  const asked = rows.total - rows.missing;
  return { rows: asked, dropped, tooLong, ...(estimatedLengths && { estimatedLengths }) };
}

function fitRemarks(
  cells: readonly CellSummary[],
  hashOf: (cell: CellSummary) => string,
): string[] {
  const dropped = listed(cells, (fit) => fit.dropped);
  const tooLong = listed(cells, (fit) => fit.tooLong);
  const isEstimated = cells.some(({ fit }) => fit?.estimatedLengths);
  const how = isEstimated ? ' Lengths are estimated: the model has no `tokenizer`.' : '';
  return [
    ...(dropped === ''
      ? []
      : [
          `Examples were dropped to fit max_seq_len, so prompts show fewer than their number of shots: ${dropped}.${how}`,
        ]),
    ...(tooLong === ''
      ? []
      : [
          `Prompts that do not fit max_seq_len even without examples: ${tooLong}.${dropped === '' ? how : ''}`,
        ]),
    ...samePrompts(cells, hashOf),
  ];
}

const maxNamed = 5;

/** `2 shots (4 of 4 rows), 5 shots (4 of 4 rows)`. */
function listed(cells: readonly CellSummary[], countOfFit: (fit: CellFit) => number): string {
  const named = cells.flatMap(({ settings, abbr, fit }) =>
    fit && countOfFit(fit) > 0
      ? [
          `${nameSettings(settings) || abbr} (${formatCount(countOfFit(fit))} of ${countOf(fit.rows, 'row')})`,
        ]
      : [],
  );
  return shortened(named, ', ');
}

function shortened(names: readonly string[], separator: string): string {
  const rest = names.length - maxNamed;
  const end = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  return names.slice(0, maxNamed).join(separator) + end;
}

/** Cells that differ in name only, once examples are left out. */
function samePrompts(
  cells: readonly CellSummary[],
  hashOf: (cell: CellSummary) => string,
): string[] {
  const hashes = [...new Set(cells.map(hashOf))];
  const groups = hashes
    .map((hash) => cells.filter((cell) => hashOf(cell) === hash))
    .filter((group) => group.length > 1 && group.some(({ fit }) => fit && fit.dropped > 0))
    .map((group) => group.map(({ settings }) => nameSettings(settings)).join(', '));
  return groups.length === 0 ? [] : [`Identical prompts were sent for ${shortened(groups, '; ')}.`];
}

function bestWithFit(best: BestConfiguration, sheets: readonly SheetSummary[]): BestConfiguration {
  const own = sheets.filter(
    ({ model, dataset }) => model === best.model && best.datasets.includes(dataset),
  );
  const cells = own.flatMap((sheet) => sheet.cells.filter(({ fit }) => fit && fit.dropped > 0));
  if (cells.length === 0) return best;
  const isLeading = cells.some(({ settings }) =>
    [best.settings, ...best.leaders].some((leader) => has(settings, leader)),
  );
  const text = `${best.text} Examples were dropped in ${listed(cells, (fit) => fit.dropped)}: these show fewer than their names say.`;
  return { ...best, title: isLeading ? `${best.title} (examples dropped)` : best.title, text };
}

function has(settings: CellSettings, chosen: CellSettings): boolean {
  return Object.entries(chosen).every(([axis, value]) => settings[axis as AxisName] === value);
}

/** Of the cells with a value of an axis: rows that lost examples, and all. */
export function lostRows(
  { cells, rows: paired }: Pick<SheetSummary, 'cells' | 'rows'>,
  axis: AxisName,
): { readonly value: string; readonly dropped: number; readonly rows: number }[] {
  const values = [...new Set(cells.flatMap(({ settings }) => settings[axis] ?? []))];
  return values.flatMap((value) => {
    const own = cells.filter(({ settings }) => settings[axis] === value);
    const dropped = own.reduce((sum, { fit }) => sum + (fit?.dropped ?? 0), 0);
    const rows = own.reduce((sum, { fit }) => sum + (fit?.rows ?? paired), 0);
    return dropped > 0 ? [{ value, dropped, rows }] : [];
  });
}
