import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of a request of a batch, by its place among all that were sent so far. */
export type LineFate = 'answered' | 'lost' | { readonly status: number; readonly message: string };

export interface BatchServerOptions {
  /** How long a batch is in progress. */
  readonly batchMs?: number;
  readonly fateOf?: (body: string, attempt: number) => LineFate;
  /** Why batches are refused as a whole. */
  readonly refusal?: string;
  /** How often files of results are refused before they are given. */
  readonly failedDownloads?: number;
  /** The most batches at once; further ones fail, as their tokens would be too many. */
  readonly most?: number;
  /** The status that batches end with. */
  readonly ending?: 'completed' | 'expired';
  readonly apiKey?: string;
  /** How much longer each answer is, by a field that nobody reads, or by its text. */
  readonly padding?: { readonly bytes: number; readonly isText?: boolean };
  /** After how many lines files of results are cut off, by how often they were read. */
  readonly cutAfter?: (download: number) => number | undefined;
  /** How the answer to the making of a batch goes missing; the batch is made. */
  readonly cutsOffBatch?: (count: number) => boolean;
  /** How often the list of batches is refused, and how. */
  readonly failedLists?: number;
  readonly listStatus?: number;
  /** A batch that the server forgets once it has refused another for lack of room. */
  readonly lostBatch?: string;
  /** Whether batches keep what they are marked with; some servers have only the name of the file. */
  readonly keepsMetadata?: boolean;
}

/** How many batches are listed at once, whatever is asked for. */
const pageSize = 2;

interface Batch {
  readonly id: string;
  readonly endsAt: number;
  readonly input: string;
  readonly metadata: unknown;
  readonly isTooMuch: boolean;
  output?: string;
}

export interface BatchServer extends AsyncDisposable {
  readonly url: string;
  /** The files that came in, each as its lines. */
  readonly files: readonly (readonly string[])[];
  /** What was asked directly. */
  readonly direct: readonly string[];
  /** How many batches were made. */
  readonly batches: number;
}

/** Plays the batch API of an endpoint, as OpenAI documents it, with a model that repeats the first number of a prompt. */
export async function startBatchServer(options: BatchServerOptions = {}): Promise<BatchServer> {
  const {
    batchMs = 0,
    fateOf = () => 'answered' as const,
    refusal: refusalOfAll,
    most = Number.POSITIVE_INFINITY,
    failedDownloads = 0,
    failedLists = 0,
    listStatus = 503,
    lostBatch,
    cutsOffBatch = () => false,
    ending = 'completed',
  } = options;
  const { padding = { bytes: 0 }, cutAfter = () => undefined, keepsMetadata = true } = options;
  const contents = new Map<string, string>();
  const batches = new Map<string, Batch>();
  const attempts = new Map<string, number>();
  const files: string[][] = [];
  const direct: string[] = [];
  let downloads = 0;
  let lists = 0;
  const put = (text: string) => {
    const id = `file-${contents.size + 1}`;
    contents.set(id, text);
    return id;
  };
  const complete = (input: string): string =>
    (contents.get(input) ?? '')
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const { custom_id, body } = JSON.parse(line);
        const text = JSON.stringify(body);
        const attempt = (attempts.get(text) ?? 0) + 1;
        attempts.set(text, attempt);
        const fate = fateOf(text, attempt);
        if (fate === 'lost') return [];
        const response =
          fate === 'answered'
            ? {
                status_code: 200,
                body: { ...completion(body), ...(padding.bytes > 0 && { padding: '' }) },
              }
            : { status_code: fate.status, body: { error: { message: fate.message } } };
        return [`${JSON.stringify({ id: `r-${custom_id}`, custom_id, response, error: null })}\n`];
      })
      // In no order that means anything.
      .reverse()
      .join('');
  const shown = (batch: Batch) => {
    const isOver = batch.isTooMuch || Date.now() >= batch.endsAt;
    const refusal = batch.isTooMuch ? 'Enqueued token limit reached' : refusalOfAll;
    const code = batch.isTooMuch ? 'token_limit_exceeded' : 'invalid_request';
    if (isOver && refusal === undefined) batch.output ??= put(complete(batch.input));
    return {
      id: batch.id,
      object: 'batch',
      status: !isOver ? 'in_progress' : refusal === undefined ? ending : 'failed',
      input_file_id: batch.input,
      metadata: keepsMetadata ? batch.metadata : null,
      ...(isOver && refusal === undefined && { output_file_id: batch.output }),
      ...(isOver &&
        refusal !== undefined && { errors: { data: [{ code, message: refusal, line: 1 }] } }),
      request_counts: { total: 1, completed: 0, failed: 0 },
    };
  };
  const answer = async (method: string, url: string, request: Request): Promise<unknown> => {
    const path = url.replace(/\?.*$/, '');
    if (method === 'POST' && path === '/v1/files') {
      const form = await request.formData();
      if (form.get('purpose') !== 'batch') return undefined;
      const text = await (form.get('file') as File).text();
      files.push(text.trimEnd().split('\n'));
      return { id: put(text), object: 'file' };
    }
    if (method === 'POST' && path === '/v1/batches') {
      const {
        input_file_id: input,
        metadata,
        endpoint,
      } = (await request.json()) as {
        readonly [key: string]: string;
      };
      if (input === undefined || !endpoint?.startsWith('/v1/')) return undefined;
      const id = `batch_${batches.size + 1}`;
      const open = [...batches.values()].filter(
        ({ isTooMuch, endsAt }) => !isTooMuch && Date.now() < endsAt,
      );
      const isTooMuch = open.length >= most;
      batches.set(id, { id, endsAt: Date.now() + batchMs, input, metadata, isTooMuch });
      return shown(batches.get(id) as Batch);
    }
    if (method === 'GET' && path === '/v1/batches') {
      const after = new URL(request.url).searchParams.get('after');
      const newest = [...batches.values()].reverse();
      const start = newest.findIndex(({ id }) => id === after) + 1;
      const data = newest.slice(start, start + pageSize);
      return { data: data.map(shown), has_more: start + pageSize < newest.length };
    }
    const [, batch = ''] = /^\/v1\/batches\/([^/]+)$/.exec(path) ?? [];
    const found = batches.get(batch);
    const isLost = batch === lostBatch && [...batches.values()].some(({ isTooMuch }) => isTooMuch);
    if (found && isLost) batches.set(batch, { ...found, endsAt: 0 });
    else if (found) return shown(found);
    const [, file = ''] = /^\/v1\/files\/([^/]+)\/content$/.exec(path) ?? [];
    if (contents.has(file)) return contents.get(file);
    if (path !== '/v1/chat/completions') return undefined;
    const body = await request.text();
    direct.push(body);
    return completion(JSON.parse(body));
  };
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url = '', headers } = incoming;
    const body = await buffer(incoming);
    if (url.endsWith('/content') && ++downloads <= failedDownloads) {
      response.writeHead(503).end();
      return;
    }
    if (method === 'GET' && url.startsWith('/v1/batches?') && ++lists <= failedLists) {
      response.writeHead(listStatus).end();
      return;
    }
    const isKnown =
      options.apiKey === undefined || headers.authorization === `Bearer ${options.apiKey}`;
    const request = new Request(`http://localhost${url}`, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'text/plain' },
      ...(method === 'POST' && { body }),
    });
    const said = isKnown ? await answer(method, url, request) : undefined;
    const isCut = method === 'POST' && url === '/v1/batches' && cutsOffBatch(batches.size);
    if (isCut && said !== undefined) {
      response.destroy();
      return;
    }
    const status = said === undefined ? (isKnown ? 404 : 401) : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (typeof said === 'string') await sendLines(said, response, cutAfter(downloads));
    else response.end(JSON.stringify(said ?? { error: { message: 'no' } }));
  });
  /** Lines as long as they are to be, which together need not fit into memory. */
  const sendLines = async (text: string, response: ServerResponse, most = Infinity) => {
    let drained: (value?: unknown) => void = () => undefined;
    response.on('drain', () => drained()).on('close', () => drained());
    const long = 'x'.repeat(padding.bytes);
    const [from, to] = padding.isText
      ? [/"content":"(\d+)"/, `"content":"${long} $1"`]
      : [/"padding":""/, `"padding":"${long}"`];
    for (const [index, line] of text.split(/(?<=\n)/).entries()) {
      if (index >= most) {
        response.destroy();
        return;
      }
      if (!response.write(line.replace(from, to)) && !response.destroyed) {
        await new Promise((resolve) => {
          drained = resolve;
        });
      }
    }
    response.end();
  };
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    files,
    direct,
    get batches() {
      return batches.size;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Body {
  readonly model?: string;
  readonly prompt?: string;
  readonly messages?: readonly { readonly content: string }[];
}

/** The sum that is asked for. */
function completion({ model, prompt, messages }: Body) {
  const text = prompt ?? messages?.at(-1)?.content ?? '';
  const [, left = '0', right = '0'] = /(\d+) \+ (\d+)/.exec(text) ?? [];
  const content = String(Number(left) + Number(right));
  return {
    id: 'x',
    model,
    choices: [
      { index: 0, text: content, message: { role: 'assistant', content }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 2 },
  };
}
