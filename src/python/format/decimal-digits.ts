/** The digits of a number and where its point stands: `12.5` is `125` with the point after 2. */
export interface DecimalDigits {
  readonly digits: string;
  readonly point: number;
}

/** No double has more decimals, nor more digits, that are not zero. */
const maxDigits = 1100;

/** A number of at least 0 with so many decimals. Halves of the exact value go to the even digit. */
export function roundToDecimals(value: number, decimals: number): DecimalDigits {
  const exact = Math.min(decimals, maxDigits);
  const digits = roundScaled(value, exact)
    .toString()
    .padStart(exact + 1, '0')
    .concat('0'.repeat(decimals - exact));
  return { digits, point: digits.length - decimals };
}

/** A number of at least 0 with so many digits in all, which are never fewer. */
export function roundToDigits(value: number, count: number): DecimalDigits {
  if (value === 0) return { digits: '0'.repeat(count), point: 1 };
  if (count > maxDigits) {
    const { digits, point } = roundToDigits(value, maxDigits);
    return { digits: digits.padEnd(count, '0'), point };
  }
  // One less than the exponent may be, as the shortest digits of a number can be above its value.
  let exponent = Number(value.toExponential().split('e')[1]) - 1;
  for (;;) {
    const digits = roundScaled(value, count - 1 - exponent).toString();
    if (digits.length === count) return { digits, point: exponent + 1 };
    exponent++;
  }
}

/** What `round(value, decimals)` gives for a float. */
export function roundFloat(value: number, decimals: number): number {
  if (!Number.isFinite(value) || decimals > 323) return value;
  if (decimals < -maxDigits) return value * 0;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return Number(`${sign}${roundScaled(Math.abs(value), decimals)}e${-decimals}`);
}

/** The whole number nearest to `value * 10^power`. */
function roundScaled(value: number, power: number): bigint {
  let [numerator, denominator] = ratioOf(value);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  const whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice < denominator) return whole;
  return twice > denominator || whole % 2n === 1n ? whole + 1n : whole;
}

/** A number of at least 0 as a fraction whose denominator is a power of two. */
export function ratioOf(value: number): [numerator: bigint, denominator: bigint] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const significand = exponent === 0n ? fraction : fraction | (1n << 52n);
  const shift = (exponent === 0n ? 1n : exponent) - 1075n;
  return shift >= 0n ? [significand << shift, 1n] : [significand, 1n << -shift];
}
