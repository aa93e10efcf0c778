import { formatCount, oneLine } from '../../base/format.ts';
import { describeFlip } from '../../report/compare/describe-flip.ts';
import { flipTexts } from '../../report/compare/flip-texts.ts';
import type { Comparison, Flip, TaskComparison } from '../../study/compare/comparison.ts';
import type { Terminal } from '../terminal.ts';
import { type DiffRow, diffLines } from '../text/diff-lines.ts';
import { renderDiffRow } from '../text/render-diff-row.ts';
import { showControls } from '../text/show-controls.ts';

/** The rows whose score changed, side by side. */
export function renderFlips({ tasks }: Comparison, terminal: Terminal): string[] {
  return tasks.flatMap((task) => renderTaskFlips(task, terminal));
}

function renderTaskFlips({ name, flips, scale }: TaskComparison, terminal: Terminal): string[] {
  const { colors, width } = terminal;
  const { total, shown } = flips;
  if (shown.length === 0) return [];
  const title = `Changed rows of ${oneLine(name)}: ${formatCount(shown.length)} of ${formatCount(total)}`;
  return [
    colors.bold(title),
    ...shown.flatMap((flip) => [
      colors.dim('─'.repeat(width)),
      ...renderFlip(flip, { terminal, heading: describeFlip(flip, scale) }),
    ]),
    colors.dim('─'.repeat(width)),
  ];
}

interface FlipScene {
  readonly terminal: Terminal;
  readonly heading: string;
}

function renderFlip(flip: Flip, { terminal, heading }: FlipScene): string[] {
  const { noPrompt } = flip;
  const { colors } = terminal;
  return [
    colors.bold(showControls(heading)),
    ...(noPrompt === undefined
      ? []
      : [colors.dim(`Prompt not available: ${showControls(noPrompt)}.`)]),
    ...flipTexts(flip).flatMap(({ title, a: left, b: right }) =>
      renderPair(title, { left, right, terminal }),
    ),
  ];
}

interface TextPair {
  readonly left: string;
  readonly right: string;
  readonly terminal: Terminal;
}

/** Two texts side by side, or one if they are the same. */
function renderPair(title: string, { left, right, terminal }: TextPair): string[] {
  const { colors } = terminal;
  if (left === right) {
    const lines = fold(left.split('\n').map((text): DiffRow => sameLine(text)));
    return [
      colors.cyan(`${title}, same in A and B`),
      ...lines.flatMap((row) =>
        renderDiffRow({ left: row.left, right: undefined, rule: ' ' }, wide(terminal)),
      ),
    ];
  }
  const head: DiffRow = {
    left: [{ type: 'same', text: `${title} of A` }],
    right: [{ type: 'same', text: `${title} of B` }],
  };
  return [
    ...renderDiffRow({ ...head, rule: ' ' }, terminal).map(colors.cyan),
    ...fold(diffLines(left, right)).flatMap((row) =>
      renderDiffRow({ ...row, rule: isSame(row) ? '│' : '≠' }, terminal),
    ),
  ];
}

/** One text has the room of two. */
function wide(terminal: Terminal): Terminal {
  return { ...terminal, width: terminal.width * 2 };
}

function sameLine(text: string): DiffRow {
  const parts = [{ type: 'same', text } as const];
  return { left: parts, right: parts };
}

function isSame(row: DiffRow): boolean {
  return row.left === row.right;
}

const context = 2;
const maxLines = 16;

/** Leaves out lines that are the same, but for some around those that differ, and the beginning of long texts. */
function fold(rows: readonly DiffRow[]): DiffRow[] {
  const isNear = (index: number) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some((row) => !isSame(row)) ||
    index >= rows.length - context - 1;
  const kept: DiffRow[] = [];
  let skipped = 0;
  for (const [index, row] of rows.entries()) {
    if (!isNear(index)) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) kept.push(sameLine(`⋯ ${skipped} line${skipped === 1 ? '' : 's'}`));
    skipped = 0;
    kept.push(row);
  }
  if (kept.length <= maxLines) return kept;
  return [sameLine(`⋯ ${kept.length - maxLines} lines`), ...kept.slice(-maxLines)];
}
