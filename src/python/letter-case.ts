const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u;

/** Python's `str.capitalize`. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Python's `str.title`: a letter is upper case when no letter stands before it. */
export function titleCase(text: string): string {
  let result = '';
  let afterLetter = false;
  for (const character of text) {
    result += afterLetter ? character.toLowerCase() : character.toUpperCase();
    afterLetter = cased.test(character);
  }
  return result;
}

/** Python's `str.swapcase`. */
export function swapCase(text: string): string {
  let result = '';
  for (const character of text) {
    const upper = character.toUpperCase();
    result += character === upper ? character.toLowerCase() : upper;
  }
  return result;
}

/** Python's `str.islower`. */
export function isLower(text: string): boolean {
  return cased.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text);
}

/** Python's `str.isupper`. */
export function isUpper(text: string): boolean {
  return cased.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text);
}
