import { escapeMarkup } from '../escape-markup.ts';

/** Spaces within `95 %` and `p = 0.03`, which stay on one line. */
const inner = /(?<=\bp [<=]) | (?=%|[<=] \d)/g;

/** A sentence for a page. */
export function flowHtml(text: string): string {
  return escapeMarkup(text.replaceAll(inner, '\u00a0'));
}

/** The parts of a sentence that lines may break between. */
export function breakableParts(text: string): string[] {
  return text
    .replaceAll(inner, '\u00a0')
    .split(' ')
    .map((part) => part.replaceAll('\u00a0', ' '));
}
