import * as z from 'zod';
import type { Blob, Cache } from './cache.ts';
import type { DataFile } from './data-file.ts';
import { publicUrl, type RequestOptions, readBody, request } from './request.ts';

const downloadNote = z.object({ sha256: z.string(), etag: z.string().nullable() });

export interface DownloadOptions extends RequestOptions {
  readonly cache: Cache;
  /** Whether what the address names can never change. */
  readonly isFixed?: boolean;
}

/** Brings a file into the cache, or finds it there if it has not changed. */
export async function download(url: string, options: DownloadOptions): Promise<Blob> {
  const { cache, isFixed = false, headers = {}, signal } = options;
  const note = downloadNote.safeParse(await cache.readNote(url)).data;
  const known = note && (await cache.findBlob(note.sha256));
  if (known && isFixed) return known;
  const condition = known && note.etag ? { 'if-none-match': note.etag } : {};
  const response = await request(url, { headers: { ...headers, ...condition }, signal });
  if (known && response.status === 304) return known;
  const blob = await cache.storeBlob(readBody(url, response));
  await cache.writeNote(url, { sha256: blob.sha256, etag: response.headers.get('etag') });
  return blob;
}

/** The file at an address of the web. */
export async function findWebFile(url: string, options: DownloadOptions): Promise<DataFile> {
  return { ...(await download(url, options)), name: publicUrl(url) };
}
