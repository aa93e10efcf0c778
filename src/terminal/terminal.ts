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
