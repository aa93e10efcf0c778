/** A text with places for values: literals and names take turns, a literal first and last. */
export type TextPattern = readonly string[];

const placeholder = /\{([a-z_]+)\}/;

/** Finds the `{name}` places of a text. */
export function parsePattern(text: string): TextPattern {
  return text.split(placeholder);
}

/** Puts values into their places, in one pass: what a value says is never a place itself. */
export function fillText(pattern: TextPattern, valueAt: (name: string) => string): string {
  let text = '';
  for (const [index, part] of pattern.entries()) text += index % 2 === 0 ? part : valueAt(part);
  return text;
}
