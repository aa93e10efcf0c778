/**
 * What Python's `\s` matches and `strip` removes, for use inside a character class. JavaScript's
 * `\s` has U+FEFF instead of U+001C–U+001F and U+0085.
 */
export const pythonSpace =
  '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What Python's `\w` matches, for use inside a character class. */
export const pythonWord = '\\p{L}\\p{N}_';

const anySpace = new RegExp(`[${pythonSpace}]`, 'u');

/** Python's `text.strip()`. */
export function stripText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && anySpace.test(text.charAt(start))) start += 1;
  while (end > start && anySpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
