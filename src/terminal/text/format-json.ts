import stringWidth from 'fast-string-width';
import { escapeControls } from './show-controls.ts';

/** Stands for members of a list that are left out. */
class LeftOut {
  readonly count: number;
  constructor(count: number) {
    this.count = count;
  }
}

const longestList = 12;
const keptAtStart = 4;
const keptAtEnd = 2;

/** JSON with what fits on a line in one line. */
export function formatJson(value: unknown, width: number): string {
  return formatAfter('', value, width);
}

function formatAfter(name: string, value: unknown, width: number): string {
  const inline = name + formatInline(value);
  const isWhole = typeof value !== 'object' || value === null || value instanceof LeftOut;
  if (isWhole || stringWidth(inline) <= width) return inline;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, item]) =>
    formatAfter(isList ? '' : `${formatInline(key)}: `, item, width - 2).replaceAll('\n', '\n  '),
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${name}${open}\n  ${members.join(',\n  ')}\n${close}`;
}

function formatInline(value: unknown): string {
  if (value instanceof LeftOut) return `… ${value.count} more …`;
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return escapeControls(JSON.stringify(value));
  const entries = Object.entries(value).map(
    ([key, item]) => `${formatInline(key)}: ${formatInline(item)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** The same value with long lists cut, and with texts cut to a number of columns. */
export function shorten(value: unknown, columns: number): unknown {
  if (typeof value === 'string') return shortenText(value, columns);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, shorten(item, columns)]);
    return Object.fromEntries(entries);
  }
  const items = value.map((item) => shorten(item, columns));
  if (items.length <= longestList) return items;
  const leftOut = new LeftOut(items.length - keptAtStart - keptAtEnd);
  return [...items.slice(0, keptAtStart), leftOut, ...items.slice(-keptAtEnd)];
}

function shortenText(text: string, columns: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += stringWidth(formatInline(character)) - 2;
    if (used > columns) return `${kept}…`;
    kept += character;
  }
  return text;
}
