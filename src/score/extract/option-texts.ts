import { foldCase, foldWidth, hasNoSpaces, isInsideWord } from '../text-matching.ts';
import type { Extraction } from './extractor.ts';

/** One of the options on offer: the label it goes by, and what it says where that is known. */
export interface Option {
  readonly label: string;
  readonly text?: string;
}

const ornament = /[\s*_"'`“”‘’「」『』.。!！]/;

/** The option whose text is the whole answer. */
export function wholeOptionText(
  folded: string,
  options: readonly Option[],
): Extraction | undefined {
  let start = 0;
  let end = folded.length;
  while (start < end && ornament.test(folded.charAt(start))) start += 1;
  while (end > start && ornament.test(folded.charAt(end - 1))) end -= 1;
  const answer = foldCase(folded.slice(start, end));
  const same = options.filter(({ text = '' }) => answer !== '' && normalize(text) === answer);
  return same.length === 1 && same[0] ? { value: same[0].label, start, end } : undefined;
}

/** Where the text of an option appears, if that is the case for one option only. */
export function findOptionText(folded: string, options: readonly Option[]): readonly Extraction[] {
  const lower = foldCase(folded);
  const spans = options
    .flatMap(({ label, text = '' }) => placesOf(label, normalize(text), lower))
    .sort((left, right) => left.start - right.start || right.end - left.end);
  const outer: Extraction[] = [];
  for (const span of spans) {
    const last = outer.at(-1);
    const isPart = last && span.end <= last.end && lengthOf(span) < lengthOf(last);
    if (!isPart) outer.push(span);
  }
  return new Set(outer.map(({ value }) => value)).size === 1 ? outer : [];
}

function placesOf(value: string, text: string, lower: string): Extraction[] {
  const spans: Extraction[] = [];
  let start = text === '' ? -1 : lower.indexOf(text);
  while (start >= 0) {
    const end = start + text.length;
    if (hasNoSpaces(text) || !isInsideWord(lower, start, end)) spans.push({ value, start, end });
    start = lower.indexOf(text, end);
  }
  return spans;
}

function lengthOf({ start, end }: Extraction): number {
  return end - start;
}

function normalize(text: string): string {
  return foldCase(foldWidth(text))
    .trim()
    .replace(/[.。]$/, '');
}
