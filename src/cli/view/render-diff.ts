import stringWidth from 'string-width';
import { contentText, formatValue, type Prompt } from '../../prompt/index.ts';
import type { Terminal } from '../terminal.ts';
import { type Line, type Piece, renderLine, visibleLines } from '../text/pieces.ts';
import { showControls } from '../text/show-controls.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { type DiffPart, type DiffRow, diffLines, diffWords } from './diff-lines.ts';
import type { LabelView, PromptView } from './prompt-view.ts';

/** Two views of the same row, and what each is called. */
export interface Comparison {
  readonly left: PromptView;
  readonly right: PromptView;
  readonly names: readonly [left: string, right: string];
}

interface PromptPair {
  readonly title: string | undefined;
  readonly left: string;
  readonly right: string;
}

/** Two prompts side by side, with the words that differ marked. */
export function renderDiff({ left, right, names }: Comparison, terminal: Terminal): string[] {
  const { colors } = terminal;
  const parts = [
    left.model ?? 'no model',
    ...(left.dataset === right.dataset ? [left.dataset] : []),
    `row ${left.row.index}`,
  ];
  const [first = '', ...rest] = parts.map(showControls);
  const [leftName, rightName] = names.map((text): DiffPart[] => [{ type: 'same', text }]);
  return [
    `${colors.bold(first)} · ${rest.join(' · ')}`,
    '',
    ...renderRow({ left: leftName, right: rightName, rule: ' ' }, terminal).map(colors.bold),
    ...pairPrompts(left, right).flatMap((pair) => renderPair(pair, terminal)),
  ];
}

/** The differences as data. */
export function jsonDiff({ left, right }: Comparison) {
  return pairPrompts(left, right).map(({ title, left: before, right: after }) => ({
    ...(title !== undefined && { label: title }),
    changes: diffWords(before, after),
  }));
}

function renderPair({ title, left, right }: PromptPair, terminal: Terminal): string[] {
  const { colors } = terminal;
  const heading = title === undefined ? [''] : ['', colors.bold(`Label ${showControls(title)}`)];
  const rows = diffLines(left, right).flatMap((row) =>
    renderRow({ ...row, rule: row.left === row.right ? '│' : '≠' }, terminal),
  );
  return [...heading, ...rows, ...(left === right ? ['', 'No difference.'] : [])];
}

/** Prompts for the same label; a prompt that only one side has stands against nothing. */
function pairPrompts(left: PromptView, right: PromptView): PromptPair[] {
  const keyOf = (prompt: LabelView) => ('label' in prompt ? formatValue(prompt.label) : undefined);
  const keys = new Set([...left.prompts, ...right.prompts].map(keyOf));
  return [...keys].map((key) => {
    const textOf = ({ prompts }: PromptView) => {
      const found = prompts.find((prompt) => keyOf(prompt) === key);
      return found ? promptText(found.sent) : '';
    };
    return { title: key, left: textOf(left), right: textOf(right) };
  });
}

function promptText(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages
    .map(({ role, content }) => `[${role}]\n${contentText(content)}`)
    .join('\n');
}

export function renderRow(
  { left, right, rule }: DiffRow & { rule: string },
  terminal: Terminal,
): string[] {
  const { colors } = terminal;
  const width = Math.floor((terminal.width - 3) / 2);
  const before = cellLines(left, { ...terminal, width });
  const after = cellLines(right, { ...terminal, width });
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const line = before[index] ?? [];
    const used = stringWidth(line.map(({ text }) => text).join(''));
    const paintRule = rule === '≠' ? colors.yellow : colors.dim;
    const middle = `${' '.repeat(width - used)} ${paintRule(rule)} `;
    return `${renderLine(line)}${middle}${renderLine(after[index] ?? [])}`.trimEnd();
  });
}

function cellLines(parts: readonly DiffPart[] | undefined, cell: Terminal): Line[] {
  if (!parts) return [];
  const pieces = parts.flatMap((part) => partPieces(part, cell));
  return visibleLines(pieces, cell.colors.dim).flatMap((line) => wrapLine(line, cell.width));
}

function partPieces({ type, text }: DiffPart, { colors, hasColors }: Terminal): Piece[] {
  if (type === 'same') return [{ text }];
  const paint = type === 'removed' ? colors.red : colors.green;
  if (hasColors) return [{ text, paint: (shown) => paint(colors.underline(shown)) }];
  const [open, close] = type === 'removed' ? ['[-', '-]'] : ['{+', '+}'];
  return [{ text: open, mark: true }, { text }, { text: close, mark: true }];
}
