import { formatCount } from '../../base/format.ts';
import {
  formatLevel,
  formatP,
  formatSigned,
  formatSignedInterval,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type {
  Comparison,
  Difference,
  Flip,
  Scale,
  TaskComparison,
  Why,
} from '../../study/compare/comparison.ts';
import { escapeMarkdown } from '../summary-markdown.ts';
import { describeFlip } from './describe-flip.ts';
import { describeTask } from './describe-task.ts';
import { describeWhy, whyLines } from './describe-why.ts';
import { flipTexts } from './flip-texts.ts';

/** The comparison as Markdown. */
export function compareMarkdown(comparison: Comparison): string {
  const { a, b, differences, tasks, warnings } = comparison;
  const blocks = [
    `## ${escapeMarkdown(`${a.folder} vs ${b.folder}`)}`,
    [
      `- A: ${escapeMarkdown(`${a.folder} (${a.models.join(', ')})`)}`,
      `- B: ${escapeMarkdown(`${b.folder} (${b.models.join(', ')})`)}`,
      ...differences.map(differenceLine),
      ...warnings.map((warning) => `- ⚠️ ${escapeMarkdown(warning)}`),
    ].join('\n'),
    scoreTable(comparison),
    ...tasks.map((task) => taskBlock(task, tasks.length === 1)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function differenceLine({ kind, isSame, note, changes }: Difference): string {
  const where = note === undefined ? '' : ` ${note}`;
  const changed = changes.map(({ path, a, b }) => `${path}: ${a ?? '–'} → ${b ?? '–'}`);
  const told = changed.length === 0 ? '' : `: ${changed.join('; ')}`;
  return `- ${kind}: ${isSame ? 'same' : '**different**'}${escapeMarkdown(`${where}${told}`)}`;
}

function scoreTable({ tasks, level }: Comparison): string {
  const isMany = tasks.length > 1;
  const titles = ['task', 'A', 'B', 'B − A', `${formatLevel(level)} interval`, 'p'];
  const head = [...titles, ...(isMany ? ['adjusted p'] : []), 'rows'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, column) => (column === 0 ? '---' : '---:'))),
    ...tasks.map((task) => line(cellsOf(task, isMany).map(escapeMarkdown))),
  ].join('\n');
}

function cellsOf({ name, result, scale, adjustedP }: TaskComparison, isMany: boolean): string[] {
  if (!result) return [name, ...Array<string>(isMany ? 6 : 5).fill('–'), '0'];
  return [
    name,
    formatValue(result.a, scale),
    formatValue(result.b, scale),
    formatSigned(result.difference, scale),
    formatSignedInterval(result, scale),
    formatP(result.p),
    ...(isMany ? [formatP(adjustedP ?? 1)] : []),
    formatCount(result.pairs),
  ];
}

function taskBlock(task: TaskComparison, isOnly: boolean): string {
  const { name, verdict, scale, flips, why } = task;
  return [
    `**${escapeMarkdown(isOnly ? verdict.text : `${name}: ${verdict.text}`)}**`,
    describeTask(task)
      .map((text) => `- ${escapeMarkdown(text)}`)
      .join('\n'),
    ...(why ? whyBlocks(why, scale) : []),
    ...flips.shown.map((flip) => flipBlock(flip, describeFlip(flip, scale))),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function whyBlocks(why: Why, scale: Scale): string[] {
  const rows = whyLines(why, scale).map(
    (line) => `| ${[line.cause, line.points, line.rows].map(escapeMarkdown).join(' | ')} |`,
  );
  return [
    `**Why the scores differ, ${formatSigned(why.difference, scale)} in all**`,
    ['| | points | rows |', '| --- | ---: | --- |', ...rows].join('\n'),
    describeWhy(why)
      .map((text) => `- ${escapeMarkdown(text)}`)
      .join('\n'),
  ];
}

function flipBlock(flip: Flip, heading: string): string {
  const { a, b } = flip;
  const title = `#### ${escapeMarkdown(heading)}`;
  if (!a.turns && !b.turns) {
    return [title, 'A:', fenced(a.answer), 'B:', fenced(b.answer)].join('\n\n');
  }
  const texts = flipTexts(flip).flatMap((text) => [
    `${text.title}, A:`,
    fenced(text.a),
    `${text.title}, B:`,
    fenced(text.b),
  ]);
  return [title, ...texts].join('\n\n');
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
