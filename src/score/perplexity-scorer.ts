import { type Scorer, unscored } from './scorer.ts';

/** Takes over what was measured of a text: its mean negative loglikelihood per token, in nats. */
export const perplexityScorer: Scorer = {
  metric: 'nll',
  direction: 'lower',
  range: [0, Number.POSITIVE_INFINITY],
  traits: [
    { name: 'ppl', direction: 'lower', range: [1, Number.POSITIVE_INFINITY] },
    { name: 'bits_per_byte', direction: 'lower', range: [0, Number.POSITIVE_INFINITY] },
  ],
  score({ measures }) {
    const value = measures?.nll;
    if (value === undefined || !Number.isFinite(value)) return unscored('impossible text');
    const { nll: _, ...metrics } = measures ?? {};
    return { type: 'scored', value, extracted: '', compared: { got: '', want: '' }, metrics };
  },
};
