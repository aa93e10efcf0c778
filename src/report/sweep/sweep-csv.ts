import {
  axisNames,
  type SheetSummary,
  type SweepSummary,
} from '../../study/sweep/sweep-summary.ts';
import { type CsvCell, csvLine } from '../csv-line.ts';

const columns = [
  ...['kind', 'model', 'dataset', ...axisNames, 'metric', 'rows'],
  ...['score', 'low', 'high', 'level', 'method', 'dropped', 'too_long'],
];

/**
 * The scores of all cells and templates of a sweep as CSV, with numbers in full.
 *
 * @example
 * sweepCsv(sweep).split('\r\n')[0]; // 'kind,model,dataset,template,shots,retriever,seed…'
 */
export function sweepCsv({ sheets }: SweepSummary): string {
  return [columns, ...sheets.flatMap(sheetLines)].map(csvLine).join('');
}

function sheetLines(sheet: SheetSummary): CsvCell[][] {
  const { model, dataset, metric, rows } = sheet;
  const line = (
    kind: string,
    settings: SheetSummary['cells'][number]['settings'],
    score: SheetSummary['cells'][number]['score'],
    fit?: SheetSummary['cells'][number]['fit'],
  ): CsvCell[] => [
    ...[kind, model, dataset, ...axisNames.map((axis) => settings[axis]), metric, rows],
    ...[score?.value, score?.low, score?.high, score?.level, score?.method],
    ...[fit?.dropped, fit?.tooLong],
  ];
  return [
    ...sheet.cells.map(({ settings, score, fit }) => line('cell', settings, score, fit)),
    ...sheet.templates.map(({ template, score }) => line('template', { template }, score)),
  ];
}
