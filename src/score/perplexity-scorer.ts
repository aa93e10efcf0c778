import { pythonSpace } from '../python/text.ts';
import { unscored } from './row-score.ts';
import type { DatasetMetric, Measures, Scorer } from './scorer.ts';

/** A text whose loglikelihood was taken. */
export interface MeasuredText {
  /** What its tokens that count stand for. */
  readonly text: string;
  readonly logprob: number;
  readonly tokens: number;
  /** How many characters before it do not count. */
  readonly skipped?: number | undefined;
  /** Its mean negative loglikelihood for a token. */
  readonly nll: number;
}

/** What a text adds to the sums of all texts. */
const sumNames = ['nats', 'tokens', 'words', 'bytes'] as const;
type Sums = Readonly<Record<(typeof sumNames)[number], number>>;

/** Sums of multiples of this have no rounding, and so do not depend on the order of rows. */
const natStep = 2 ** -30;

const spaces = new RegExp(`[${pythonSpace}]+`);

/** How surprising a text is. Words are counted as lm-evaluation-harness counts them. */
export function measureText({ text, logprob, tokens, nll, skipped = 0 }: MeasuredText): Measures {
  const [first, ...others] = text.split(spaces);
  // The space after a word that does not count is the beginning of no other.
  const words = others.length + (skipped > 0 && first === '' ? 0 : 1);
  const bytes = Buffer.byteLength(text);
  const sums: Sums = { nats: Math.round(-logprob / natStep) * natStep, tokens, words, bytes };
  return {
    nll,
    tokens,
    metrics: { row_ppl: Math.exp(nll), row_bits_per_byte: -logprob / Math.LN2 / bytes },
    counts: sumNames.map((name) => sums[name]),
  };
}

/** A measure of all texts together: long ones count for more. */
function pooled(name: string, measure: (sums: Sums) => number, lowest: number): DatasetMetric {
  return {
    name,
    type: 'sums',
    direction: 'lower',
    range: [lowest, Number.POSITIVE_INFINITY],
    measure: (sums: ArrayLike<number>) => {
      const [nats = 0, tokens = 0, words = 0, bytes = 0] = Array.from(sums);
      return measure({ nats, tokens, words, bytes });
    },
  };
}

/** A scorer for texts that were measured, not generated: its mean negative loglikelihood per token, in nats. */
export const perplexityScorer: Scorer = {
  metric: 'nll',
  direction: 'lower',
  range: [0, Number.POSITIVE_INFINITY],
  datasetMetrics: [
    pooled('token_perplexity', ({ nats, tokens }) => Math.exp(nats / tokens), 1),
    pooled('word_perplexity', ({ nats, words }) => Math.exp(nats / words), 1),
    pooled('byte_perplexity', ({ nats, bytes }) => Math.exp(nats / bytes), 1),
    pooled('bits_per_byte', ({ nats, bytes }) => nats / Math.LN2 / bytes, 0),
  ],
  traits: [
    { name: 'row_ppl', direction: 'lower', range: [1, Number.POSITIVE_INFINITY] },
    { name: 'row_bits_per_byte', direction: 'lower', range: [0, Number.POSITIVE_INFINITY] },
  ],
  score({ measures }) {
    if (measures?.tokens === 0) return unscored('too short to measure');
    if (!measures || !Number.isFinite(measures.nll)) return unscored('impossible text');
    const { nll: value, metrics, counts } = measures;
    const compared = { got: '', want: '' };
    return { type: 'scored', value, extracted: '', compared, metrics, counts };
  },
};
