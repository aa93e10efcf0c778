import type { Origin, Span } from '../../prompt/origin.ts';
import type { TracedPrompt } from '../../prompt/prompt.ts';
import type { TokenWriter } from './request-tokens.ts';

/** A part of a prompt that could stand elsewhere in it. */
export interface PromptPart {
  /** `{column}`, `examples` or `instructions`. */
  readonly name: string;
  readonly tokens: Uint32Array;
}

/** A prompt as its parts, and what comes after them in any order. */
export interface PartedPrompt {
  readonly parts: readonly PromptPart[];
  readonly end: Uint32Array;
}

export const instructions = 'instructions';
const examples = 'examples';

interface OpenPart {
  readonly name: string;
  readonly spans: Span[];
}

/**
 * Cuts a prompt where its template could be put together in another order. What a line has before a
 * column goes with the column, as in `Question: {question}`; other text is instructions. What
 * stands after the last column, such as `Answer:`, and candidate answers stay at the end.
 */
export function promptParts(prompt: TracedPrompt, writer: TokenWriter): PartedPrompt {
  const parts: OpenPart[] = [];
  let loose: Span[] = [];
  const spans =
    prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap(({ spans: own }) => own);
  for (const span of spans) {
    const name = partOf(span.origin);
    const last = parts.at(-1);
    if (name === undefined) {
      loose.push(span);
    } else if (last?.name === name && loose.length === 0) {
      last.spans.push(span);
    } else {
      const { before, lead } = splitLead(loose);
      addText(parts, before);
      // examples have their own text before what they show
      if (name === examples) addText(parts, lead);
      parts.push({ name, spans: name === examples ? [span] : [...lead, span] });
      loose = [];
    }
  }
  const write = (own: readonly Span[]) => {
    writer.clear();
    for (const { text, tokenIds, media } of own) {
      if (media) writer.media(media);
      else if (tokenIds) writer.ids(tokenIds);
      else if (text !== '') writer.text(text);
    }
    writer.fill();
    return writer.view(0).slice();
  };
  return {
    parts: parts.map(({ name, spans: own }) => ({ name, tokens: write(joinTexts(own)) })),
    end: write(joinTexts(loose)),
  };
}

/** Text without a word belongs to what stands before it. */
function addText(parts: OpenPart[], spans: readonly Span[]): void {
  if (spans.length === 0) return;
  const last = parts.at(-1);
  const hasWords = spans.some(({ text, tokenIds }) => tokenIds || /\S/u.test(text));
  if (last && (!hasWords || last.name === instructions)) last.spans.push(...spans);
  else parts.push({ name: instructions, spans: [...spans] });
}

/** The part that a span belongs to; nothing for text that the template has around them. */
function partOf(origin: Origin): string | undefined {
  if ('shot' in origin && origin.shot !== undefined) return examples;
  if (origin.type === 'field') return `{${origin.field}}`;
  if (origin.type === 'separator' && origin.name.startsWith('ice_')) return examples;
  return undefined;
}

/** Parts the last line of some text from the lines before it. */
function splitLead(spans: readonly Span[]): { before: Span[]; lead: Span[] } {
  const index = spans.findLastIndex(({ text }) => text.includes('\n'));
  const span = spans[index];
  if (!span) return { before: [], lead: [...spans] };
  const cut = span.text.lastIndexOf('\n') + 1;
  return {
    before: [...spans.slice(0, index), { ...span, text: span.text.slice(0, cut) }],
    lead: [{ ...span, text: span.text.slice(cut) }, ...spans.slice(index + 1)],
  };
}

/** Neighbouring texts as one, so that they are tokenized as one. */
function joinTexts(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const isText = !span.media && !span.tokenIds;
    if (last && isText && !last.media && !last.tokenIds) {
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    } else joined.push(span);
  }
  return joined;
}
