import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ModelConfig } from '../config/config.ts';
import { ModelError } from '../errors.ts';
import { readAnswer } from '../model/answer.ts';
import { tooLargeAnswer, unreadableAnswer } from '../model/answer-errors.ts';
import { connect } from '../model/connection.ts';
import { statusError, transportError } from '../model/http-errors.ts';
import { asCount, asObject, asText, parseJson } from '../model/json-value.ts';
import type { GenerateResult } from '../model/model.ts';
import { redact, redactAnswer } from '../model/secrets.ts';
import { exchange, firstText, linesOf, type SentBody } from './batch-http.ts';

/** A batch as the server tells of it. */
export interface BatchState {
  readonly id: string;
  readonly status: string;
  readonly output?: string | undefined;
  readonly errors?: string | undefined;
  /** Why it was refused as a whole. */
  readonly reason?: string | undefined;
  /** Whether that was because as many tokens are queued as the account may have. */
  readonly isTooMuch: boolean;
  readonly done: number;
}

/** What a file of results says of a request. */
export interface BatchAnswer {
  readonly key: string;
  readonly result?: GenerateResult;
  readonly error?: Error;
}

/** A file of requests for a batch. */
export interface BatchInput {
  readonly path: string;
  readonly bytes: number;
}

/** What tells a batch from others, if the answer to its making got lost. */
export interface BatchMark {
  readonly mark: string;
  /** The file that it was made of; not every server keeps marks. */
  readonly input?: string | undefined;
}

/** What an endpoint's batch API can be asked, as OpenAI documents it. */
export interface BatchApi {
  /** Without what may be secret in it. */
  readonly address: string;
  /** Gives the id of the file. */
  readonly upload: (file: BatchInput, mark: string) => Promise<string>;
  /** Has the requests of a file asked at an endpoint such as `/v1/completions`. */
  readonly create: (marked: Required<BatchMark>, endpoint: string) => Promise<BatchState>;
  readonly look: (id: string) => Promise<BatchState>;
  /** The batch with this mark, or of this file, if there is one. */
  readonly find: (marked: BatchMark) => Promise<BatchState | undefined>;
  /** The answers of a file, as they arrive. */
  readonly answers: (file: string) => AsyncIterable<BatchAnswer>;
}

const listed = 100;
const maxErrorBytes = 64 * 1024;

export function batchApi(
  { baseUrl = '', apiKeyEnv, headers: given, source }: ModelConfig,
  signal: AbortSignal,
): BatchApi {
  const settings = { baseUrl, apiKeyEnv, headers: given, source };
  // The pools of these connections stay unused: files go through piece by piece.
  const files = connect(settings, 'files');
  const batches = connect(settings, 'batches');
  const { 'content-type': json = 'application/json', ...headers } = files.headers;
  const origin = new URL(files.url).origin;
  const { maxAnswerBytes } = files;
  const failed = (error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ModelError) return error;
    return transportError(batches, error instanceof Error ? error : new Error('failed'));
  };
  const reach = async (path: string, { type, body }: Posted = {}): Promise<IncomingMessage> => {
    const response = await exchange(`${origin}${path}`, {
      ...(body && { method: 'POST' as const }),
      headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
      ...{ body, signal, endpoint: batches },
    });
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) return response;
    const text = await firstText(response, maxErrorBytes);
    throw statusError(batches, { status, headers: response.headers, body: text });
  };
  const call = async (path: string, posted?: Posted): Promise<string> => {
    try {
      const text = await firstText(await reach(path, posted), maxAnswerBytes);
      if (Buffer.byteLength(text) > maxAnswerBytes) throw tooLargeAnswer(batches, maxAnswerBytes);
      return text;
    } catch (error) {
      throw failed(error);
    }
  };
  const ask = async (path: string, posted?: Posted): Promise<BatchState> => {
    const body = await call(path, posted);
    const state = readBatch(asObject(parseJson(body)), batches.secrets);
    if (!state) throw unreadableAnswer(batches, body, 'batch');
    return state;
  };
  return {
    address: batches.url,
    async upload(file, mark) {
      const said = await call(files.path, formOf(file, mark));
      const input = asText(asObject(parseJson(said))?.id);
      if (input === undefined) throw unreadableAnswer(files, said, 'file');
      return input;
    },
    create: ({ mark, input }, endpoint) => {
      const text = JSON.stringify({
        input_file_id: input,
        endpoint,
        completion_window: '24h',
        metadata: { typecase: mark },
      });
      const body = { bytes: Buffer.byteLength(text), pieces: () => Readable.from([text]) };
      return ask(batches.path, { type: json, body });
    },
    look: (id) => ask(`${batches.path}/${encodeURIComponent(id)}`),
    async find({ mark, input }) {
      const seen = new Set<string>();
      for (let after = ''; ; ) {
        const list = asObject(parseJson(await call(`${batches.path}?limit=${listed}${after}`)));
        const page = (Array.isArray(list?.data) ? list.data : []).map(asObject);
        const found = page.find(
          (batch) =>
            asObject(batch?.metadata)?.typecase === mark ||
            (input !== undefined && batch?.input_file_id === input),
        );
        if (found) return readBatch(found, batches.secrets);
        const last = asText(page.at(-1)?.id);
        // A server that lists the same batches again would do so for ever.
        if (list?.has_more !== true || last === undefined || seen.has(last)) return undefined;
        seen.add(last);
        after = `&after=${encodeURIComponent(last)}`;
      }
    },
    async *answers(file) {
      try {
        const reply = await reach(`${files.path}/${encodeURIComponent(file)}/content`);
        const limits = { endpoint: files, maxBytes: maxAnswerBytes };
        for await (const line of linesOf(reply, limits)) {
          const answer = readLine(line, batches);
          if (answer) yield answer;
        }
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

interface Posted {
  readonly type?: string;
  readonly body?: SentBody;
}

/** The form that uploads a file of requests. */
function formOf({ path, bytes }: BatchInput, mark: string): Required<Posted> {
  const boundary = `typecase-${mark}`;
  const part = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  const before = `${part}"purpose"\r\n\r\nbatch\r\n${part}"file"; filename="${mark}.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: {
      bytes: before.length + bytes + after.length,
      async *pieces() {
        yield before;
        yield* createReadStream(path);
        yield after;
      },
    },
  };
}

function readBatch(
  batch: Readonly<Record<string, unknown>> | undefined,
  secrets: readonly string[],
): BatchState | undefined {
  const id = asText(batch?.id);
  const status = asText(batch?.status);
  if (!batch || id === undefined || status === undefined) return undefined;
  const problems = asObject(batch.errors)?.data;
  const reasons = (Array.isArray(problems) ? problems : []).flatMap((problem) => {
    const { message, line } = asObject(problem) ?? {};
    return typeof message === 'string' ? [`${message}${line ? ` (line ${line})` : ''}`] : [];
  });
  const counts = asObject(batch.request_counts);
  const isTooMuch = (Array.isArray(problems) ? problems : []).some(
    (problem) => asObject(problem)?.code === 'token_limit_exceeded',
  );
  return {
    isTooMuch,
    id,
    status,
    output: asText(batch.output_file_id),
    errors: asText(batch.error_file_id),
    reason: reasons.length > 0 ? redact(reasons[0] ?? '', secrets) : undefined,
    done: (asCount(counts?.completed) ?? 0) + (asCount(counts?.failed) ?? 0),
  };
}

type Reader = Parameters<typeof statusError>[0] & { readonly answerSecrets: readonly string[] };

/** Nothing where a line names no request. */
function readLine(line: string, endpoint: Reader): BatchAnswer | undefined {
  const entry = asObject(parseJson(line));
  const key = asText(entry?.custom_id);
  if (!entry || key === undefined) return undefined;
  const response = asObject(entry.response);
  const body = asObject(response?.body);
  const status = Number(response?.status_code ?? 0);
  if (status >= 300) {
    const text = JSON.stringify(body ?? {});
    return { key, error: statusError(endpoint, { status, headers: {}, body: text }) };
  }
  const answer = body && readAnswer(body);
  if (answer)
    return { key, result: { ...redactAnswer(answer, endpoint.answerSecrets), totalMs: 0 } };
  const problem = asObject(entry.error);
  const reason = asText(problem?.message) ?? asText(problem?.code);
  return {
    key,
    error: notAnswered(reason === undefined ? undefined : redact(reason, endpoint.secrets)),
  };
}

/** A request of a batch came back without an answer; it goes into the next one. */
export function notAnswered(reason = 'the batch ended without this request'): ModelError {
  return new ModelError('batch.not_answered', `the batch gave no answer: ${reason}`, {
    retryable: true,
  });
}
