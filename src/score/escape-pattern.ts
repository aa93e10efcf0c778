/** The text as a piece of a regular expression (with the `u` flag or without) that matches it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
