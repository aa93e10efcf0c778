import { type BleuTokenizer, tokenizerOf } from './bleu-tokenizers.ts';
import { type CorpusMetric, share } from './metric.ts';
import { countCommon, countNgrams } from './ngrams.ts';

export interface BleuOptions {
  readonly tokenize?: BleuTokenizer | undefined;
  readonly lowercase?: boolean | undefined;
  /** What takes the place of precisions of 0. */
  readonly smoothing?: Smoothing | undefined;
}

/** As in Chen and Cherry (WMT 2014). */
export type Smoothing =
  | { readonly type: 'exp' }
  | { readonly type: 'none' }
  | { readonly type: 'floor'; readonly value?: number | undefined }
  | { readonly type: 'add-k'; readonly value?: number | undefined };

const order = 4;

/**
 * BLEU as sacreBLEU 2 has it, from 0 to 1. `ofSums` gives the score of a corpus; `of` that of one
 * sentence, by as many orders as the sentence has n-grams of.
 *
 * @example
 * bleu().of('The dog bit the man.', ['The dog bit the man.', 'The dog had bit him.']) // 1
 */
export function bleu(options: BleuOptions = {}): CorpusMetric & { readonly signature: string } {
  const { tokenize = '13a', lowercase = false, smoothing = { type: 'exp' } } = options;
  const split = tokenizerOf(tokenize);
  const prepare = (text: string) => split(lowercase ? text.toLowerCase() : text);
  const count = (answer: string, golds: readonly string[]) =>
    countMatches(prepare(answer), golds.map(prepare));
  const ofCounts = (counts: ArrayLike<number>) =>
    bleuOf(counts, { smoothing, effectiveOrder: true });
  return {
    ...share('bleu'),
    signature: signatureOf({ tokenize, lowercase, smoothing }),
    count,
    ofCounts,
    of: (answer, golds) => ofCounts(count(answer, golds)),
    ofSums: (sums) => bleuOf(sums, { smoothing, effectiveOrder: false }),
  };
}

/** Lengths of answer and nearest right answer, then matched and all n-grams of each order. */
function countMatches(answer: readonly string[], golds: readonly (readonly string[])[]): number[] {
  const matched: number[] = [];
  const totals: number[] = [];
  for (let n = 1; n <= order; n += 1) {
    matched.push(
      countCommon(countNgrams(answer, n), maxOf(golds.map((gold) => countNgrams(gold, n)))),
    );
    totals.push(Math.max(0, answer.length - n + 1));
  }
  const nearest = nearestLength(
    answer.length,
    golds.map((gold) => gold.length),
  );
  return [answer.length, nearest, ...matched, ...totals];
}

function maxOf(golds: readonly Map<string, number>[]): Map<string, number> {
  const [most = new Map<string, number>(), ...others] = golds;
  for (const gold of others) {
    for (const [ngram, count] of gold) most.set(ngram, Math.max(count, most.get(ngram) ?? 0));
  }
  return most;
}

/** The shorter one of two that are equally near. */
function nearestLength(length: number, golds: readonly number[]): number {
  const [first = 0, ...others] = golds;
  return others.reduce((best, gold) => {
    const gain = Math.abs(best - length) - Math.abs(gold - length);
    return gain > 0 || (gain === 0 && gold < best) ? gold : best;
  }, first);
}

interface Reading {
  readonly smoothing: Smoothing;
  readonly effectiveOrder: boolean;
}

function bleuOf(counts: ArrayLike<number>, { smoothing, effectiveOrder }: Reading): number {
  const [length = 0, goldLength = 0, ...rest] = Array.from(counts);
  const matched = rest.slice(0, order);
  if (matched.every((count) => count === 0)) return 0;
  const precisions = smooth(matched, rest.slice(order), smoothing);
  const orders = effectiveOrder ? precisions.length : order;
  if (precisions.length < orders) return 0;
  const logs = precisions.reduce((sum, precision) => sum + Math.log(precision), 0);
  const brevity = length < goldLength ? Math.exp(1 - goldLength / length) : 1;
  return brevity * Math.exp(logs / orders);
}

/** The precisions of all orders up to the first that has no n-grams. */
function smooth(
  matched: readonly number[],
  totals: readonly number[],
  smoothing: Smoothing,
): number[] {
  const precisions: number[] = [];
  let halvings = 1;
  for (const [index, total] of totals.entries()) {
    const added = smoothing.type === 'add-k' && index > 0 ? smoothingValue(smoothing) : 0;
    const all = total + added;
    const hits = (matched[index] ?? 0) + added;
    if (all === 0) break;
    if (hits === 0) halvings *= 2;
    precisions.push((hits > 0 ? hits : substitute(smoothing, halvings)) / all);
  }
  return precisions;
}

/** What counts as matched where nothing is. */
function substitute(smoothing: Smoothing, halvings: number): number {
  if (smoothing.type === 'exp') return 1 / halvings;
  return smoothing.type === 'floor' ? Math.min(1, smoothingValue(smoothing)) : 0;
}

function smoothingValue(smoothing: Extract<Smoothing, { type: 'floor' | 'add-k' }>): number {
  return smoothing.value ?? (smoothing.type === 'floor' ? 0.1 : 1);
}

interface SignatureParts {
  readonly tokenize: BleuTokenizer;
  readonly lowercase: boolean;
  readonly smoothing: Smoothing;
}

function signatureOf({ tokenize, lowercase, smoothing }: SignatureParts): string {
  const value =
    smoothing.type === 'exp' || smoothing.type === 'none'
      ? ''
      : `[${smoothingValue(smoothing).toFixed(2)}]`;
  const text = lowercase ? 'lc' : 'mixed';
  return `case:${text}|eff:no|tok:${tokenize}|smooth:${smoothing.type}${value}`;
}
