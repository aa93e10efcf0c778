import type { Span } from '../origin.ts';
import type { Modality } from './content.ts';

const tag = /\n*<(image|audio|video)>\n*/g;

/** How often a text marks with `<image>` or the like where a medium belongs. */
export function countTags(text: unknown, type: Modality): number {
  return typeof text === 'string' ? text.split(`<${type}>`).length - 1 : 0;
}

/** A text cut at the marks of some modalities. The marks and the line breaks beside them go. */
export function splitAtTags(span: Span, types: ReadonlySet<Modality>): (Span | Modality)[] {
  const pieces: (Span | Modality)[] = [];
  let start = 0;
  const addText = (end: number) => {
    if (end > start) pieces.push(sliceSpan(span, start, end));
  };
  for (const match of span.text.matchAll(tag)) {
    const type = match[1] as Modality;
    if (!types.has(type)) continue;
    addText(match.index);
    pieces.push(type);
    start = match.index + match[0].length;
  }
  addText(span.text.length);
  return pieces;
}

function sliceSpan(span: Span, start: number, end: number): Span {
  const { origin } = span;
  const text = span.text.slice(start, end);
  if (origin.type !== 'literal') return { ...span, text };
  const at = { ...origin.at, start: origin.at.start + start };
  return { ...span, text, origin: { ...origin, at } };
}
