/** Spaces within `95%` and `p = 0.03`, which stay on one line. */
const inner = /(?<=\bp [<=]) | (?=%|[<=] \d)/g;

/** A sentence for a page. */
export function flowText(text: string): string {
  return text.replaceAll(inner, '\u00a0');
}

/** The parts of a sentence that lines may break between. */
export function breakableParts(text: string): string[] {
  return flowText(text)
    .split(' ')
    .map((part) => part.replaceAll('\u00a0', ' '));
}
