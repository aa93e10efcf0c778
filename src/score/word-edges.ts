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
