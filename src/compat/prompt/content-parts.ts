import type { Span } from '../../prompt/origin.ts';
import { plainText, type Text, toTraced } from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';

const urlKeys = { image_url: 'image', audio_url: 'audio', video_url: 'video' } as const;

/** The spans of a list of content parts, or nothing if it holds anything else. */
export function contentPartSpans(content: PyValue): Span[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts = content.map(partSpans);
  return parts.every((spans) => spans !== undefined) ? parts.flat() : undefined;
}

function partSpans(part: PyValue): readonly Span[] | undefined {
  if (!(part instanceof PyDict)) return undefined;
  const text = part.get('text');
  if (text !== undefined && isText(text)) return openPart(text);
  for (const [key, type] of Object.entries(urlKeys)) {
    const target = part.get(key);
    const url = target instanceof PyDict ? target.get('url') : target;
    if (url === undefined || !isText(url)) continue;
    const origin = toTraced(url).spans.at(-1)?.origin ?? { type: 'separator', name: 'part' };
    return [{ text: '', origin, media: { type, source: plainText(url) } }];
  }
  return undefined;
}

function openPart(text: Text): readonly Span[] {
  const [first, ...others] = toTraced(text).spans;
  return first ? [{ ...first, opensPart: true }, ...others] : [];
}
