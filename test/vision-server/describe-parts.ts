import { createHash } from 'node:crypto';
import { type Color, readPng } from './png.ts';

interface WirePart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
  readonly video_url?: { readonly url: string };
  readonly input_audio?: { readonly data: string; readonly format: string };
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WirePart[];
}

/** What a message holds, told from the bytes that arrived: colours, lengths and hashes in order. */
export function describeParts(content: WireMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text ?? '';
      case 'image_url':
        return describeImage(part.image_url?.url ?? '');
      case 'input_audio': {
        const { data = '', format } = part.input_audio ?? {};
        return `${format} of ${Buffer.from(data, 'base64').length} bytes`;
      }
      case 'video_url':
        return `video ${hashOf(bytesOf(part.video_url?.url ?? ''))}`;
      default:
        throw new Error(`a part of type ${part.type}`);
    }
  });
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 8);
}

const names: readonly (readonly [string, Color])[] = [
  ['red', [255, 0, 0]],
  ['green', [0, 255, 0]],
  ['blue', [0, 0, 255]],
];

function describeImage(url: string): string {
  if (!url.startsWith('data:')) return `image at ${url}`;
  const color = readPng(bytesOf(url));
  return names.find(([, known]) => known.join() === color.join())?.[0] ?? color.join();
}

function bytesOf(url: string): Buffer {
  const [head = '', payload = ''] = url.split(',');
  if (!head.startsWith('data:') || !head.endsWith(';base64')) throw new Error(`not data: ${head}`);
  return Buffer.from(payload, 'base64');
}
