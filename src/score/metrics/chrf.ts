import { type CorpusMetric, share } from './metric.ts';
import { countCommon, countNgrams } from './ngrams.ts';
import { splitWords } from './split-words.ts';

export interface ChrfOptions {
  /** The longest n-grams of characters; 6 by default. */
  readonly charOrder?: number | undefined;
  /** The longest n-grams of words: 0 by default, 2 for chrF++. */
  readonly wordOrder?: number | undefined;
  /** How much more recall counts than precision; 2 by default. */
  readonly beta?: number | undefined;
  readonly lowercase?: boolean | undefined;
  /** Whether white space counts as characters. */
  readonly whitespace?: boolean | undefined;
  /** Averages the F-scores of all orders, as chrF++.py does, missing orders included. */
  readonly epsilonSmoothing?: boolean | undefined;
}

/**
 * chrF and chrF++ as sacreBLEU 2 has them, from 0 to 1. With several right answers the one with the
 * best score counts.
 *
 * @example
 * chrf().of('the cat sat', ['the cat sits']); // 0.610…
 */
export function chrf(options: ChrfOptions = {}): CorpusMetric & { readonly signature: string } {
  const settings = {
    charOrder: options.charOrder ?? 6,
    wordOrder: options.wordOrder ?? 0,
    beta: options.beta ?? 2,
    lowercase: options.lowercase ?? false,
    whitespace: options.whitespace ?? false,
    epsilonSmoothing: options.epsilonSmoothing ?? false,
  };
  const ofSums = (sums: ArrayLike<number>) => scoreOf(sums, settings);
  const count = (answer: string, golds: readonly string[]) => {
    const own = ngramsOf(answer, settings);
    const texts = golds.length > 0 ? golds : [''];
    const counts = texts.map((gold) => countMatches(own, ngramsOf(gold, settings)));
    return counts.reduce((best, other) => (ofSums(other) > ofSums(best) ? other : best));
  };
  return {
    ...share(settings.wordOrder > 0 ? 'chrf++' : 'chrf'),
    signature: signatureOf(settings),
    count,
    of: (answer, golds) => ofSums(count(answer, golds)),
    ofCounts: ofSums,
    ofSums,
  };
}

type Settings = { readonly [Key in keyof ChrfOptions]-?: NonNullable<ChrfOptions[Key]> };
type Orders = readonly { readonly counts: Map<string, number>; readonly total: number }[];

function ngramsOf(text: string, settings: Settings): Orders {
  const { charOrder, wordOrder, lowercase, whitespace } = settings;
  const cased = lowercase ? text.toLowerCase() : text;
  const characters = Array.from(whitespace ? cased : splitWords(cased).join(''));
  const words = wordOrder > 0 ? splitWords(cased).flatMap(splitPunctuation) : [];
  return [...upTo(charOrder, characters), ...upTo(wordOrder, words)];
}

function upTo(order: number, tokens: readonly string[]): Orders {
  return Array.from({ length: order }, (_, index) => ({
    counts: countNgrams(tokens, index + 1),
    total: Math.max(0, tokens.length - index),
  }));
}

const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/** Takes one sign off a word: the last character, else the first. */
function splitPunctuation(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return [word];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  if (punctuation.has(last)) return [word.slice(0, -1), last];
  return punctuation.has(first) ? [first, word.slice(1)] : [word];
}

/** For each order: n-grams of the answer, of the right answer, and of both. */
function countMatches(answer: Orders, gold: Orders): number[] {
  return answer.flatMap((own, index) => {
    const other = gold[index] ?? { counts: new Map<string, number>(), total: 0 };
    const total = other.total > 0 ? own.total : 0;
    return [total, other.total, countCommon(own.counts, other.counts)];
  });
}

const epsilon = 1e-16;

function scoreOf(sums: ArrayLike<number>, { beta, epsilonSmoothing }: Settings): number {
  const orders = Array.from({ length: sums.length / 3 }, (_, index) => {
    const at = 3 * index;
    return { own: sums[at] ?? 0, gold: sums[at + 1] ?? 0, common: sums[at + 2] ?? 0 };
  });
  if (epsilonSmoothing) {
    const scores = orders.map(({ own, gold, common }) =>
      fScore(own > 0 ? common / own : epsilon, gold > 0 ? common / gold : epsilon, beta),
    );
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  }
  const present = orders.filter(({ own, gold }) => own > 0 && gold > 0);
  if (present.length === 0) return 0;
  const mean = (of: (order: (typeof orders)[number]) => number) =>
    present.reduce((sum, counts) => sum + of(counts), 0) / present.length;
  return fScore(
    mean(({ common, own }) => common / own),
    mean(({ common, gold }) => common / gold),
    beta,
  );
}

function fScore(precision: number, recall: number, beta: number): number {
  const weight = beta ** 2;
  const total = weight * precision + recall;
  return total === 0 ? 0 : ((1 + weight) * precision * recall) / total;
}

function signatureOf(settings: Settings): string {
  return [
    `case:${settings.lowercase ? 'lc' : 'mixed'}`,
    `eff:${settings.epsilonSmoothing ? 'no' : 'yes'}`,
    `nc:${settings.charOrder}`,
    `nw:${settings.wordOrder}`,
    `space:${settings.whitespace ? 'yes' : 'no'}`,
  ].join('|');
}
