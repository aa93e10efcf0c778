import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { slowAnswer, tooLargeAnswer } from '../model/answer-errors.ts';
import type { Endpoint } from '../model/http-errors.ts';

export interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentBody | undefined;
  readonly signal: AbortSignal;
  /** Whom errors name. */
  readonly endpoint: Endpoint;
}

/** What is sent, piece by piece: a file may not fit into memory. */
export interface SentBody {
  readonly bytes: number;
  readonly pieces: () => AsyncIterable<Uint8Array | string>;
}

/** Files may take hours, but not in silence. */
const silentMs = 300_000;

/** Sends a request over a connection of its own. Redirects are not followed. */
export function exchange(
  url: string,
  { method = 'GET', headers, body, signal, endpoint }: Sent,
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const length = body && { 'content-length': String(body.bytes) };
  return new Promise((resolve, reject) => {
    const request = send(url, {
      ...{ method, headers: { ...headers, ...length } },
      ...{ agent: false, timeout: silentMs, signal },
    });
    request.on('timeout', () => request.destroy(slowAnswer(endpoint, silentMs)));
    request.on('response', resolve);
    request.on('error', reject);
    if (body) pipeline(body.pieces(), request).catch(reject);
    else request.end();
  });
}

/** The lines of a reply, one after the other; one without end is given up. */
export async function* linesOf(
  reply: AsyncIterable<Buffer>,
  { endpoint, maxBytes }: { readonly endpoint: Endpoint; readonly maxBytes: number },
): AsyncGenerator<string, void, undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes) throw tooLargeAnswer(endpoint, maxBytes);
  };
  const take = () => {
    const line = new TextDecoder().decode(Buffer.concat(pieces));
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of reply) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    add(chunk.subarray(start));
  }
  yield take();
}

/** The beginning of a reply, as text. */
export async function firstText(reply: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes + 1));
}
