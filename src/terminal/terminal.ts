import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** What the place that output goes to can show. */
export interface Terminal {
  readonly colors: Colors;
  readonly hasColors: boolean;
  readonly width: number;
}

const smallestWidth = 40;
const defaultWidth = 80;

export function describeTerminal(stream: NodeJS.WriteStream): Terminal {
  const { NO_COLOR, FORCE_COLOR, TERM, COLUMNS } = process.env;
  const shows = stream.isTTY === true && TERM !== 'dumb';
  const hasColors = !NO_COLOR && (shows || Boolean(FORCE_COLOR));
  const width = stream.columns || Number(COLUMNS) || defaultWidth;
  return {
    colors: pc.createColors(hasColors),
    hasColors,
    width: Math.max(width, smallestWidth),
  };
}

/** Text whose lines break between words where a terminal ends; for files and programs it stays as it is. */
export function fitTerminal(
  text: string,
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
): string {
  if (!isTTY || !columns) return text;
  const width = Math.max(columns, smallestWidth);
  return text
    .split('\n')
    .map((line) => (shownLength(line) > width ? breakLine(line, width) : line))
    .join('\n');
}

function breakLine(line: string, width: number): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const longer = current === indent ? current + word : `${current} ${word}`;
    if (current === indent || shownLength(longer) <= width) current = longer;
    else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current].join('\n');
}

function shownLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
