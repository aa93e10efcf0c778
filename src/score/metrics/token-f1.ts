import { pythonWord } from '../../python/text.ts';
import { isWord, segmenterOf } from '../segment/segmenter.ts';
import { share, type TextMetric } from './metric.ts';
import { countCommon, countNgrams, f1Of } from './ngrams.ts';
import { splitWords } from './split-words.ts';

export interface TokenOptions {
  /** Splits words as this language does; left out, words stand between white space. */
  readonly language?: string | undefined;
}

const articles = new RegExp(`(?<![${pythonWord}])(?:a|an|the)(?![${pythonWord}])`, 'gu');

/** A text as SQuAD compares it: lower case, without ASCII punctuation and articles. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(articles, ' ');
}

/**
 * The F-score of common words as in SQuAD, the best one if there are several right answers.
 *
 * @example
 * tokenF1().of('in the city of Paris', ['Paris, France']); // 0.333…
 */
export function tokenF1({ language }: TokenOptions = {}): TextMetric {
  const split = wordSplitter(language);
  const f1 = (own: readonly string[], other: readonly string[]) => {
    // Without words on either side only sameness can tell.
    if (own.length === 0 || other.length === 0) return Number(own.length === other.length);
    const common = countCommon(countNgrams(own, 1), countNgrams(other, 1));
    return f1Of(common, [own.length, other.length]);
  };
  return {
    ...share('token_f1'),
    of(answer, golds) {
      const own = split(answer);
      return golds.reduce((best, gold) => Math.max(best, f1(own, split(gold))), 0);
    },
  };
}

/**
 * 1 if the answer has the words of a right answer, as SQuAD compares them, else 0.
 *
 * @example
 * tokenMatch().of('The Eiffel Tower.', ['eiffel tower']); // 1
 */
export function tokenMatch({ language }: TokenOptions = {}): TextMetric {
  const split = wordSplitter(language);
  return {
    ...share('exact_match'),
    of(answer, golds) {
      const own = split(answer).join(' ');
      return Number(golds.some((gold) => split(gold).join(' ') === own));
    },
  };
}

function wordSplitter(language: string | undefined): (text: string) => string[] {
  if (language === undefined) return (text) => splitWords(normalize(text));
  const segment = segmenterOf(language);
  return (text) => segment(normalize(text)).filter(isWord);
}
