import { foldWidth } from '../text-matching.ts';
import { type Extractor, runChain } from './extractor.ts';
import { afterMarker, answerLine, boxed } from './marked-answer.ts';

/**
 * The same extractors for answers that may run on into a next question, which the model made up:
 * they read what stands before it, if the answer is found there.
 *
 * @example
 * const [find] = untilNextQuestion([lastNumber]);
 * find?.extract('5\n\nQuestion: 3 + 3?\nAnswer: 6')?.value; // '5'
 */
export function untilNextQuestion(extractors: readonly Extractor[]): readonly Extractor[] {
  const readPart = (text: string) => {
    const before = beforeNextQuestion(text);
    return before !== undefined && runChain(extractors, before).found ? before : text;
  };
  return extractors.map(({ name, extract }) => ({
    name,
    extract: (text) => extract(readPart(text)),
  }));
}

const nextQuestion =
  /\n[\s*_#>]*(?:question|problem|exercise|q|問題?|質問|问题?|题目|題目)[^\S\n]*\d*[*_]*[^\S\n]*:/iu;

/** What stands before a line that begins a question, if that is one line or says what the answer is. */
function beforeNextQuestion(text: string): string | undefined {
  const start = foldWidth(text).search(nextQuestion);
  if (start < 0) return undefined;
  const before = text.slice(0, start);
  const lines = before.trim();
  if (lines === '') return undefined;
  const isAnswer = !lines.includes('\n') || stated.some(({ extract }) => extract(before));
  return isAnswer ? before : undefined;
}

const stated = [boxed, afterMarker(['####']), answerLine];
