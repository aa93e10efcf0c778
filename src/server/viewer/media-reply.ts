import type { MediaContent } from '../../prompt/parts/content.ts';
import { Refusal } from './refusal.ts';

/** What browsers show without running anything of it. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;
/** Drawn as a picture in a page, where nothing of it runs; opened by itself, it is saved. */
const vector = 'image/svg+xml';

export interface MediaReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What could hold scripts and is no picture can only be saved. */
export async function replyWith(content: MediaContent | undefined): Promise<MediaReply> {
  if (!content) throw new Refusal(404, 'serve.no_such_medium', 'the prompt has no such media file');
  const { sha256 } = content;
  const { bytes: body, type, isShown } = await mediaBytes(content);
  return {
    headers: {
      'content-type': type,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': isShown ? 'inline' : `attachment; filename="${sha256.slice(0, 12)}"`,
    },
    body,
  };
}

/** The bytes of a medium, and the type under which browsers get them. */
export async function mediaBytes(content: MediaContent) {
  const address = await content.address();
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const { mediaType } = content;
  const isShown = shown.test(mediaType);
  const isDrawn = isShown || mediaType === vector;
  return { bytes, isShown, type: isDrawn ? mediaType : 'application/octet-stream' };
}
