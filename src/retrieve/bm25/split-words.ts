/** Scripts that are written without spaces between words. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const pieces = new RegExp(
  `(?<run>[${unspaced}]+)|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+(?:['’](?![${unspaced}])\\p{L}+)*`,
  'gu',
);

/**
 * The words of a text, in lower case and without differences of width or accent encoding. Scripts
 * without spaces give every pair of neighbouring characters: dictionaries that find real words
 * differ between versions of the runtime, and with them the examples of a run would.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const { 0: piece, groups } of text.normalize('NFKC').toLowerCase().matchAll(pieces)) {
    if (groups?.run === undefined) words.push(piece);
    else for (const pair of pairsIn(piece)) words.push(pair);
  }
  return words;
}

function pairsIn(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
