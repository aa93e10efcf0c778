/** Gives full-width letters, digits and signs their common form. Every character keeps its position. */
export function foldWidth(text: string): string {
  if (!/[\uff01-\uff5e\u3000]/.test(text)) return text;
  return text.replace(/[\uff01-\uff5e\u3000]/g, (character) =>
    character === '\u3000' ? ' ' : String.fromCharCode(character.charCodeAt(0) - 0xfee0),
  );
}

/** Lower-case letters throughout; every character keeps its position. */
export function foldCase(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  // A few letters grow when their case changes; they stay as they are.
  return Array.from(text, (character) => {
    const lower = character.toLowerCase();
    return lower.length === character.length ? lower : character;
  }).join('');
}

/** The text as a piece of a regular expression (with the `u` flag or without) that matches it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

// Two characters of one kind belong to one word; a Latin letter after an ideogram starts a new one.
const kinds = [
  /[\p{Script=Latin}\p{N}\p{M}_]/u,
  /[\p{Script=Katakana}ー]/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Han}/u,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hangul}]/u,
];

/** Whether a stretch of a text is a piece of a longer word, such as the D of `B-Day` or `R2-D2`. */
export function isInsideWord(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 3);
  if (joins(before.slice(-1), text.charAt(start))) return true;
  if (joins(text.charAt(end - 1), after.charAt(0))) return true;
  if (!/[\p{Script=Latin}\d]/u.test(text.charAt(start))) return false;
  return (
    /[\p{Script=Latin}\d][-'’.]$|\\$/u.test(before) ||
    /^(?:[-'’][\p{Script=Latin}\d]|\+\+|#|\.\p{Script=Latin}\.|[.,]\d)/u.test(after)
  );
}

function joins(left: string, right: string): boolean {
  return kinds.some((kind) => kind.test(left) && kind.test(right));
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a text is of a script whose words are not set apart, so that it counts wherever it stands. */
export function hasNoSpaces(text: string): boolean {
  return unspaced.test(text);
}

/** The labels of options that are given none. */
export const alphabet: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** A label without what does not tell it from others: case, width, brackets, a point. */
export function plainLabel(text: string): string {
  return foldCase(foldWidth(text))
    .trim()
    .replace(/^\((.*)\)$/s, '$1')
    .replace(/(?<=.)[.)]$/s, '');
}
