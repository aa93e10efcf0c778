import stringWidth from 'fast-string-width';
import { displayLocation, displayPath } from '../../base/display-path.ts';
import type { Config } from '../../config/config.ts';
import type { ExplainedValue, ValueOrigin } from '../../config/explain.ts';
import type { ConfigPath } from '../../errors.ts';
import type { Colors, Terminal } from '../terminal.ts';
import { formatJson, shorten } from '../text/format-json.ts';
import { showControls } from '../text/show-controls.ts';

interface Line {
  readonly text: string;
  readonly from?: ValueOrigin;
}

/** The values as a tree, with their origins in a column to the right. */
export function renderExplained(
  { values, notices }: { values: readonly ExplainedValue[]; notices: Config['notices'] },
  { colors, width }: Terminal,
): string[] {
  const origins = values.map(({ from }) => stringWidth(describeOrigin(from)));
  const room = Math.max(Math.floor(width / 2), width - Math.max(0, ...origins) - 2);
  const lines = treeOf(values, room);
  const left = Math.min(room, Math.max(0, ...lines.map(({ text }) => stringWidth(text))));
  return [
    ...lines.map(({ text, from }) => {
      if (!from) return colors.bold(text);
      const gap = ' '.repeat(Math.max(0, left - stringWidth(text)) + 2);
      return text + gap + paintOrigin(from, colors);
    }),
    ...notices.map(
      ({ message, at }) =>
        `${colors.blue('note')}  ${showControls(message)} ${at ? colors.dim(displayLocation(at)) : ''}`,
    ),
  ];
}

/** A line for each value, after lines for what it stands in. */
function treeOf(values: readonly ExplainedValue[], room: number): Line[] {
  const lines: Line[] = [];
  let open: readonly string[] = [];
  for (const { path, value, from } of values) {
    const names = namesOf(path);
    const parents = names.slice(0, -1);
    const known = parents.findIndex((name, depth) => name !== open[depth]);
    for (let depth = known < 0 ? parents.length : known; depth < parents.length; depth++) {
      lines.push({ text: '  '.repeat(depth) + parents[depth] });
    }
    open = parents;
    const start = `${'  '.repeat(parents.length)}${names.at(-1)}: `;
    lines.push({ text: start + formatLeaf(value, room - stringWidth(start)), from });
  }
  return lines;
}

/** `['models', 0, 'abbr']` as `['models[0]', 'abbr']`. */
function namesOf(path: ConfigPath): string[] {
  const names: string[] = [];
  for (const key of path) {
    if (typeof key === 'number') names.push(`${names.pop() ?? ''}[${key}]`);
    else names.push(showControls(key));
  }
  return names;
}

const plainText = /^[\w./:@%+*-]+$/;

function formatLeaf(value: unknown, room: number): string {
  if (typeof value === 'string' && plainText.test(value) && value.length <= room) return value;
  const whole = formatJson(value, Number.POSITIVE_INFINITY);
  if (stringWidth(whole) <= room) return whole;
  return formatJson(shorten(value, Math.max(8, room - 3)), Number.POSITIVE_INFINITY);
}

function describeOrigin(from: ValueOrigin): string {
  if (from.type === 'default') return 'default';
  const location = `${displayPath(from.at.file)}:${from.at.line}`;
  return from.type === 'file' ? location : `from ${from.source.at(-1)}, ${location}`;
}

function paintOrigin(from: ValueOrigin, colors: Colors): string {
  const paint = { file: colors.dim, derived: colors.cyan, default: colors.yellow }[from.type];
  return paint(describeOrigin(from));
}
