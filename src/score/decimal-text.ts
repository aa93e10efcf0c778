/** Digits with at most one point, in their shortest form: `007.50` becomes `7.5`. */
export function shortenDecimal(text: string): string {
  const [whole = '', decimals = ''] = text.split('.');
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  return end === 0 ? units : `${units}.${decimals.slice(0, end)}`;
}

/** A finite number in full: no exponent, however large it is. */
export function decimalText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
