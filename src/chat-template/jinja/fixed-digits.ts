/** As many digits of an exact value as decide whether it lies halfway. */
const tailLength = 40;

/** A number with a fixed count of decimals. Exact halves go to the even digit, as in Python. */
export function fixedDigits(value: number, decimals: number): string {
  const count = Math.min(decimals, 100 - tailLength);
  if (Math.abs(value) >= 1e21) return value.toFixed(0);
  const exact = value.toFixed(count + tailLength);
  const isHalf = /^50*$/.test(exact.slice(-tailLength));
  const down = exact.slice(0, -tailLength).replace(/\.$/, '');
  return isHalf && /[02468]$/.test(down) ? down : value.toFixed(count);
}
