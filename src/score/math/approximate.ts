/** A complex number, and how far off it may be. */
export interface Approximate {
  readonly real: number;
  readonly imaginary: number;
  readonly error: number;
}

const epsilon = Number.EPSILON;

/** A real number as near as can be; nothing if it is not finite. */
export function real(value: number, error = 0): Approximate | undefined {
  return complex(value, 0, error);
}

function complex(real: number, imaginary: number, error: number): Approximate | undefined {
  const total = error + epsilon * (Math.abs(real) + Math.abs(imaginary));
  const isUsable = Number.isFinite(real) && Number.isFinite(imaginary) && Number.isFinite(total);
  return isUsable ? { real, imaginary, error: total } : undefined;
}

export const imaginaryUnit: Approximate = { real: 0, imaginary: 1, error: 0 };

export function size({ real, imaginary }: Approximate): number {
  return Math.hypot(real, imaginary);
}

export function isReal({ imaginary, error }: Approximate): boolean {
  return Math.abs(imaginary) <= 4 * error;
}

export function isZero(value: Approximate): boolean {
  return size(value) <= 4 * value.error;
}

export function add(left: Approximate, right: Approximate): Approximate | undefined {
  return complex(
    left.real + right.real,
    left.imaginary + right.imaginary,
    left.error + right.error,
  );
}

export function negate(value: Approximate): Approximate {
  return { real: -value.real, imaginary: -value.imaginary, error: value.error };
}

export function multiply(left: Approximate, right: Approximate): Approximate | undefined {
  return complex(
    left.real * right.real - left.imaginary * right.imaginary,
    left.real * right.imaginary + left.imaginary * right.real,
    size(left) * right.error + size(right) * left.error + left.error * right.error,
  );
}

export function divide(left: Approximate, right: Approximate): Approximate | undefined {
  if (isZero(right)) return undefined;
  const square = right.real ** 2 + right.imaginary ** 2;
  const inverse = complex(
    right.real / square,
    -right.imaginary / square,
    (2 * right.error) / square,
  );
  return inverse && multiply(left, inverse);
}

/** A function of real numbers, with its slope to tell how far errors spread. */
export function applyReal(
  value: Approximate,
  compute: (value: number) => number,
  slope: (value: number) => number,
): Approximate | undefined {
  if (!isReal(value)) return undefined;
  return real(compute(value.real), Math.abs(slope(value.real)) * value.error);
}

export function exponential(value: Approximate): Approximate | undefined {
  const length = Math.exp(value.real);
  return complex(
    length * Math.cos(value.imaginary),
    length * Math.sin(value.imaginary),
    length * value.error * 2,
  );
}

/** The principal logarithm; nothing for zero. */
export function logarithm(value: Approximate): Approximate | undefined {
  if (isZero(value)) return undefined;
  const length = size(value);
  return complex(Math.log(length), angle(value), value.error / length);
}

function angle({ real, imaginary, error }: Approximate): number {
  // Just below the negative axis is the negative axis, but for rounding.
  return Math.abs(imaginary) <= 4 * error && real < 0 ? Math.PI : Math.atan2(imaginary, real);
}
