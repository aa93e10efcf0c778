import { showControls, showSpace } from './show-controls.ts';

export type Paint = (text: string) => string;

/** A stretch of text with one look. A mark is no part of the text shown, but says something of it. */
export interface Piece {
  readonly text: string;
  readonly paint?: Paint | undefined;
  readonly mark?: boolean;
}

export type Line = readonly Piece[];

export function renderLine(line: Line): string {
  return line.map(({ text, paint }) => (paint && text !== '' ? paint(text) : text)).join('');
}

/** Cuts pieces at line ends and makes visible what a screen would hide or obey. */
export function visibleLines(pieces: readonly Piece[], markPaint: Paint): Line[] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    piece.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...piece, text });
    });
  }
  return lines.map((line) =>
    markTrailingSpace(line, markPaint).map((piece) => ({
      ...piece,
      text: showControls(piece.text),
    })),
  );
}

/** White space at the end of a line cannot be seen otherwise. */
function markTrailingSpace(line: Line, paint: Paint): Line {
  const kept: Piece[] = [];
  let atEnd = true;
  for (const piece of line.toReversed()) {
    if (piece.mark || !atEnd) {
      kept.unshift(piece);
      continue;
    }
    const text = piece.text.trimEnd();
    const space = piece.text.slice(text.length);
    if (space !== '') kept.unshift({ text: showSpace(space), paint, mark: true });
    if (text !== '') kept.unshift({ ...piece, text });
    atEnd = text === '';
  }
  return kept;
}
