import { CompatError } from '../../python/compat-error.ts';
import { NumpyRandomState } from '../../python/random/numpy-random-state.ts';
import type { TrialDraw } from '../../retrieve/embeddings/mdl.ts';

export interface NumpyTrials {
  readonly seed: number;
  readonly count: number;
  readonly trials: number;
}

/** The draws of OpenCompass: one NumPy generator for the trials of all rows, in their order. */
export function numpyTrials({ seed, count, trials }: NumpyTrials): TrialDraw {
  const generator = new NumpyRandomState(seed);
  const draws: (readonly number[])[] = [];
  return ({ position }, trial, size) => {
    if (count > size) throw tooFewCandidates(count, size);
    const place = position * (trials - 1) + trial - 1;
    while (draws.length <= place) draws.push(generator.choice(size, count));
    return draws[place] ?? [];
  };
}

function tooFewCandidates(count: number, size: number): CompatError {
  return new CompatError({
    type: 'ValueError',
    message: "Cannot take a larger sample than population when 'replace=False'",
    what: `${count} examples are to be drawn from ${size} candidate${size === 1 ? '' : 's'}`,
    hint: 'set candidate_num to ice_num or more: it is 1 by default',
  });
}
