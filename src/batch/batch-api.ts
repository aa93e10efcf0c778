import type { ModelConfig } from '../config/config.ts';
import { ModelError } from '../errors.ts';
import { readAnswer } from '../model/answer.ts';
import { tooLargeAnswer, unreadableAnswer } from '../model/answer-errors.ts';
import { connect } from '../model/connection.ts';
import { statusError, transportError } from '../model/http-errors.ts';
import { asCount, asObject, asText, parseJson } from '../model/json-value.ts';
import type { GenerateResult } from '../model/model.ts';
import { redact, redactAnswer } from '../model/secrets.ts';

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

/** What an endpoint's batch API can be asked, as OpenAI documents it. */
export interface BatchApi {
  /** Without what may be secret in it. */
  readonly address: string;
  /** Puts requests into a batch; `mark` tells it from others if the answer gets lost. */
  readonly submit: (lines: string, mark: string) => Promise<BatchState>;
  readonly look: (id: string) => Promise<BatchState>;
  /** The batch that was made with a mark, if there is one. */
  readonly find: (mark: string) => Promise<BatchState | undefined>;
  readonly answers: (file: string) => Promise<readonly BatchAnswer[]>;
}

const timeoutMs = 600_000;
const listed = 100;
/** As much as one text can hold; files of results are read as a whole. */
const maxBytes = 500_000_000;
const maxErrorBytes = 64 * 1024;

export function batchApi(
  { baseUrl = '', apiKeyEnv, headers: given, source }: ModelConfig,
  signal: AbortSignal,
): BatchApi {
  const settings = { baseUrl, apiKeyEnv, headers: given, source };
  const files = connect(settings, 'files');
  const batches = connect(settings, 'batches');
  // The pools of these connections stay unused: files are sent and read as a whole.
  const { 'content-type': json, ...headers } = files.headers;
  const origin = new URL(files.url).origin;
  const call = async (path: string, init: RequestInit): Promise<string> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const exchange = async () => {
      const response = await fetch(`${origin}${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
        redirect: 'manual',
        signal: limit,
      });
      return { response, body: await boundedText(response, batches) };
    };
    const { response, body } = await exchange().catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw transportError(batches, error instanceof Error ? causeOf(error) : new Error('failed'));
    });
    if (response.ok) return body;
    throw statusError(batches, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    });
  };
  const ask = async (path: string, init: RequestInit = {}): Promise<BatchState> => {
    const body = await call(path, init);
    const state = readBatch(asObject(parseJson(body)), batches.secrets);
    if (!state) throw unreadableAnswer(batches, body, 'batch');
    return state;
  };
  return {
    address: batches.url,
    async submit(lines, mark) {
      const form = new FormData();
      form.set('purpose', 'batch');
      form.set('file', new Blob([lines], { type: 'application/jsonl' }), `${mark}.jsonl`);
      const uploaded = asObject(parseJson(await call(files.path, { method: 'POST', body: form })));
      const input = asText(uploaded?.id);
      if (input === undefined) throw unreadableAnswer(files, '', 'file');
      const endpoint = asText(asObject(parseJson(lines.slice(0, lines.indexOf('\n'))))?.url);
      return ask(batches.path, {
        method: 'POST',
        headers: { 'content-type': json ?? 'application/json' },
        body: JSON.stringify({
          input_file_id: input,
          endpoint,
          completion_window: '24h',
          metadata: { typecase: mark },
        }),
      });
    },
    look: (id) => ask(`${batches.path}/${encodeURIComponent(id)}`),
    async find(mark) {
      const seen = new Set<string>();
      for (let after = ''; ; ) {
        const list = asObject(parseJson(await call(`${batches.path}?limit=${listed}${after}`, {})));
        const page = (Array.isArray(list?.data) ? list.data : []).map(asObject);
        const found = page.find((batch) => asObject(batch?.metadata)?.typecase === mark);
        if (found) return readBatch(found, batches.secrets);
        const last = asText(page.at(-1)?.id);
        // A server that lists the same batches again would do so for ever.
        if (list?.has_more !== true || last === undefined || seen.has(last)) return undefined;
        seen.add(last);
        after = `&after=${encodeURIComponent(last)}`;
      }
    },
    async answers(file) {
      const text = await call(`${files.path}/${encodeURIComponent(file)}/content`, {});
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return lines.flatMap((line) => readLine(line, batches) ?? []);
    },
  };
}

/** The text of a reply; one without end is given up. */
async function boundedText(
  { body, ok }: Response,
  endpoint: Parameters<typeof tooLargeAnswer>[0],
): Promise<string> {
  const most = ok ? maxBytes : maxErrorBytes;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most && ok) throw tooLargeAnswer(endpoint, most);
    chunks.push(chunk);
    if (size > most) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function causeOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
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
