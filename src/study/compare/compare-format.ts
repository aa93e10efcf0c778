import type { Assessment, Scale } from './comparison.ts';

/** A score as its scale wants it: `83.2` for shares, else to three places; with a real minus. */
export function formatValue(value: number, scale: Scale): string {
  return value < 0 ? formatSigned(value, scale) : absolute(value, scale);
}

/** The same with a plus as well: `+3.1`, `−0.8`, `0.0`. */
export function formatSigned(value: number, scale: Scale): string {
  const text = absolute(value, scale);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

function absolute(value: number, { isShare }: Scale): string {
  return isShare ? Math.abs(value * 100).toFixed(1) : Math.abs(value).toFixed(3);
}

/** `3.1 points`, or the bare number on another scale. */
export function formatSize(value: number, scale: Scale): string {
  const text = absolute(value, scale);
  return scale.isShare ? `${text} point${text === '1.0' ? '' : 's'}` : text;
}

/** `[+1.0, +5.2]`. */
export function formatSignedInterval({ interval }: Assessment, scale: Scale): string {
  if (!interval) return '–';
  return `[${formatSigned(interval.low, scale)}, ${formatSigned(interval.high, scale)}]`;
}

/** `0.031`, `<0.001`. */
export function formatP(p: number): string {
  if (p < 0.001) return '<0.001';
  return p < 0.1 ? p.toFixed(3) : p.toFixed(2);
}

/** `p = 0.031`, `p < 0.001`. */
export function formatPText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${formatP(p)}`;
}

/** `95 %`. */
export function formatLevel(level: number): string {
  return `${Number((level * 100).toFixed(2))} %`;
}
