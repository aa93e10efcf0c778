import { sniffMediaType } from './sniff.ts';

/** What a source in the data stands for. */
export type MediaSource =
  | { readonly type: 'remote' }
  /** The bytes themselves, in base64; `declared` is the media type that the data claim. */
  | { readonly type: 'inline'; readonly declared: string | undefined; readonly payload: string }
  | { readonly type: 'file'; readonly path: string };

/** Tells addresses, data URLs, bare base64 and paths apart. */
export function readMediaSource(source: string): MediaSource {
  if (/^https?:\/\//i.test(source)) return { type: 'remote' };
  const data = /^data:([^;,]*)[^,]*;base64,/i.exec(source);
  if (data) {
    return {
      type: 'inline',
      declared: data[1] || undefined,
      payload: source.slice(data[0].length),
    };
  }
  if (isBareBase64(source)) return { type: 'inline', declared: undefined, payload: source };
  return { type: 'file', path: source.replace(/^file:\/\//i, '') };
}

const sniffedCharacters = 64;

/** No path begins like a known medium in base64. */
function isBareBase64(source: string): boolean {
  const head = source.slice(0, sniffedCharacters);
  if (head.length < 16 || !/^[A-Za-z0-9+/]+={0,2}$/.test(head)) return false;
  const type = sniffMediaType(Buffer.from(head, 'base64'));
  // Three letters are enough to look like MPEG frames or a bitmap.
  return type !== undefined && type !== 'audio/mpeg' && type !== 'image/bmp';
}
