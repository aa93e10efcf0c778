const space =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const ends = new RegExp(`^${space}+|${space}+$`, 'g');
const runs = new RegExp(`${space}+`, 'g');

/** What `str.strip()` leaves: other characters count as white space than in JavaScript. */
export function strip(text: string): string {
  return text.replace(ends, '');
}

/** The text with every run of white space turned into one space. */
export function collapseSpace(text: string): string {
  return text.replace(runs, ' ');
}
