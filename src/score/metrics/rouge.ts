import { isWord, segmenterOf } from '../segment/segmenter.ts';
import { commonIndexes, commonLength } from './common-subsequence.ts';
import { share, type TextMetric } from './metric.ts';
import { countCommon, countNgrams } from './ngrams.ts';
import { stem } from './porter-stemmer.ts';
import { checkSizes } from './size-limit.ts';

export type RougeVariant = 'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum';

export const rougeVariants: readonly RougeVariant[] = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum'];

export interface RougeOptions {
  /** Whether English words are compared by their stems. */
  readonly stem?: boolean | undefined;
  /**
   * Splits words as this language does. Left out, words are made of a to z and digits, as rouge-score has
   * them, and those of other scripts than the Latin one of their letters; where no spaces set words apart, each letter is one.
   */
  readonly language?: string | undefined;
  /** Other scripts than the Latin one have no words, as in rouge-score. */
  readonly asciiOnly?: boolean | undefined;
}

const unspaced =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]\\p{M}*';
const anyWord = new RegExp(
  `[a-z0-9]+|${unspaced}|(?:(?!${unspaced}|[\\p{Script=Latin}\\d])[\\p{L}\\p{N}]\\p{M}*)+`,
  'gu',
);

/**
 * ROUGE as the package rouge-score has it: the F-score, the best one if there are several right
 * answers.
 *
 * @example
 * rouge('rougeL').of('testing two', ['testing one two']) // 0.8
 */
export function rouge(variant: RougeVariant, options: RougeOptions = {}): TextMetric {
  const split = wordSplitter(options);
  const measure = measures[variant];
  return {
    ...share(variant),
    of: (answer, golds) =>
      golds.reduce((best, gold) => Math.max(best, measure(answer, gold, split).f1), 0) ||
      // Without words only sameness can tell.
      Number(!options.asciiOnly && split(answer).length === 0 && golds.includes(answer)),
  };
}

export interface OverlapScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Precision, recall and F-score of one variant against one right answer.
 *
 * @example
 * rougeScore({ answer: 'testing two', gold: 'testing one two', variant: 'rouge1' });
 * // { precision: 1, recall: 0.666…, f1: 0.8 }
 */
export function rougeScore(
  { answer, gold, variant }: RougeInput,
  options: RougeOptions = {},
): OverlapScore {
  return measures[variant](answer, gold, wordSplitter(options));
}

export interface RougeInput {
  readonly answer: string;
  readonly gold: string;
  readonly variant: RougeVariant;
}

type Split = (text: string) => string[];

function wordSplitter({ stem: isStemmed = false, language, asciiOnly }: RougeOptions): Split {
  if (language !== undefined) {
    const segment = segmenterOf(language);
    return (text) => segment(text.toLowerCase()).filter(isWord);
  }
  const word = asciiOnly ? /[a-z0-9]+/g : anyWord;
  return (text) => {
    const words: string[] = text.toLowerCase().match(word) ?? [];
    return isStemmed ? words.map((word) => (word.length > 3 ? stem(word) : word)) : words;
  };
}

const measures: Record<RougeVariant, (answer: string, gold: string, split: Split) => OverlapScore> =
  {
    rouge1: (answer, gold, split) => overlapOfNgrams(split(answer), split(gold), 1),
    rouge2: (answer, gold, split) => overlapOfNgrams(split(answer), split(gold), 2),
    rougeL(answer, gold, split) {
      const [own, other] = [split(answer), split(gold)];
      checkSizes({ metric: 'rougeL', answer: own.length, gold: other.length, unit: 'words' });
      return overlap(commonLength(other, own), own.length, other.length);
    },
    rougeLsum: (answer, gold, split) =>
      overlapOfLines(linesOf(answer, split), linesOf(gold, split)),
  };

function overlapOfNgrams(
  answer: readonly string[],
  gold: readonly string[],
  order: number,
): OverlapScore {
  const common = countCommon(countNgrams(answer, order), countNgrams(gold, order));
  return overlap(common, answer.length - order + 1, gold.length - order + 1);
}

function overlap(common: number, answer: number, gold: number): OverlapScore {
  if (common === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = common / answer;
  const recall = common / gold;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function linesOf(text: string, split: Split): string[][] {
  return text.split('\n').map(split);
}

/** Each line of the gold answer counts what it has in common with any line; no word counts twice. */
function overlapOfLines(
  answer: readonly (readonly string[])[],
  gold: readonly (readonly string[])[],
): OverlapScore {
  const [own, other] = [answer.flat(), gold.flat()];
  checkSizes({ metric: 'rougeLsum', answer: own.length, gold: other.length, unit: 'words' });
  const left = [countNgrams(own, 1), countNgrams(other, 1)];
  const lines = answer.map((words) => ({ words, all: new Set(words) }));
  let hits = 0;
  for (const line of gold) {
    // Most lines have no word in common, and looking for the longest sequence takes far longer.
    const alike = lines.filter(({ all }) => line.some((word) => all.has(word)));
    const indexes = new Set(alike.flatMap(({ words }) => commonIndexes(line, words)));
    for (const [index, word] of line.entries()) {
      if (!indexes.has(index) || left.some((counts) => (counts.get(word) ?? 0) === 0)) continue;
      hits += 1;
      for (const counts of left) counts.set(word, (counts.get(word) ?? 0) - 1);
    }
  }
  return overlap(hits, own.length, other.length);
}
