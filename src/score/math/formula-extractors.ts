import { type Extraction, type Extractor, trimmedSlice } from '../extract/extractor.ts';
import { parseMath } from './parse-math.ts';
import { plainNames, unitNames } from './vocabulary.ts';

const delimiters = /\\[()[\]]|\${1,2}|\\[\s\S]/g;
const closerOf = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$', '$'],
  ['$$', '$$'],
]);

/** What stands in the last `$…$`, `\(…\)` or `\[…\]`. */
export const lastFormula: Extractor = {
  name: 'last-formula',
  extract(text) {
    let open: { readonly closer: string; readonly start: number } | undefined;
    let last: Extraction | undefined;
    for (const { 0: mark, index } of text.matchAll(delimiters)) {
      const end = index + mark.length;
      if (open && mark === open.closer && !isPrice(text, index, end)) {
        last = trimmedSlice(text, open.start, index) ?? last;
        open = undefined;
      } else if (!open) {
        const closer = closerOf.get(mark);
        if (closer) open = { closer, start: end };
      }
    }
    return last;
  },
};

/** Whether the mark at a position is the dollar of a price, which ends no formula. */
function isPrice(text: string, start: number, end: number): boolean {
  return (
    text.charAt(start) === '$' && /^(?:\s.|.\d)$/s.test(text.charAt(start - 1) + text.charAt(end))
  );
}

/** The whole text, if it is one line and can be read as a formula. */
export const wholeFormula: Extractor = {
  name: 'formula',
  extract(text) {
    const found = trimmedSlice(text, 0, text.length);
    if (!found || /[\n\r]/.test(found.value) || found.value.length > 500) return undefined;
    return !isProse(found.value) && parseMath(found.value) ? found : undefined;
  },
};

/** Whether there are words in it, which could be read as products of their letters. */
function isProse(text: string): boolean {
  const plain = text.replaceAll(
    /\\(?:text\w*|mathrm|operatorname)\s*\{[^{}]*\}|\\[a-zA-Z]+/g,
    ' + ',
  );
  return Array.from(plain.matchAll(/\p{L}{2,}/gu)).some(({ 0: word, index }) => {
    const isKnown = plainNames.has(word.toLowerCase()) || unitNames.has(word.toLowerCase());
    const isFollowed = /^\s+[\p{L}\d]/u.test(plain.slice(index + word.length));
    return !isKnown && (word.length > 2 || isFollowed);
  });
}
