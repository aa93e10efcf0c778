/** One way of doing a piece of work; `run` does it for item number `index`. */
export interface Variant {
  readonly name: string;
  readonly run: (index: number) => unknown;
}

/**
 * Calls per second of each variant. The variants take turns in short slices, so that a noisy
 * machine hits them alike; the figure is the median of the slices.
 */
export function measureRates(
  variants: readonly Variant[],
  { slices = 15, sliceMs = 60 }: { slices?: number; sliceMs?: number } = {},
): Map<string, number> {
  const rates = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (let slice = -3; slice < slices; slice++) {
    for (const { name, run } of variants) {
      const rate = rateOf(run, sliceMs);
      if (slice >= 0) rates.get(name)?.push(rate);
    }
  }
  return new Map([...rates].map(([name, values]) => [name, median(values)]));
}

/** Results end up here, so that none of the work can be left out. */
export let sink = 0;

function rateOf(run: Variant['run'], sliceMs: number): number {
  const start = performance.now();
  let calls = 0;
  while (performance.now() - start < sliceMs) {
    for (let batch = 0; batch < 64; batch++) consume(run(calls++));
  }
  return (calls / (performance.now() - start)) * 1000;
}

/** Reads the last character, so that a string put together lazily has to exist in full. */
function consume(value: unknown): void {
  if (typeof value === 'string') sink ^= value.charCodeAt(value.length - 1);
  else if (Array.isArray(value)) for (const item of value) consume(item);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
