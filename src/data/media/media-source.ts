/** What a source in the data stands for. */
export type MediaSource =
  | { readonly type: 'remote' }
  /** The bytes themselves, in base64; `declared` is the media type that the data claim. */
  | { readonly type: 'inline'; readonly declared: string | undefined; readonly payload: string }
  /** A data URL whose bytes are not in base64. */
  | { readonly type: 'unread' }
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
  if (/^data:/i.test(source)) return { type: 'unread' };
  const path = source.replace(/^file:\/\//i, '');
  // Also after the prefix of a template that is meant for files.
  if (isBareBase64(path)) return { type: 'inline', declared: undefined, payload: path };
  return { type: 'file', path };
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

type Test = (head: Buffer) => boolean;

const startsWith =
  (text: string, at = 0): Test =>
  (head) =>
    head.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

const riff =
  (form: string): Test =>
  (head) =>
    startsWith('RIFF')(head) && startsWith(form, 8)(head);

/** Files of the ISO family name their brand after `ftyp`. */
const brand =
  (names: RegExp): Test =>
  (head) =>
    startsWith('ftyp', 4)(head) && names.test(head.toString('latin1', 8, 12));

const ebml =
  (kind: string): Test =>
  (head) =>
    startsWith('\x1a\x45\xdf\xa3')(head) && head.includes(kind);

/** An MPEG audio frame: eleven set bits, then a version, a layer and a bit rate that exist. */
const mpegFrame: Test = (head) => {
  const [first = 0, second = 0, third = 0] = head;
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    (second & 0x18) !== 0x08 &&
    (second & 0x06) !== 0 &&
    (third & 0xf0) !== 0xf0
  );
};

const tests: readonly (readonly [string, Test])[] = [
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => startsWith('GIF87a')(head) || startsWith('GIF89a')(head)],
  ['image/webp', riff('WEBP')],
  ['image/bmp', (head) => startsWith('BM')(head) && head.length >= 14],
  ['audio/wav', riff('WAVE')],
  ['video/x-msvideo', riff('AVI ')],
  ['audio/flac', startsWith('fLaC')],
  ['video/ogg', (head) => startsWith('OggS')(head) && head.includes('\x80theora', 0, 'latin1')],
  ['audio/ogg', startsWith('OggS')],
  ['audio/mp4', brand(/^M4[AB] /)],
  ['video/quicktime', brand(/^qt {2}/)],
  ['video/mp4', brand(/^(isom|iso\d|mp4\d|avc1|M4V |M4VP|dash|MSNV|3gp.|3g2.|mmp4|f4v )/)],
  ['video/webm', ebml('webm')],
  ['video/x-matroska', ebml('matroska')],
  ['audio/mpeg', (head) => startsWith('ID3')(head) || mpegFrame(head)],
];

/** How many bytes are enough to tell. */
export const sniffedBytes = 4096;

/** The media type that the first bytes of a file say, whatever its name says. */
export function sniffMediaType(head: Buffer): string | undefined {
  return tests.find(([, matches]) => matches(head))?.[0];
}
