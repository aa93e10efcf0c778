import type { RowName } from './api.ts';
import type { OpenedRun } from './opened-run.ts';
import { Refusal } from './refusal.ts';
import { wholePrompt } from './row-details.ts';

/** What browsers show without running anything of it. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

/** A medium of a prompt. What could hold scripts, such as SVG, can only be saved. */
export async function mediaReply(
  opened: OpenedRun,
  name: RowName,
  sha256: string,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }> {
  const { media } = await wholePrompt(opened, name);
  const content = media.get(sha256);
  if (!content) throw new Refusal(404, 'serve.no_such_medium', 'the prompt has no such medium');
  const address = await content.address();
  const body = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const isShown = shown.test(content.mediaType);
  return {
    headers: {
      'content-type': isShown ? content.mediaType : 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': isShown ? 'inline' : `attachment; filename="${sha256.slice(0, 12)}"`,
    },
    body,
  };
}
