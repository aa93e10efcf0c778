import stringWidth from 'fast-string-width';
import type { Line, Piece } from './pieces.ts';
import { segmentText } from './segment-text.ts';

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly piece: Piece;
}

let segmenter: Intl.Segmenter | undefined;

/** Breaks a line into lines of at most `width` columns, after a space where there is one. */
export function wrapLine(line: Line, width: number): Line[] {
  const lines: Line[] = [];
  let cells: Cell[] = [];
  let used = 0;
  for (const piece of line) {
    for (const cell of cellsOf(piece)) {
      if (used + cell.width > width && cells.length > 0) {
        const rest = takeAfterBreak(cells);
        lines.push(mergeCells(cells));
        cells = rest;
        used = rest.reduce((sum, { width: cellWidth }) => sum + cellWidth, 0);
      }
      cells.push(cell);
      used += cell.width;
    }
  }
  return [...lines, mergeCells(cells)];
}

/** Moves what follows the last space to the next line, unless that leaves the line half empty. */
function takeAfterBreak(cells: Cell[]): Cell[] {
  const last = cells.findLastIndex(({ text }) => text === ' ');
  return last < cells.length / 2 ? [] : cells.splice(last + 1);
}

const printableAscii = /^[ -~]*$/;

function* cellsOf(piece: Piece): Generator<Cell> {
  if (printableAscii.test(piece.text)) {
    for (const text of piece.text) yield { text, width: 1, piece };
    return;
  }
  segmenter ??= new Intl.Segmenter();
  for (const text of segmentText(segmenter, piece.text)) {
    yield { text, width: widthOf(text), piece };
  }
}

const knownWidths = new Map<string, number>();

/** Finding a width takes long, and texts have few different characters. */
function widthOf(grapheme: string): number {
  const width = knownWidths.get(grapheme) ?? stringWidth(grapheme);
  knownWidths.set(grapheme, width);
  return width;
}

function mergeCells(cells: readonly Cell[]): Line {
  const line: Piece[] = [];
  let owner: Piece | undefined;
  for (const { text, piece } of cells) {
    const last = line.at(-1);
    if (last && owner === piece) line[line.length - 1] = { ...last, text: last.text + text };
    else line.push({ ...piece, text });
    owner = piece;
  }
  return line;
}
