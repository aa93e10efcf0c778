import type { Span } from '../prompt/origin.ts';
import type { TracedPrompt } from '../prompt/prompt.ts';

/**
 * Where the part of a label's text begins that is its answer: at the mark of a `sep_token`, or
 * where the label is filled in. Nothing where neither is there.
 */
export function markedStart(prompt: TracedPrompt): number | undefined {
  if (prompt.type !== 'text') return undefined;
  const start = startOf(prompt.spans, isSeparator) ?? startOf(prompt.spans, isLabel);
  return start;
}

function isSeparator({ origin }: Span): boolean {
  return origin.type === 'separator' && origin.name === 'sep_token';
}

function isLabel({ origin }: Span): boolean {
  return origin.type === 'label';
}

function startOf(spans: readonly Span[], matches: (span: Span) => boolean): number | undefined {
  let start = 0;
  for (const span of spans) {
    if (matches(span)) return start;
    start += span.text.length;
  }
  return undefined;
}

/** Where texts begin to differ, moved back to the start of the word. */
export function differingStart(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  let start = 0;
  while (start < first.length && others.every((text) => text[start] === first[start])) start++;
  while (start > 0 && !/\s/.test(first[start - 1] ?? '')) start--;
  return start;
}
