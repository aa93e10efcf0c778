import { createHash } from 'node:crypto';
import { open, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { otherThanFile } from '../../base/files.ts';
import type { MediaContent } from '../../prompt/parts/content.ts';
import { hashFile } from '../source/cache.ts';
import {
  badBase64,
  mediaChanged,
  mediaNotFound,
  mediaOutside,
  mediaTooLarge,
  mediaUnknown,
  mediaUnreadable,
} from './media-errors.ts';
import { type MediaSource, sniffedBytes, sniffMediaType } from './media-source.ts';

/** Where media are looked for, and how they are sent. */
export interface MediaSettings {
  /** What relative paths start from; the folder of the data. */
  readonly folder: string;
  /** Sends files as data URLs; otherwise the server is told their path. */
  readonly inline: boolean;
  /** The most bytes of a medium, whether it is sent itself or by its path. */
  readonly maxBytes: number;
  /** Reads files outside the folder too. */
  readonly allowOutside: boolean;
  /** Sends what the data have as it is, as other systems do: nothing is read, checked or put right. */
  readonly isVerbatim?: boolean | undefined;
}

/** Looks at a file: what it is, and its hash. Its bytes are not kept. */
export async function lookAtFile(
  source: string,
  path: string,
  settings: MediaSettings,
): Promise<MediaContent> {
  const file = await findFile(source, path, settings);
  const { inline, maxBytes } = settings;
  const { bytes, head } = await readHead(source, file);
  if (bytes > maxBytes) throw mediaTooLarge(source, { bytes, maxBytes });
  const mediaType = sniffMediaType(head);
  if (mediaType === undefined) throw mediaUnknown(source);
  const sha256 = await hashFile(file);
  const read = async () => {
    const content = await readFile(file);
    if (sha256Of(content) !== sha256) throw mediaChanged(source);
    return `data:${mediaType};base64,${content.toString('base64')}`;
  };
  const address = inline ? read : async () => pathToFileURL(file).href;
  return { sha256, mediaType, bytes, address };
}

async function findFile(source: string, path: string, settings: MediaSettings): Promise<string> {
  const { folder, allowOutside } = settings;
  // Seen from the path alone first: whether something is there is nobody's business.
  if (!allowOutside && isOutside(resolve(folder), resolve(folder, path)))
    throw mediaOutside(source);
  const file = await realPath(source, resolve(folder, path)).catch((error) => {
    const decoded = decodePath(path);
    if (decoded === path) throw error;
    return realPath(source, resolve(folder, decoded));
  });
  if (allowOutside || !isOutside(await realpath(folder), file)) return file;
  throw mediaOutside(source);
}

function isOutside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

async function realPath(source: string, path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw mediaNotFound(source, path, cause);
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function readHead(source: string, file: string): Promise<{ bytes: number; head: Buffer }> {
  try {
    const other = otherThanFile(await stat(file));
    if (other !== undefined) throw new Error(`it is ${other}, not a file`);
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes);
      return { bytes: size, head: buffer.subarray(0, bytesRead) };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw mediaUnreadable(source, cause);
  }
}

/** Looks at bytes that the data hold themselves. */
export function lookAtData(
  source: string,
  { declared, payload }: Extract<MediaSource, { type: 'inline' }>,
  { maxBytes }: MediaSettings,
): MediaContent {
  const address = async () => `data:${mediaType};base64,${payload}`;
  // Frames of a video, each in base64, are joined by commas.
  if (!/^[A-Za-z0-9+/\-_=,\s]+$/.test(payload)) throw badBase64(source);
  const content = payload.includes(',') ? Buffer.from(payload) : Buffer.from(payload, 'base64');
  const bytes = content.length;
  if (bytes > maxBytes) throw mediaTooLarge(source, { bytes, maxBytes });
  const mediaType = sniffMediaType(content.subarray(0, sniffedBytes)) ?? declared;
  if (mediaType === undefined) throw mediaUnknown(source);
  return { sha256: sha256Of(content), mediaType, bytes, address };
}

/** Bytes that the data hold themselves, and that are sent as they are. */
export function nameData(
  source: string,
  inline: { readonly declared: string | undefined; readonly payload: string } | undefined,
): MediaContent {
  const { declared = 'application/octet-stream', payload = source } = inline ?? {};
  const content = inline ? Buffer.from(payload, 'base64') : Buffer.from(payload);
  return {
    sha256: sha256Of(Buffer.from(source)),
    mediaType: sniffMediaType(content.subarray(0, sniffedBytes)) ?? declared,
    bytes: content.length,
    address: async () => source,
  };
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
