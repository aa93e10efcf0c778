import type { Origin, Span, TemplatePosition } from '../prompt/origin.ts';

/** A string that knows where each of its characters came from. Never changes. */
export class TracedText {
  readonly text: string;
  readonly spans: readonly Span[];

  constructor(text: string, spans: readonly Span[]) {
    this.text = text;
    this.spans = spans;
  }
}

export type Text = string | TracedText;

/** Origin of text that reached a prompt without passing through a template or a row. */
const untracedOrigin: Origin = { type: 'literal', at: { path: [], start: 0 } };

/** Gives the whole of a text one origin. An empty text keeps its span only as a mask. */
export function traceText(text: string, origin: Origin): TracedText {
  const kept = text !== '' || origin.type === 'mask';
  return new TracedText(text, kept ? [{ text, origin }] : []);
}

export function toTraced(text: Text): TracedText {
  return typeof text === 'string' ? traceText(text, untracedOrigin) : text;
}

export function plainText(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

export function concatTexts(parts: readonly Text[]): TracedText {
  const traced = parts.map(toTraced);
  return new TracedText(
    traced.map((part) => part.text).join(''),
    traced.flatMap((part) => part.spans),
  );
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The part between two offsets. */
export function sliceText(text: TracedText, { start, end }: Range): TracedText {
  const spans: Span[] = [];
  let offset = 0;
  for (const span of text.spans) {
    const from = Math.max(start, offset);
    const to = Math.min(end, offset + span.text.length);
    if (from < to || (from === to && span.text === '')) {
      spans.push(cutSpan(span, { start: from - offset, end: to - offset }));
    }
    offset += span.text.length;
    if (offset > end) break;
  }
  return new TracedText(text.text.slice(start, end), spans);
}

/** Splits at every occurrence of a separator that is not empty. */
export function splitText(text: TracedText, separator: string): TracedText[] {
  const pieces: TracedText[] = [];
  let start = 0;
  for (const at of occurrences(text.text, separator)) {
    pieces.push(sliceText(text, { start, end: at }));
    start = at + separator.length;
  }
  pieces.push(sliceText(text, { start, end: text.text.length }));
  return pieces;
}

/** The characters as Python counts them: code points, not halves of surrogate pairs. */
export function splitCharacters(text: TracedText): TracedText[] {
  let offset = 0;
  return [...text.text].map((character) => {
    const start = offset;
    offset += character.length;
    return sliceText(text, { start, end: offset });
  });
}

export interface TextReplacement {
  readonly needle: string;
  readonly replacement: Text | ((origin: Origin) => TracedText);
}

/**
 * Replaces every occurrence as Python's `str.replace` does. The replacement may depend on the
 * origin of the first character that it replaces. An empty needle matches around every character.
 */
export function replaceText(
  text: TracedText,
  { needle, replacement }: TextReplacement,
): TracedText {
  const replaceAt = (offset: number): Text =>
    typeof replacement === 'function' ? replacement(originAt(text, offset)) : replacement;
  if (needle === '') {
    const characters = splitCharacters(text);
    return concatTexts([...characters.flatMap((each) => [replaceAt(0), each]), replaceAt(0)]);
  }
  const parts: Text[] = [];
  let start = 0;
  for (const at of occurrences(text.text, needle)) {
    parts.push(sliceText(text, { start, end: at }), replaceAt(at));
    start = at + needle.length;
  }
  if (parts.length === 0) return text;
  parts.push(sliceText(text, { start, end: text.text.length }));
  return concatTexts(parts);
}

/** Changes the origin of every span. */
export function mapOrigins(text: TracedText, change: (origin: Origin) => Origin): TracedText {
  return new TracedText(
    text.text,
    text.spans.map((span) => ({ ...span, origin: change(span.origin) })),
  );
}

/** The position in the config that an origin points to. */
export function positionOf(origin: Origin): TemplatePosition {
  if ('at' in origin) return origin.at;
  return { path: ['retriever', origin.name], start: 0 };
}

/** The number of the example that an origin belongs to. */
export function shotOf(origin: Origin): number | undefined {
  return 'shot' in origin ? origin.shot : undefined;
}

function originAt(text: TracedText, offset: number): Origin {
  let start = 0;
  for (const span of text.spans) {
    if (offset < start + span.text.length)
      return cutSpan(span, { start: offset - start, end: offset - start }).origin;
    start += span.text.length;
  }
  return untracedOrigin;
}

function cutSpan(span: Span, { start, end }: Range): Span {
  const { origin } = span;
  const text = span.text.slice(start, end);
  if (start === 0 || !isVerbatim(origin)) return { ...span, text };
  const at = { path: origin.at.path, start: origin.at.start + start };
  return { ...span, text, origin: { ...origin, at } };
}

/** Whether the text of a span is that of the config at its position, so that both move together. */
function isVerbatim(
  origin: Origin,
): origin is Exclude<Origin, { type: 'separator' | 'chat-template' }> {
  return ['literal', 'role', 'default', 'meta'].includes(origin.type);
}

function* occurrences(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    yield at;
  }
}
