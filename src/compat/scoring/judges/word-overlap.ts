import { pythonWord } from '../../../python/text.ts';
import { commonIndexes } from '../../../score/metrics/common-subsequence.ts';
import { countCommon, countNgrams, f1Of } from '../../../score/metrics/ngrams.ts';
import { splitWords } from '../../../score/metrics/split-words.ts';
import { segmenterOf } from '../../../score/segment/segmenter.ts';

export type Language = 'en' | 'zh';

const articles = new RegExp(`(?<![${pythonWord}])(?:a|an|the)(?![${pythonWord}])`, 'gu');

/** A text as SQuAD compares it: small letters, without ASCII punctuation and articles. */
export function plainWordsOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(articles, ' ');
  return splitWords(plain).join(' ');
}

const marks =
  /[!-/:-@[-`{-~！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀ ｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏]/gu;

/** The words of a text that are compared; Chinese ones by the dictionary. */
export function wordsOf(text: string, language: Language): string[] {
  if (language === 'en') return splitWords(plainWordsOf(text));
  return segmenterOf('zh')(text)
    .map((word) => splitWords(word.toLowerCase().replace(marks, '')).join(''))
    .filter((word) => word !== '');
}

/** The F-score of the words that two texts have in common. */
export function overlapOf(own: readonly string[], other: readonly string[]): number {
  return f1Of(countCommon(countNgrams(own, 1), countNgrams(other, 1)), [own.length, other.length]);
}

/**
 * ROUGE-L as the package `rouge` has it: of sentences that end with a full stop, by the different
 * words of their longest common sequences.
 */
export function summaryRouge(answer: string, gold: string): number {
  const [own, other] = [sentencesOf(answer), sentencesOf(gold)];
  if (own.length === 0 || other.length === 0) return 0;
  const common = new Set(
    other.flatMap((sentence) =>
      own.flatMap((said) => commonIndexes(said, sentence).map((index) => said[index])),
    ),
  );
  const [precision, recall] = [own, other].map(
    (sentences) => common.size / new Set(sentences.flat()).size,
  ) as [number, number];
  return (2 * precision * recall) / (precision + recall + 1e-8);
}

function sentencesOf(text: string): string[][] {
  return text
    .split('.')
    .filter((sentence) => sentence !== '')
    .map((sentence) => splitWords(sentence).join(' ').split(' '));
}
