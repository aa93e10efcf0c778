import stringWidth from 'fast-string-width';
import { formatCount, oneLine } from '../../base/format.ts';
import { describeTask } from '../../report/compare/describe-task.ts';
import { describeWhy, whyLines } from '../../report/compare/describe-why.ts';
import {
  formatLevel,
  formatP,
  formatSigned,
  formatSignedInterval,
  formatValue,
} from '../../study/compare/compare-format.ts';
import type {
  Change,
  Comparison,
  Difference,
  Scale,
  TaskComparison,
  Why,
} from '../../study/compare/comparison.ts';
import type { Colors, Terminal } from '../terminal.ts';
import { type Paint, renderLine } from '../text/pieces.ts';
import { showControls } from '../text/show-controls.ts';
import { wrapLine } from '../text/wrap-line.ts';

/** The comparison for people, without the rows. */
export function renderComparison(comparison: Comparison, terminal: Terminal): string[] {
  const { tasks, warnings } = comparison;
  const { colors } = terminal;
  return [
    ...renderSides(comparison, terminal),
    '',
    ...comparison.differences.flatMap((difference) => renderDifference(difference, terminal)),
    ...warnings.flatMap((text) => wrapText(text, { terminal, paint: colors.yellow })),
    '',
    ...renderTable(comparison, terminal),
    '',
    ...tasks.flatMap((task) => renderTask(task, { terminal, isOnly: tasks.length === 1 })),
  ];
}

function renderSides({ a, b }: Comparison, { colors }: Terminal): string[] {
  return [['A', a] as const, ['B', b] as const].map(([name, { folder, models }]) => {
    const text = showControls(`${folder} · ${models.join(', ')}`);
    return `${colors.bold(name)}  ${text}`;
  });
}

const kindWidth = 10;
const listedChanges = 8;

/** One line for each kind: whether it is the same, and what changed. */
function renderDifference(
  { kind, isSame, note, changes }: Difference,
  terminal: Terminal,
): string[] {
  const { colors } = terminal;
  const state = isSame
    ? { text: 'same', paint: colors.dim }
    : { text: 'different', paint: (text: string) => colors.yellow(colors.bold(text)) };
  const told = note === undefined ? [] : [{ text: ` ${note}`, paint: colors.dim }];
  const head = wrapLine([state, ...told], terminal.width - kindWidth).map(
    (line, index) => `${(index === 0 ? kind : '').padEnd(kindWidth)}${renderLine(line).trimEnd()}`,
  );
  const shown = changes.slice(0, listedChanges);
  const rest = changes.length - shown.length;
  return [
    ...head,
    ...shown.flatMap((change) => renderChange(change, terminal)),
    ...(rest > 0 ? [`${' '.repeat(kindWidth)}${colors.dim(`and ${rest} more`)}`] : []),
  ];
}

function renderChange({ path, a, b }: Change, terminal: Terminal): string[] {
  const { colors } = terminal;
  const show = (value: string | undefined) => (value === undefined ? '–' : showControls(value));
  const line = [
    { text: `${path}  `, paint: colors.dim },
    { text: show(a), paint: colors.red },
    { text: ' → ', paint: colors.dim },
    { text: show(b), paint: colors.green },
  ];
  return wrapLine(line, terminal.width - kindWidth).map(
    (part) => `${' '.repeat(kindWidth)}${renderLine(part).trimEnd()}`,
  );
}

interface Cell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}

const smallestName = 12;
const gap = '  ';

function renderTable(comparison: Comparison, { colors, width }: Terminal): string[] {
  const { tasks, level } = comparison;
  const isMany = tasks.length > 1;
  const titles = ['', 'A', 'B', 'B − A', `${formatLevel(level)} interval`, 'p'];
  const head = [...titles, ...(isMany ? ['adjusted p'] : []), 'rows'].map((text) => ({ text }));
  const lines = tasks.map((task) => taskCells(task, { colors, isMany }));
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((cells) => stringWidth(cells[column]?.text ?? ''))),
  );
  const excess = widths.reduce((sum, size) => sum + size + gap.length, 0) - width;
  const nameWidth = widths[0] ?? 0;
  widths[0] = Math.max(Math.min(nameWidth, smallestName), nameWidth - Math.max(0, excess));
  const lineOf = (cells: readonly Cell[]) =>
    cells.map((cell, column) => placeCell(cell, { column, width: widths[column] ?? 0 })).join(gap);
  const rule = colors.dim('─'.repeat(stringWidth(lineOf(head))));
  return [colors.dim(lineOf(head)), rule, ...lines.map(lineOf), rule];
}

function placeCell(
  { text, paint = (shown) => shown }: Cell,
  { column, width }: { readonly column: number; readonly width: number },
): string {
  if (column > 0) return ' '.repeat(width - stringWidth(text)) + paint(text);
  if (stringWidth(text) <= width) return paint(text) + ' '.repeat(width - stringWidth(text));
  const [first = []] = wrapLine([{ text }], width - 1);
  const cut = renderLine(first);
  return `${paint(cut)}…${' '.repeat(Math.max(0, width - 1 - stringWidth(cut)))}`;
}

function taskCells(
  { name, result, scale, adjustedP, verdict }: TaskComparison,
  { colors, isMany }: { readonly colors: Colors; readonly isMany: boolean },
): Cell[] {
  const first = { text: oneLine(name) };
  if (!result) return [first, ...Array<Cell>(isMany ? 6 : 5).fill({ text: '–' }), { text: '0' }];
  const looks = { 'b-better': colors.green, 'a-better': colors.red };
  const paint = verdict.type in looks ? looks[verdict.type as keyof typeof looks] : colors.dim;
  return [
    first,
    { text: formatValue(result.a, scale) },
    { text: formatValue(result.b, scale) },
    { text: formatSigned(result.difference, scale), paint: (text) => colors.bold(paint(text)) },
    { text: formatSignedInterval(result, scale), paint },
    { text: formatP(result.p), ...(isMany && { paint: colors.dim }) },
    ...(isMany ? [{ text: formatP(adjustedP ?? 1) }] : []),
    { text: formatCount(result.pairs) },
  ];
}

interface TaskScene {
  readonly terminal: Terminal;
  readonly isOnly: boolean;
}

/** The verdict of a task, and what it rests on. */
function renderTask(task: TaskComparison, { terminal, isOnly }: TaskScene): string[] {
  const { colors } = terminal;
  const { verdict } = task;
  const name = isOnly ? '' : `${oneLine(task.name)}: `;
  const isDecided = verdict.type === 'a-better' || verdict.type === 'b-better';
  const title = wrapText(`${name}${verdict.text}`, {
    terminal,
    paint: isDecided ? colors.bold : (text) => text,
  });
  return [
    ...title,
    ...describeTask(task).flatMap((text) =>
      wrapText(text, { terminal, paint: colors.dim, indent: '  ' }),
    ),
    '',
    ...(task.why ? renderWhy(task.why, { scale: task.scale, terminal }) : []),
  ];
}

/** The way from the score of A to that of B. */
function renderWhy(
  why: Why,
  { scale, terminal }: { readonly scale: Scale; readonly terminal: Terminal },
): string[] {
  const { colors } = terminal;
  const lines = whyLines(why, scale);
  const causeWidth = Math.max(...lines.map(({ cause }) => stringWidth(cause)));
  const pointsWidth = Math.max(...lines.map(({ points }) => stringWidth(points)));
  const indent = ' '.repeat(causeWidth + pointsWidth + 2 * gap.length + 2);
  return [
    colors.bold(`Why the scores differ, ${formatSigned(why.difference, scale)} in all`),
    ...lines.flatMap(({ cause, points, rows }) => {
      const start = `  ${cause.padEnd(causeWidth)}${gap}${points.padStart(pointsWidth)}`;
      const [first = '', ...rest] = wrapText(rows, {
        terminal: { ...terminal, width: Math.max(40, terminal.width - indent.length) },
        paint: colors.dim,
      });
      return [`${start}${gap}${first}`.trimEnd(), ...rest.map((line) => `${indent}${line}`)];
    }),
    ...describeWhy(why).flatMap((text) =>
      wrapText(text, { terminal, paint: colors.dim, indent: '  ' }),
    ),
    '',
  ];
}

interface TextScene {
  readonly terminal: Terminal;
  readonly paint: Paint;
  readonly indent?: string;
}

function wrapText(text: string, { terminal, paint, indent = '' }: TextScene): string[] {
  const pieces = [{ text: showControls(text), paint }];
  return wrapLine(pieces, terminal.width - indent.length).map(
    (line) => `${indent}${renderLine(line).trimEnd()}`,
  );
}
