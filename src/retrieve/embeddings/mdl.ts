import { keyedRandom, sampleWithoutReplacement } from '../../base/keyed-random.ts';
import { Slots } from '../../base/slots.ts';
import { preparedRetriever } from '../prepared.ts';
import type { LabelLosses, Query, Retriever } from '../retriever.ts';
import { PoolVectors, type VectorSettings } from './pool-vectors.ts';

export interface MdlSettings {
  readonly count: number;
  /** Among how many of the nearest rows is chosen. */
  readonly candidates: number;
  /** How many choices of examples are compared; the first is that of the nearest rows. */
  readonly trials: number;
  readonly labelLosses: LabelLosses;
  /** Draws `count` of `size` positions for a trial after the first. */
  readonly draw: TrialDraw;
}

export type TrialDraw = (query: Query, trial: number, size: number) => readonly number[];

/** Draws that depend on the seed, the row's id and the trial alone. */
export function keyedTrials(seed: number, count: number): TrialDraw {
  return ({ id }, trial, size) =>
    sampleWithoutReplacement(keyedRandom(seed, `${id}/${trial}`), size, count);
}

/** Rows asked about at once: the trials of each are measured one after the other. */
const maxAtOnce = 8;

/**
 * Of some choices among the nearest rows the one after which the model is surest of a label: the one
 * that shortens the description of the answer most.
 */
export function mdlRetriever(settings: VectorSettings, mdl: MdlSettings): Retriever {
  const { count, candidates } = mdl;
  settings.pool.require(count);
  const vectors = new PoolVectors(settings);
  return preparedRetriever(async (queries, { signal }) => {
    const options = { count: candidates, wanted: count, signal };
    const found = await vectors.nearest(queries, options);
    const trials = found.map(({ indexes }, index) =>
      drawTrials(queries[index] as Query, indexes, mdl),
    );
    return new Slots(maxAtOnce).map(queries, (query, index) =>
      surest(trials[index] ?? [], (shots) => mdl.labelLosses(query, shots, { signal })),
    );
  });
}

function drawTrials(query: Query, near: readonly number[], mdl: MdlSettings): number[][] {
  return Array.from({ length: mdl.trials }, (_, trial) => {
    if (trial === 0) return near.slice(0, mdl.count);
    return mdl.draw(query, trial, near.length).map((index) => near[index] as number);
  });
}

/** The first of the choices after which the labels' probabilities differ most. */
async function surest(
  trials: readonly (readonly number[])[],
  lossesOf: (shots: readonly number[]) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  let best: readonly number[] = [];
  let bestCertainty = Number.NEGATIVE_INFINITY;
  for (const shots of trials) {
    const certainty = certaintyOf(await lossesOf(shots));
    if (certainty <= bestCertainty && best.length > 0) continue;
    best = shots;
    bestCertainty = certainty;
  }
  return best;
}

/** The negative entropy, in nats, of labels whose probabilities go with the negative losses. */
export function certaintyOf(losses: readonly number[]): number {
  const least = Math.min(...losses);
  // Where every label is impossible nothing is known.
  if (least === Number.POSITIVE_INFINITY) return -Math.log(losses.length);
  const weights = losses.map((loss) => Math.exp(least - loss));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights
    .map((weight) => weight / sum)
    .reduce((total, share) => (share === 0 ? total : total + share * Math.log(share)), 0);
}
