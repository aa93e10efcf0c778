import stringWidth from 'fast-string-width';
import type { Terminal } from '../terminal.ts';
import { type Piece, renderLine, visibleLines } from './pieces.ts';
import { showControls } from './show-controls.ts';
import { wrapLine } from './wrap-line.ts';

/** Exact text, with the name of who says it. */
export interface Block {
  readonly name?: string;
  readonly pieces: readonly Piece[];
}

const widestName = 16;

/**
 * Lines of exact text behind a rule, names to the left of it. A dotted rule continues a line that
 * was too long for the screen.
 */
export function renderBlocks(blocks: readonly Block[], { colors, width }: Terminal): string[] {
  const names = blocks.map(({ name }) => cutName(showControls(name ?? '')));
  const nameWidth = Math.max(0, ...names.map((name) => stringWidth(name)));
  const left = nameWidth === 0 ? 2 : nameWidth + 4;
  return blocks.flatMap(({ pieces }, index) => {
    const rows = visibleLines(pieces, colors.dim).flatMap((line) =>
      wrapLine(line, width - left - 2).map((part, number) => ({
        text: renderLine(part),
        rule: colors.dim(number === 0 ? '│' : '┊'),
      })),
    );
    return rows.map(({ text, rule }, number) => {
      const name = number === 0 ? (names[index] ?? '') : '';
      const space = ' '.repeat(left - 2 - stringWidth(name));
      return `  ${colors.cyan(name)}${space}${rule} ${text}`.trimEnd();
    });
  });
}

function cutName(name: string): string {
  return stringWidth(name) <= widestName ? name : `${name.slice(0, widestName - 1)}…`;
}
