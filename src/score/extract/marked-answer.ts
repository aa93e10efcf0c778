import { escapePattern, foldWidth } from '../text-matching.ts';
import { type Extractor, runChain, trimmedSlice } from './extractor.ts';
import { firstLineFrom } from './text-extractors.ts';

/** What stands in the last `\boxed{…}`; of nested boxes, in the innermost. */
export const boxed: Extractor = {
  name: 'boxed',
  extract(text) {
    // Where each open brace's content starts; undefined where the brace opens no box.
    const open: (number | undefined)[] = [];
    let last: readonly [start: number, end: number] | undefined;
    for (const match of text.matchAll(/\\(?:boxed|fbox)\s*\{|\\[\s\S]|[{}]/g)) {
      const end = match.index + match[0].length;
      if (match[0] === '{') open.push(undefined);
      else if (match[0].length > 2) open.push(end);
      else if (match[0] === '}') {
        const start = open.pop();
        if (start !== undefined && start > (last?.[0] ?? -1)) last = [start, match.index];
      }
    }
    return last && trimmedSlice(text, ...last);
  },
};

/**
 * The rest of the line after the last of the markers, or the next line that is not blank. Case
 * and width of letters do not matter, nor does Markdown emphasis around the marker or the answer.
 *
 * @example
 * afterMarker(['Answer:']).extract('It is a sum.\n**Answer:** 42')?.value; // '42'
 */
export function afterMarker(markers: readonly string[]): Extractor {
  return afterAny(markers, /^[*_\s]*/);
}

/** `skipped` is what stands between a marker and what is looked for. */
function afterAny(markers: readonly string[], skipped: RegExp): Extractor {
  const anyMarker = new RegExp(
    markers.map((marker) => escapePattern(foldWidth(marker))).join('|'),
    'gi',
  );
  return {
    name: 'after-marker',
    extract(text) {
      const folded = foldWidth(text);
      const match = [...folded.matchAll(anyMarker)].at(-1);
      if (!match) return undefined;
      const after = match.index + match[0].length;
      const gap = skipped.exec(folded.slice(after))?.[0].length ?? 0;
      const line = firstLineFrom(text, after + gap);
      if (!line) return undefined;
      let end = line.end;
      while (/[*_\s]/.test(text.charAt(end - 1))) end -= 1;
      return trimmedSlice(text, line.start, end);
    },
  };
}

/**
 * The line that says what the answer is: the rest of the line after the words for it and a colon, or
 * the next one that is more than the beginning of a formula or of a block of code.
 */
export const answerLine: Extractor = afterAny(
  ['answer is', 'answer:', '答えは', '答え:', '正解は', '正解:', '答案是', '答案:'],
  /^(?:[*_\s:]|(?:\$\$|\\\[|```\w*)[^\S\n\r]*[\n\r])*/,
);

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
