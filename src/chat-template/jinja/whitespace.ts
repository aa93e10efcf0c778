/** What Python's `str.isspace` and `\s` accept, as the inside of a character class. */
export const SPACE =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const space = new RegExp(`[${SPACE}]`);

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code > 0x20 && code < 0x85) return false;
  return space.test(text.charAt(index));
}

export function isBlank(text: string): boolean {
  return leadingSpace(text) === text.length;
}

/** Index of the first character that is not white space. */
export function leadingSpace(text: string): number {
  let start = 0;
  while (start < text.length && isSpace(text, start)) start += 1;
  return start;
}

/** Index after the last character that is not white space. */
export function trailingSpace(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text, end - 1)) end -= 1;
  return end;
}
