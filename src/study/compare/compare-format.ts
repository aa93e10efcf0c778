import type { Assessment, Scale } from './comparison.ts';

/** A score as its scale wants it: `83.2` for shares, else to three places; with a real minus. */
export function formatValue(value: number, scale: Scale): string {
  return value < 0 ? formatSigned(value, scale) : absolute(value, scale);
}

/** The same with a plus as well: `+3.1`, `−0.8`, `0.0`. */
export function formatSigned(value: number, scale: Scale, more = 0): string {
  const text = absolute(value, scale, more);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

function absolute(value: number, { isShare }: Scale, more = 0): string {
  return isShare ? Math.abs(value * 100).toFixed(1 + more) : Math.abs(value).toFixed(3 + more);
}

/** `3.1 points`, or the bare number on another scale. */
export function formatSize(value: number, scale: Scale, more = 0): string {
  const text = absolute(value, scale, more);
  return scale.isShare ? `${text} point${text === '1.0' ? '' : 's'}` : text;
}

/** Two sizes that differ, with as many decimals as it takes to see it. */
export function formatSizes(sizes: readonly [number, number], scale: Scale): [string, string] {
  const written = (more: number): [string, string] => [
    formatSize(sizes[0], scale, more),
    formatSize(sizes[1], scale, more),
  ];
  return fewestDecimals(written, ([one, other]) => one !== other);
}

/** `[+1.0, +5.2]`. An end that is not 0 does not look like it. */
export function formatSignedInterval({ interval }: Assessment, scale: Scale): string {
  if (!interval) return '–';
  const { low, high } = interval;
  const isHidden = (end: number, more: number) =>
    Math.abs(end) > 1e-9 && Number(absolute(end, scale, more)) === 0;
  const written = (more: number) => ({
    text: `[${formatSigned(low, scale, more)}, ${formatSigned(high, scale, more)}]`,
    isTold: !isHidden(low, more) && !isHidden(high, more),
  });
  return fewestDecimals(written, ({ isTold }) => isTold).text;
}

function fewestDecimals<Written>(
  written: (more: number) => Written,
  isEnough: (one: Written) => boolean,
): Written {
  for (let more = 0; more < 8; more++) {
    const one = written(more);
    if (isEnough(one)) return one;
  }
  return written(0);
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

/** `95%`. */
export function formatLevel(level: number): string {
  return `${Number((level * 100).toFixed(2))}%`;
}
