import { nearestName } from '../../base/nearest-name.ts';
import { DataError } from '../../errors.ts';
import type { Modality } from './content.ts';

/** A stretch of tagged content. */
export interface Segment {
  readonly type: 'text' | Modality;
  readonly value: string;
}

const closer = '<AIS_CONTENT_TAG>';

const openers: ReadonlyMap<string, Segment['type']> = new Map([
  ['<AIS_TEXT_START>', 'text'],
  ['<AIS_IMAGE_START>', 'image'],
  ['<AIS_AUDIO_START>', 'audio'],
  ['<AIS_VIDEO_START>', 'video'],
]);

/** Whether a value says with tags which parts it has. */
export function isTagged(value: unknown): value is string {
  return typeof value === 'string' && value.includes('<AIS_');
}

/**
 * Cuts tagged content into its segments, in order. The last one need not be closed.
 *
 * @example
 * splitTagged('<AIS_IMAGE_START>a.png<AIS_CONTENT_TAG><AIS_TEXT_START>What is it?', 'question')
 * // image 'a.png', text 'What is it?'
 */
export function splitTagged(text: string, column: string): Segment[] {
  const segments: Segment[] = [];
  let open: { readonly tag: string; readonly type: Segment['type'] } | undefined;
  let start = 0;
  for (const { 0: tag, index } of text.matchAll(/<AIS_\w*>?/g)) {
    const before = text.slice(start, index);
    start = index + tag.length;
    const type = openers.get(tag);
    if (type === undefined && tag !== closer) throw badTag(tag, column);
    if (!open) checkBlank(before, column);
    else if (type !== undefined) throw neverClosed(open.tag, { before: tag, column });
    else segments.push({ type: open.type, value: before });
    open = type && { tag, type };
  }
  if (open) segments.push({ type: open.type, value: text.slice(start) });
  else checkBlank(text.slice(start), column);
  return segments;
}

function checkBlank(text: string, column: string): void {
  if (text.trim() === '') return;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new DataError(
    'data.text_outside_tags',
    `column \`${column}\`: ${JSON.stringify(shown)} is outside the tags of its content`,
    { hint: `Write <AIS_TEXT_START>…${closer} around it.` },
  );
}

function badTag(tag: string, column: string): DataError {
  const known = [...openers.keys(), closer];
  const near = nearestName(tag, known);
  const what = tag.endsWith('>') ? `has the unknown tag ${tag}` : `has the unfinished tag ${tag}`;
  return new DataError('data.unknown_tag', `column \`${column}\` ${what}`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}Tags: ${known.join(', ')}.`,
  });
}

function neverClosed(
  tag: string,
  { before, column }: { readonly before: string; readonly column: string },
): DataError {
  return new DataError(
    'data.tag_not_closed',
    `column \`${column}\`: ${tag} is not closed before ${before}`,
    { hint: `End every segment but the last with ${closer}.` },
  );
}
