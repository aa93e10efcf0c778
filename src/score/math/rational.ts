/** An exact number: a fraction in lowest terms whose denominator is above 0. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

// Answers with longer numbers are no answers; work with them must not take long either.
const largest = 1n << 4096n;

/** The fraction in lowest terms; nothing if it divides by zero or its numbers are too long. */
export function rational(top: bigint, bottom = 1n): Rational | undefined {
  if (bottom === 0n) return undefined;
  const divisor = greatestDivisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  const reduced = { top: top / divisor, bottom: bottom / divisor };
  return absolute(reduced.top) < largest && reduced.bottom < largest ? reduced : undefined;
}

/** Digits with at most one point, as an exact number. */
export function parseDecimal(text: string): Rational | undefined {
  const [whole = '', decimals = ''] = text.split('.');
  if (text.length > 1000) return undefined;
  return rational(BigInt(`${whole}${decimals}` || '0'), 10n ** BigInt(decimals.length));
}

export function add(left: Rational, right: Rational): Rational | undefined {
  return rational(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
}

export function multiply(left: Rational, right: Rational): Rational | undefined {
  return rational(left.top * right.top, left.bottom * right.bottom);
}

export function divide(left: Rational, right: Rational): Rational | undefined {
  return rational(left.top * right.bottom, left.bottom * right.top);
}

/** A whole power. */
export function raise({ top, bottom }: Rational, exponent: bigint): Rational | undefined {
  if (exponent < 0n) return top === 0n ? undefined : raise({ top: bottom, bottom: top }, -exponent);
  if (bottom === 1n && absolute(top) <= 1n) {
    if (top === 0n) return exponent === 0n ? undefined : rational(0n);
    return rational(exponent % 2n === 0n ? 1n : top);
  }
  const bits = BigInt(Math.max(absolute(top).toString(2).length, bottom.toString(2).length));
  if ((bits - 1n) * exponent > 4096n) return undefined;
  return rational(top ** exponent, bottom ** exponent);
}

/** The root, if it is exact. */
export function exactRoot({ top, bottom }: Rational, degree: bigint): Rational | undefined {
  if (degree < 1n || degree > 100n || (top < 0n && degree % 2n === 0n)) return undefined;
  const above = integerRoot(absolute(top), degree);
  const below = integerRoot(absolute(bottom), degree);
  return above === undefined || below === undefined
    ? undefined
    : rational(top < 0n ? -above : above, below);
}

/** The whole number whose power it is. */
function integerRoot(value: bigint, degree: bigint): bigint | undefined {
  let low = 0n;
  let high = 1n << (BigInt(value.toString(2).length) / degree + 1n);
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** degree <= value) low = middle;
    else high = middle - 1n;
  }
  return low ** degree === value ? low : undefined;
}

export function toNumber({ top, bottom }: Rational): number {
  const shift = BigInt(
    Math.max(0, bottom.toString(2).length - 1000, top.toString(2).length - 1000),
  );
  return Number(top >> shift) / Number(bottom >> shift);
}

export function equals(left: Rational, right: Rational): boolean {
  return left.top === right.top && left.bottom === right.bottom;
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [absolute(left), absolute(right)];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
