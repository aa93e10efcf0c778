/** Reads a share that is written as a number from 0 to 1 or as a percentage; nothing if it is none. */
export function readShare(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const [, digits = '', percent] =
    (typeof text === 'string' && /^\s*([\d.]+(?:e-?\d+)?)(%?)\s*$/.exec(text)) || [];
  const share = digits === '' ? Number.NaN : Number(digits) / (percent ? 100 : 1);
  return share >= 0 && share <= 1 ? share : undefined;
}
