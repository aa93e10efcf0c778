import type { CorpusMetric } from './metric.ts';
import { checkSizes } from './size-limit.ts';
import { splitWords } from './split-words.ts';
import { countMovesAndEdits } from './ter-edits.ts';

export interface TerOptions {
  /** Punctuation stands alone, as Tercom splits it off. */
  readonly normalized?: boolean | undefined;
  /** Punctuation is left out. */
  readonly noPunctuation?: boolean | undefined;
  /** Whether the two above know Chinese and Japanese; ideographs are then words of their own. */
  readonly asianSupport?: boolean | undefined;
  readonly caseSensitive?: boolean | undefined;
}

/**
 * Translation edit rate as sacreBLEU 2 has it, with 1 for as many edits as the right answer has
 * words: the fewest edits to any of the right answers, by their mean length.
 *
 * @example
 * ter().of('a cat sat', ['the cat sat']); // 0.333…
 */
export function ter(options: TerOptions = {}): CorpusMetric & { readonly signature: string } {
  const count = (answer: string, golds: readonly string[]): readonly number[] => {
    const words = terWords(answer, options);
    const others = golds.map((gold) => terWords(gold, options));
    for (const { length } of others) {
      checkSizes({ metric: 'ter', answer: words.length, gold: length, unit: 'moved' });
    }
    const edits = Math.min(...others.map((gold) => countMovesAndEdits(words, gold)));
    const size = others.reduce((sum, gold) => sum + gold.length, 0) / others.length;
    return [edits, size];
  };
  return {
    name: 'ter',
    direction: 'lower',
    range: [0, Number.POSITIVE_INFINITY],
    signature: signatureOf(options),
    count,
    of: (answer, golds) => rateOf(count(answer, golds)),
    ofCounts: rateOf,
    ofSums: rateOf,
  };
}

function rateOf(counts: ArrayLike<number>): number {
  const [edits = 0, size = 0] = Array.from(counts);
  if (size > 0) return edits / size;
  return edits > 0 ? 1 : 0;
}

/** What counts as words, which are compared as they are. */
export function terWords(text: string, options: TerOptions): string[] {
  const { normalized, noPunctuation, asianSupport, caseSensitive } = options;
  let prepared = caseSensitive ? text : text.toLowerCase();
  if (normalized) {
    prepared = splitPunctuation(prepared);
    if (asianSupport) prepared = prepared.replace(ideographs, ' $& ').replace(asianMarks, ' $& ');
  }
  if (noPunctuation) {
    prepared = prepared.replace(/[.,?:;!"()]/g, '');
    if (asianSupport) prepared = prepared.replace(asianMarks, '');
  }
  return splitWords(prepared);
}

function splitPunctuation(text: string): string {
  const line = text
    .replaceAll('\n-', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return ` ${line} `
    .replace(/[{-~[-` -&(-+:-@/]/g, ' $& ')
    .replaceAll("'s ", " 's ")
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])-/g, '$1 - ');
}

const ideographs =
  /[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f]/g;
const asianMarks =
  /[\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff61-\uff65]/g;

function signatureOf(options: TerOptions): string {
  const answer = (is: boolean | undefined) => (is ? 'yes' : 'no');
  return [
    `case:${options.caseSensitive ? 'mixed' : 'lc'}`,
    'tok:tercom',
    `norm:${answer(options.normalized)}`,
    `punct:${answer(!options.noPunctuation)}`,
    `asian:${answer(options.asianSupport)}`,
  ].join('|');
}
