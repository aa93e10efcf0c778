/**
 * What Python's `\s` matches and `strip` removes, for use inside a character class. JavaScript's
 * `\s` has U+FEFF instead of U+001C–U+001F and U+0085.
 */
export const pythonSpace =
  '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** What Python's `\w` matches, for use inside a character class. */
export const pythonWord = '\\p{L}\\p{N}_';

/** What `str.isdigit` takes for a digit: raised and lowered ones too. */
export const pythonDigit = '[\\p{Nd}²³¹⁰⁴-⁹₀-₉]';

const oneSpace = /* @__PURE__ */ spacePattern('');
const spaces = /* @__PURE__ */ spacePattern('+', 'g');

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code > 0x20 && code < 0x85) return false;
  return oneSpace.test(text.charAt(index));
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

/** Whether there is nothing but white space, or nothing at all. */
export function isBlank(text: string): boolean {
  return leadingSpace(text) === text.length;
}

/** Python's `text.strip()`. */
export function stripText(text: string): string {
  return text.slice(leadingSpace(text), trailingSpace(text));
}

/** The text with every run of white space turned into one space. */
export function collapseSpace(text: string): string {
  return text.replace(spaces, ' ');
}

/** Python's `text.split()`. */
export function splitWords(text: string): string[] {
  return text.split(spaces).filter((word) => word !== '');
}

/** Python's `len(text)`: code points, not halves of surrogate pairs. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs;
}

/** The first `count` code points. */
export function takeCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('');
}

/** Order by code point, as in Python; that of UTF-16 differs above U+FFFF. */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  // Inside a pair, its first half is where the characters begin to differ.
  if (at > 0 && (left.charCodeAt(at - 1) & 0xfc00) === 0xd800) at--;
  const [character, other] = [left.codePointAt(at), right.codePointAt(at)];
  if (character === undefined || other === undefined) return left.length - right.length;
  return character - other;
}

function spacePattern(times: string, flags?: string): RegExp {
  return new RegExp(`[${pythonSpace}]${times}`, flags);
}
