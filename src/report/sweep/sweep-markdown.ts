import { countOf } from '../../base/format.ts';
import { formatLevel, formatValue } from '../../study/compare/compare-format.ts';
import { scaleOf } from '../../study/sweep/headline.ts';
import type { SheetSummary, SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { metricLabel } from '../format-scores.ts';
import { escapeMarkdown } from '../summary-markdown.ts';
import { describeBudget } from './describe-budget.ts';
import { describeBest, describeFlips, describeSheet, formatEstimate } from './describe-sweep.ts';
import { heatMapOf } from './heat-map.ts';

/**
 * The result of a sweep as Markdown.
 *
 * @example
 * sweepMarkdown(sweep); // '## wording\n\n### No clear winner: small on sums…'
 */
export function sweepMarkdown(summary: SweepSummary): string {
  const { name, sheets, best, budget, level } = summary;
  const flips = describeFlips(summary);
  const blocks = [
    `## ${escapeMarkdown(name)}`,
    summary.complete ? '' : '**The run is not complete.**',
    ...best.flatMap((one) => [
      `### ${escapeMarkdown(`${one.title}: ${one.model} on ${one.datasets.join(', ')}`)}`,
      bullets(describeBest(one, summary)),
    ]),
    ...(budget ? ['### Budget', bullets(describeBudget(budget))] : []),
    ...(flips.length > 0 ? ['### Templates whose order depends on the model', bullets(flips)] : []),
    ...sheets.flatMap((sheet) => sheetBlocks(sheet, level)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${escapeMarkdown(line)}`).join('\n');
}

function sheetBlocks(sheet: SheetSummary, level: number): string[] {
  const { model, dataset, metric, rows } = sheet;
  const label = metricLabel(metric, sheet);
  const map = heatMapOf(sheet);
  const scale = scaleOf(sheet);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [
    map.rowAxis,
    ...map.columns.map(escapeMarkdown),
    `all, ${formatLevel(level)} interval`,
  ];
  const table = [
    line(head),
    line(head.map((_, column) => (column === 0 ? '---' : '---:'))),
    ...map.rows.map(({ name, scores, score }) =>
      line([
        escapeMarkdown(name),
        ...scores.map((value) => (value === undefined ? '–' : formatValue(value, scale))),
        score ? escapeMarkdown(formatEstimate(score, scale)) : '',
      ]),
    ),
  ].join('\n');
  const findings = describeSheet(sheet).map(
    ({ title, text }) => `- **${title}:** ${escapeMarkdown(text)}`,
  );
  return [
    `### ${escapeMarkdown(`${model} on ${dataset}`)}`,
    `${escapeMarkdown(label)}, ${countOf(rows, 'row')}`,
    table,
    findings.join('\n'),
  ];
}
