import { type PartForm, putAt } from './part-form.ts';

/** A piece of what a message says, where it says more than text. */
export type ContentPart = TextPart | MediaPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export type Modality = 'image' | 'audio' | 'video';

/** A medium by reference. The engine never reads it; whoever sends the prompt does. */
export interface MediaPart {
  readonly type: Modality;
  /** As the data name it: an address, a path, or the bytes in base64. */
  readonly source: string;
  /** What it holds, once that was looked at; what lies elsewhere is not looked at. */
  readonly content?: MediaContent | undefined;
  /** Left out where the part is `{type: image_url, image_url: {url}}` or the like, and nothing more. */
  readonly form?: PartForm | undefined;
}

export interface MediaContent {
  readonly sha256: string;
  /** As the bytes say, such as `image/png`. */
  readonly mediaType: string;
  readonly bytes: number;
  /** The address to send: the medium itself as a data URL, read when it is asked for. */
  readonly address: () => Promise<string>;
}

/** What a message says: text, or text and media in order. */
export type Content = string | readonly ContentPart[];

/**
 * The readable text of a content: its text, with media named where they stand.
 *
 * @example
 * contentText([{ type: 'text', text: 'What is this?' }, { type: 'image', source: 'cat.png' }]);
 * // 'What is this?\n⟨image, cat.png⟩'
 */
export function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : describeMedia(part))).join('\n');
}

/**
 * Only the text of a content, as it is counted.
 *
 * @example
 * textOnly([{ type: 'text', text: 'What is this?' }, { type: 'image', source: 'cat.png' }]);
 * // 'What is this?'
 */
export function textOnly(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const longestSource = 60;
/** No name of a file is longer. */
const longestName = 255;
const longestPath = 500;

/**
 * A source to be read by people: never the bytes themselves.
 *
 * @example
 * shownSource('data:image/png;base64,iVBORw0KGgo='); // 'data:image/png;base64,… (12 characters)'
 */
export function shownSource(source: string): string {
  const [, head, payload] = /^(data:[^,]{0,100},)(.*)$/is.exec(source) ?? [];
  if (head !== undefined && payload !== undefined) return `${head}${shownBytes(payload)}`;
  if (isBase64Like(source)) return `base64 ${shownBytes(source.replace(/^file:\/\//i, ''))}`;
  const shown = source.replace(
    quotedBytes,
    (_, mark: string, bytes: string) => `${mark}${shownBytes(bytes)}${mark}`,
  );
  return shown.length > longestSource ? `${shown.slice(0, longestSource)}…` : shown;
}

/** Bytes in what should be a path: a mapping that a column holds, for one. */
const quotedBytes = /(["'])([A-Za-z0-9+/_-]{65,}={0,2})\1/g;

/** Whether a source may be said whole: a path, however long, and no bytes. */
export function isPathLike(source: string): boolean {
  return (
    source.length <= longestPath &&
    !/^data:|["'{}\n]/i.test(source) &&
    (source.length <= longestSource || /[.]/.test(source.slice(1)))
  );
}

/** Whether it is bytes in base64, whole or damaged, rather than a path. */
export function isBase64Like(source: string): boolean {
  const bytes = source.replace(/^file:\/\//i, '');
  const { length } = bytes;
  if (length <= longestSource || /\.\w{1,5}$/.test(bytes)) return false;
  // PNG, JPEG, GIF and RIFF.
  if (/^(iVBORw|\/9j\/|R0lGOD|UklGR)/.test(bytes)) return true;
  return length > longestName && bytes.replace(/[\w+/=\s-]/g, '').length <= length / 20;
}

function shownBytes(payload: string): string {
  return payload.startsWith('…') ? payload : `… (${payload.length} characters)`;
}

/**
 * Describes a media file by type, size, hash and source, such as `⟨image/png, 70 bytes, sha256 1f…, a.png⟩`.
 *
 * @example
 * describeMedia({ type: 'image', source: 'cat.png' }); // '⟨image, cat.png⟩'
 */
export function describeMedia({ type, source, content }: MediaPart): string {
  const shown = shownSource(source);
  if (!content) return `⟨${type}, ${shown}⟩`;
  const { mediaType, bytes, sha256 } = content;
  const size = `${bytes} byte${bytes === 1 ? '' : 's'}`;
  return `⟨${mediaType}, ${size}, sha256 ${sha256.slice(0, 16)}, ${shown}⟩`;
}

/** Contents of one role that follow each other; text beside media is a part of its own. */
export function joinContents(first: Content, second: Content, glue: '' | '\n'): Content {
  if (typeof first === 'string' && typeof second === 'string') {
    return first + (first === '' || second === '' ? '' : glue) + second;
  }
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: Content): readonly ContentPart[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** A medium as configs and chat APIs write it, with this in its place. */
export function writeMedia({ type, form }: MediaPart, medium: string): Record<string, unknown> {
  if (form) return putAt(form.part, form.at, medium) as Record<string, unknown>;
  return { type: `${type}_url`, [`${type}_url`]: { url: medium } };
}

/** Content parts as configs and chat APIs write them, with sources as addresses. */
export function plainParts(parts: readonly ContentPart[]): Record<string, unknown>[] {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : writeMedia(part, part.source),
  );
}

/**
 * Messages by content, independent of where their media are stored.
 *
 * @example
 * const address = async () => 'data:image/png;base64,…';
 * const content = { sha256: '9f86d081', mediaType: 'image/png', bytes: 70, address };
 * identifyMessages([{ role: 'user', content: [{ type: 'image', source: 'a.png', content }] }]);
 * // [{ role: 'user', content: [{ type: 'image', sha256: '9f86d081' }] }]
 */
export function identifyMessages(
  messages: readonly { readonly role: string; readonly content: Content }[],
): readonly unknown[] {
  if (messages.every(({ content }) => typeof content === 'string')) return messages;
  return messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(identifyPart),
  }));
}

function identifyPart(part: ContentPart): unknown {
  if (part.type === 'text' || !part.content) return part;
  const { type, content, form } = part;
  return { type, sha256: content.sha256, ...(form && { form: form.part }) };
}
