import { preparedRetriever } from '../prepared.ts';
import type { Retriever } from '../retriever.ts';
import { type Neighbours, PoolVectors, type VectorSettings } from './pool-vectors.ts';
import type { VectorMatrix } from './vector-matrix.ts';

export interface DppSettings {
  readonly count: number;
  /** Among how many of the nearest rows is chosen. */
  readonly candidates: number;
  /** The larger, the less nearness counts against variety. */
  readonly scale: number;
}

/**
 * Rows that are near and yet differ from each other: the greedy best of a determinantal point
 * process over the nearest rows, the nearest first.
 */
export function dppRetriever(settings: VectorSettings, dpp: DppSettings): Retriever {
  const { count, candidates } = dpp;
  settings.pool.require(count);
  const vectors = new PoolVectors(settings);
  return preparedRetriever(async (queries, { signal }) => {
    const matrix = await vectors.matrix({ signal });
    const options = { count: candidates, wanted: count, signal };
    const found = await vectors.nearest(queries, options);
    return found.map((near) => chooseVaried(near, matrix, dpp));
  });
}

function chooseVaried(near: Neighbours, matrix: VectorMatrix, dpp: DppSettings): number[] {
  const { indexes, scores } = near;
  const best = scores[0] ?? 0;
  // Cosines are moved from [-1, 1] to [0, 1], as those between the rows are below.
  const relevance = scores.map((score) => Math.exp((score - best) / 2 / (2 * dpp.scale)));
  const kernel = indexes.map((index, row) =>
    indexes.map(
      (other, column) =>
        (relevance[row] as number) *
        ((matrix.product(index, matrix.at(other)) + 1) / 2) *
        (relevance[column] as number),
    ),
  );
  const positions = greedyVolume(kernel, dpp.count).sort((a, b) => a - b);
  return positions.map((position) => indexes[position] as number);
}

/** Below this a row adds nothing to those that are chosen. */
const minGain = 1e-10;

/**
 * Positions chosen one by one so that the determinant of the kernel over them grows most; by updates
 * of its Cholesky factor, one row of it for each choice.
 */
function greedyVolume(kernel: readonly (readonly number[])[], count: number): number[] {
  const gains = kernel.map((row, position) => row[position] as number);
  const factors: number[][] = [];
  const chosen: number[] = [];
  while (chosen.length < count) {
    const next = firstBest(gains, chosen);
    chosen.push(next);
    const gain = gains[next] as number;
    if (gain < minGain) continue;
    const factor = gains.map((_, position) => {
      const known = factors.reduce(
        (sum, row) => sum + (row[next] as number) * (row[position] as number),
        0,
      );
      return ((kernel[next]?.[position] as number) - known) / Math.sqrt(gain);
    });
    factors.push(factor);
    for (const [position, part] of factor.entries())
      gains[position] = (gains[position] as number) - part * part;
  }
  return chosen;
}

/** Rows that add nothing are equally good; the nearest then comes first. */
function firstBest(gains: readonly number[], taken: readonly number[]): number {
  let best = -1;
  let bestGain = Number.NEGATIVE_INFINITY;
  for (const [position, gain] of gains.entries()) {
    const counted = Math.max(gain, minGain);
    if (counted <= bestGain || taken.includes(position)) continue;
    best = position;
    bestGain = counted;
  }
  return best;
}
