import stringWidth from 'fast-string-width';
import pc from 'picocolors';
import { countOf, oneLine } from '../../base/format.ts';
import { formatLevel, formatValue } from '../../study/compare/compare-format.ts';
import { scaleOf } from '../../study/sweep/headline.ts';
import type { SheetSummary, SweepSummary } from '../../study/sweep/sweep-summary.ts';
import { metricLabel } from '../format-scores.ts';
import type { TerminalOptions } from '../terminal-table.ts';
import { describeBudget } from './describe-budget.ts';
import {
  describeBest,
  describeFlips,
  describeRequests,
  describeSheet,
  type Finding,
  formatEstimate,
} from './describe-sweep.ts';
import { breakableParts } from './flow-text.ts';
import { type HeatMap, heatMapOf, shadeOf } from './heat-map.ts';

type Colors = ReturnType<typeof pc.createColors>;

interface Look extends TerminalOptions {
  readonly colors: Colors;
  readonly level: number;
}

/**
 * The result of a sweep for a terminal.
 *
 * @example
 * sweepTerminal(sweep, { width: 80, color: false });
 * // 'small on sums  accuracy, 120 rows\n\ntemplate   score…'
 */
export function sweepTerminal(summary: SweepSummary, options: TerminalOptions): string {
  const colors = pc.createColors(options.color);
  const look: Look = { ...options, colors, level: summary.level };
  const blocks = [
    ...summary.sheets.map((sheet) => sheetText(sheet, look)),
    ...budgetText(summary, look),
    ...bestText(summary, look),
    ...flipText(summary, look),
    colors.dim(describeRequests(summary)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function sheetText(sheet: SheetSummary, look: Look): string {
  const { colors } = look;
  const title = `${oneLine(sheet.model)} on ${oneLine(sheet.dataset)}`;
  const facts = `${metricLabel(sheet.metric, sheet)}, ${countOf(sheet.rows, 'row')}`;
  return [
    `${colors.bold(title)}  ${colors.dim(facts)}`,
    '',
    ...mapLines(sheet, look),
    '',
    ...findingLines(describeSheet(sheet), look),
  ].join('\n');
}

/** The darker, the better: also without colours. */
const shades = [' ', '░', '▒', '▓', '█'];

function mapLines(sheet: SheetSummary, look: Look): string[] {
  const { colors, level } = look;
  const map = heatMapOf(sheet);
  const scale = scaleOf(sheet);
  const nameWidth = Math.max(map.rowAxis.length, ...map.rows.map(({ name }) => stringWidth(name)));
  const cellWidth = Math.max(8, ...map.columns.map((column) => stringWidth(column) + 2));
  const hasTotals = map.rows.some(({ score }) => score);
  const head = [
    map.rowAxis.padEnd(nameWidth),
    ...map.columns.map((column) => ' '.repeat(cellWidth - stringWidth(column)) + column),
    ...(hasTotals ? [`   all, ${formatLevel(level)} interval`] : []),
  ].join('');
  const lines = map.rows.map(({ name, scores, score }) => {
    const cells = scores.map((value) =>
      value === undefined
        ? '–  '.padStart(cellWidth)
        : heatCell(value, { map, colors, width: cellWidth, text: formatValue(value, scale) }),
    );
    const total = score ? `   ${formatEstimate(score, scale)}` : '';
    const padding = ' '.repeat(nameWidth - stringWidth(name));
    return `${oneLine(name)}${padding}${cells.join('')}${total}`;
  });
  return [colors.dim(oneLine(head)), ...lines];
}

interface HeatCell {
  readonly map: HeatMap;
  readonly colors: Colors;
  readonly width: number;
  readonly text: string;
}

function heatCell(value: number, { map, colors, width, text }: HeatCell): string {
  const shade = shadeOf(value, map);
  const mark = shades[Math.round(shade * (shades.length - 1))] ?? ' ';
  const cell = `${text} ${mark}`.padStart(width);
  if (shade >= 2 / 3) return colors.green(cell);
  return shade >= 1 / 3 ? colors.yellow(cell) : colors.red(cell);
}

function findingLines(findings: readonly Finding[], { colors, width }: Look): string[] {
  const titleWidth = Math.max(0, ...findings.map(({ title }) => title.length)) + 2;
  return findings.flatMap(({ title, text }) => {
    const lines = wrap(oneLine(text), Math.max(20, width - titleWidth));
    return lines.map((line, index) =>
      index === 0
        ? `${colors.dim(title.padEnd(titleWidth))}${line}`
        : ' '.repeat(titleWidth) + line,
    );
  });
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of breakableParts(text)) {
    if (line !== '' && stringWidth(`${line} ${word}`) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function bestText(summary: SweepSummary, look: Look): string[] {
  const isMany = summary.sheets.length > 1;
  return summary.best.map((best) => {
    const [first = '', ...rest] = describeBest(best, summary);
    const where = `${best.model} on ${best.datasets.join(', ')}`;
    const title = isMany ? `${best.title}: ${where}` : best.title;
    const lines = [first, ...rest].flatMap((line) => wrap(oneLine(line), look.width - 2));
    return [look.colors.bold(oneLine(title)), ...lines.map((line) => `  ${line}`)].join('\n');
  });
}

function flipText(summary: SweepSummary, { colors, width }: Look): string[] {
  const lines = describeFlips(summary).flatMap((line) => wrap(oneLine(line), width - 2));
  if (lines.length === 0) return [];
  const title = colors.bold('Templates whose order depends on the model');
  return [[title, ...lines.map((line) => `  ${line}`)].join('\n')];
}

function budgetText({ budget }: SweepSummary, { colors, width }: Look): string[] {
  if (!budget) return [];
  const lines = describeBudget(budget).flatMap((line) => wrap(oneLine(line), width - 2));
  return [[colors.bold('Budget'), ...lines.map((line) => `  ${line}`)].join('\n')];
}
