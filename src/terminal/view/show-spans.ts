import type { Origin, RowId, Span } from '../../prompt/origin.ts';
import { describeMedia } from '../../prompt/parts/content.ts';
import type { Terminal } from '../terminal.ts';
import type { Paint, Piece } from '../text/pieces.ts';
import { paintOf, tagOf } from './origin-looks.ts';

/** Turns spans into what is shown: the text alone, or with the origin of each span marked. */
export type ShowSpans = (spans: readonly Span[]) => Piece[];

/** The text alone, with marks for what has no text: token ids and, if wanted, the hidden answer. */
export function plainSpans({ colors }: Terminal, { showMask }: { showMask: boolean }): ShowSpans {
  return (spans) =>
    splitParts(spans).flatMap(({ text, tokenIds, media, origin }): Piece[] => {
      if (media) return [{ text: describeMedia(media), paint: colors.cyan, mark: true }];
      if (tokenIds) return [{ text: tokenMark(tokenIds), paint: colors.dim, mark: true }];
      return text === '' && showMask ? maskMark(origin, colors.dim) : [{ text }];
    });
}

/**
 * Origins by colour or, without colours, by brackets; with a tag where an example or the test row
 * starts. Made anew for each prompt: it remembers which example it is in.
 */
export function markedSpans(terminal: Terminal, row: RowId): ShowSpans {
  const { colors, hasColors } = terminal;
  let current: number | undefined;
  const startTag = (origin: Origin): Piece[] => {
    const shot = 'shot' in origin ? origin.shot : undefined;
    if (shot === current || origin.type === 'separator' || origin.type === 'chat-template') {
      return [];
    }
    current = shot;
    const name = shot === undefined ? `row ${row}` : `shot ${shot + 1}`;
    return [{ text: hasColors ? ` ${name} ` : `⟪${name}⟫`, paint: colors.inverse, mark: true }];
  };
  const show = (span: Span) => (hasColors ? colouredSpan(span, colors) : bracketedSpan(span));
  return (spans) => splitParts(spans).flatMap((span) => [...startTag(span.origin), ...show(span)]);
}

/** The text in the colour of its origin; columns, which share one, have their names before them. */
function colouredSpan(span: Span, colors: Terminal['colors']): Piece[] {
  const { origin } = span;
  const shown = showText(span, paintOf(origin, colors));
  if (origin.type !== 'field' || shown.length === 0 || span.text === '') return shown;
  const name = { text: `${tagOf(origin)}:`, paint: colors.dim, mark: true };
  return [name, ...shown];
}

/** Content parts stand on lines of their own. */
function splitParts(spans: readonly Span[]): Span[] {
  return spans.flatMap((span, index): Span[] =>
    index > 0 && (span.media || span.opensPart || spans[index - 1]?.media)
      ? [{ text: '\n', origin: { type: 'separator', name: 'part' } }, span]
      : [span],
  );
}

/** `⟦tag: text⟧`, closed before a line end. Literals have no bracket. */
function bracketedSpan(span: Span): Piece[] {
  const { origin, text } = span;
  if (isWritten(origin) || isPartBreak(origin)) return showText(span, undefined);
  const closesLine = text.endsWith('\n');
  const body = showText(closesLine ? { ...span, text: text.slice(0, -1) } : span, undefined);
  if (text === '' && body.length === 0) return [];
  return [
    { text: `⟦${tagOf(origin)}: `, mark: true },
    ...body,
    { text: closesLine ? '⏎⟧' : '⟧', mark: true },
    ...(closesLine ? [{ text: '\n' }] : []),
  ];
}

/** Marks line ends too, unless they are in what people wrote: there they are no surprise. */
function showText({ origin, text, tokenIds, media }: Span, paint: Paint | undefined): Piece[] {
  if (media) return [{ text: describeMedia(media), paint, mark: true }];
  if (tokenIds) return [{ text: tokenMark(tokenIds), paint, mark: true }];
  if (text === '') return maskMark(origin, paint);
  if (isWritten(origin) || origin.type === 'field' || isPartBreak(origin)) {
    return [{ text, paint }];
  }
  return text.split(/(\n)/).flatMap((part): Piece[] => {
    if (part === '') return [];
    return part === '\n'
      ? [{ text: '⏎', paint, mark: true }, { text: part }]
      : [{ text: part, paint }];
  });
}

/** Whether somebody wrote the text as it is: in a template, or by a function. */
function isWritten({ type }: Origin): boolean {
  return type === 'literal' || type === 'function';
}

function isPartBreak(origin: Origin): boolean {
  return origin.type === 'separator' && origin.name === 'part';
}

/** Where the answer is hidden there is nothing to see, which is worth saying. */
function maskMark(origin: Origin, paint: Paint | undefined): Piece[] {
  if (origin.type !== 'mask') return [];
  const { field, dropped = '' } = origin;
  const before = dropped === '' ? '' : `${dropped.replace(/./gu, '␣')} before it is not sent, `;
  return [{ text: `⟨${before}${field} is hidden⟩`, paint, mark: true }];
}

function tokenMark(ids: readonly number[]): string {
  return `⟨token ${ids.join(' ')}⟩`;
}
