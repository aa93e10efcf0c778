import type { Pixels } from './pixels.ts';

/** What an encoder sees of an image. */
export interface ImageFit {
  /** The length of the shorter side, or both sides. */
  readonly resize: number | { readonly width: number; readonly height: number };
  /** The part in the middle that is kept; all of it if it is left out. */
  readonly crop?: { readonly width: number; readonly height: number } | undefined;
}

/** Scales an image and cuts out its middle. */
export function fitImage(image: Pixels, { resize, crop }: ImageFit): Pixels {
  const factor = typeof resize === 'number' ? resize / Math.min(image.width, image.height) : 0;
  const target =
    typeof resize === 'number'
      ? { width: Math.trunc(image.width * factor), height: Math.trunc(image.height * factor) }
      : resize;
  const scaled = scaleImage(image, target);
  return crop ? cropMiddle(scaled, crop) : scaled;
}

/** Scales by cubic interpolation; what is made smaller is averaged over all that it stands for. */
export function scaleImage(
  { width, height, values }: Pixels,
  target: { readonly width: number; readonly height: number },
): Pixels {
  const across = new Uint8ClampedArray(target.width * height * 3);
  for (const [column, weights] of weightsOf(width, target.width).entries()) {
    for (let line = 0; line < height; line++) {
      for (let color = 0; color < 3; color++) {
        across[(line * target.width + column) * 3 + color] = sumOf(
          weights,
          (source) => values[(line * width + source) * 3 + color] ?? 0,
        );
      }
    }
  }
  const scaled = new Uint8ClampedArray(target.width * target.height * 3);
  const stride = target.width * 3;
  for (const [line, weights] of weightsOf(height, target.height).entries()) {
    for (let index = 0; index < stride; index++) {
      scaled[line * stride + index] = sumOf(
        weights,
        (source) => across[source * stride + index] ?? 0,
      );
    }
  }
  return { ...target, values: scaled };
}

interface Weights {
  readonly first: number;
  readonly shares: readonly number[];
}

/** For each place of the target, what the places of the source weigh. */
function weightsOf(from: number, to: number): Weights[] {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  return Array.from({ length: to }, (_, index) => {
    const center = (index + 0.5) * scale;
    const first = Math.max(0, Math.trunc(center - 2 * stretch + 0.5));
    const end = Math.min(from, Math.trunc(center + 2 * stretch + 0.5));
    const raw = Array.from({ length: end - first }, (_each, offset) =>
      cubic((first + offset - center + 0.5) / stretch),
    );
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, shares: raw.map((weight) => weight / sum) };
  });
}

/** Keys' cubic kernel with a = −0.5. */
function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

function sumOf({ first, shares }: Weights, valueAt: (source: number) => number): number {
  let sum = 0;
  for (let offset = 0; offset < shares.length; offset++) {
    sum += (shares[offset] as number) * valueAt(first + offset);
  }
  return sum;
}

function cropMiddle(
  { width, height, values }: Pixels,
  target: { readonly width: number; readonly height: number },
): Pixels {
  const left = Math.trunc((width - target.width) / 2);
  const top = Math.trunc((height - target.height) / 2);
  const cut = new Uint8ClampedArray(target.width * target.height * 3);
  for (let line = 0; line < target.height; line++) {
    for (let column = 0; column < target.width; column++) {
      const [x, y] = [column + left, line + top];
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = (y * width + x) * 3;
      cut.set(values.subarray(at, at + 3), (line * target.width + column) * 3);
    }
  }
  return { ...target, values: cut };
}
