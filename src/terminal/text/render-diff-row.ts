import stringWidth from 'fast-string-width';
import type { Terminal } from '../terminal.ts';
import type { DiffPart, DiffRow } from './diff-lines.ts';
import { type Line, type Piece, renderLine, visibleLines } from './pieces.ts';
import { wrapLine } from './wrap-line.ts';

/** Two texts side by side, with a rule between them. */
export function renderDiffRow(
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
