import type { Span } from '../../prompt/origin.ts';
import { isUsualForm } from '../../prompt/parts/part-form.ts';
import { Float } from '../../prompt/values.ts';
import { pyStr } from '../../python/repr.ts';
import { plainText, type Text, toTraced } from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';

const urlKeys = { image_url: 'image', audio_url: 'audio', video_url: 'video' } as const;

/** The spans of a list of content parts, or nothing if it holds anything else. */
export function contentPartSpans(content: PyValue): Span[] | undefined {
  if (!Array.isArray(content)) return undefined;
  if (content.length === 0) return [noParts];
  const parts = content.map(partSpans);
  return parts.every((spans) => spans !== undefined) ? parts.flat() : undefined;
}

/** Content of parts without any part is a list all the same. */
const noParts: Span = { text: '', origin: { type: 'separator', name: 'part' }, opensPart: true };

function partSpans(part: PyValue): readonly Span[] | undefined {
  if (!(part instanceof PyDict)) return undefined;
  const text = part.get('text');
  if (text !== undefined && isText(text)) return openPart(text);
  for (const [key, type] of Object.entries(urlKeys)) {
    const target = part.get(key);
    const isNested = target instanceof PyDict;
    const url = isNested ? target.get('url') : target;
    if (url === undefined || !isText(url)) continue;
    const origin = toTraced(url).spans.at(-1)?.origin ?? { type: 'separator', name: 'part' };
    const form = { part: plainDict(part), at: isNested ? [key, 'url'] : [key] };
    const media = { type, source: plainText(url), ...(!isUsualForm(form) && { form }) };
    return [{ text: '', origin, media }];
  }
  return undefined;
}

/** Keys in the order in which the original sends them. */
function plainDict(dict: PyDict): Record<string, unknown> {
  return Object.fromEntries(dict.entries().map(([key, value]) => [pyStr(key), plainValue(value)]));
}

function plainValue(value: PyValue): unknown {
  if (isText(value)) return plainText(value);
  if (value instanceof PyDict) return plainDict(value);
  if (Array.isArray(value)) return value.map(plainValue);
  return value instanceof Float ? value.value : value;
}

function openPart(text: Text): readonly Span[] {
  const [first, ...others] = toTraced(text).spans;
  return first ? [{ ...first, opensPart: true }, ...others] : [];
}
