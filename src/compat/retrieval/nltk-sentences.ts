/** Words whose full stop does not end a sentence. */
const abbreviations = new Set(
  'a.m co col corp dr gen gov inc jr lt ltd mr mrs ms p.m prof rep sen sgt sr st u.k u.s vs'.split(
    ' ',
  ),
);

/** A mark that may end a sentence, with quotes and brackets that close after it. */
const sentenceEnd = /[.?!]+(?:["')\]}]+)?(?=\s+\S)/gu;

/**
 * Sentences of a text. A full stop, a question mark or an exclamation mark before white space ends
 * one, unless it belongs to an ellipsis, an abbreviation, an initial before a word, or a number
 * before a word that is not capitalised.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    const end = index + mark.length;
    const rest = text.slice(end).trimStart();
    const before = text.slice(start, index);
    if (!endsSentence(mark, before, rest)) continue;
    sentences.push(text.slice(start, end));
    start = text.length - rest.length;
  }
  return [...sentences, text.slice(start).trimEnd()].filter((sentence) => sentence !== '');
}

function endsSentence(mark: string, before: string, rest: string): boolean {
  if (mark.startsWith('..')) return false;
  if (!mark.startsWith('.')) return true;
  const [word = ''] = before.match(/[^\s("'[{]*$/u) ?? [];
  const isBare = mark === '.';
  if (isBare && /^\p{L}$/u.test(word)) return !/^[\p{L};:,.!?]/u.test(rest);
  if (isBare && /^-?[.,]?\p{Nd}[\p{Nd},.-]*$/u.test(word)) {
    return !/^[\p{Ll};:,.!?]/u.test(rest);
  }
  return !abbreviations.has(word.toLowerCase());
}
