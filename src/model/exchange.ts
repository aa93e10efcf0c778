import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import type { Abortable } from './abort-watch.ts';
import { readAnswer, reportedIn } from './answer.ts';
import {
  garbledAnswer,
  partialAnswer,
  reportedError,
  slowAnswer,
  tooLargeAnswer,
  unreadableAnswer,
} from './answer-errors.ts';
import type { Connection } from './connection.ts';
import { statusError, transportError } from './http-errors.ts';
import { asObject, parseJson } from './json-value.ts';
import type { Answer, GenerateResult, SentBody } from './model.ts';
import type { Headers } from './retry-after-header.ts';
import { redactAnswer } from './secrets.ts';
import { StreamedAnswer } from './streamed-answer.ts';

const maxErrorBytes = 64 * 1024;

/** Sends a body and reads the answer to it, streamed or not. */
export function ask(
  connection: Connection,
  { body, signal }: { body: SentBody; signal: AbortSignal },
): Promise<GenerateResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { pool, path, headers } = connection;
    pool.dispatch(
      { path, method: 'POST', headers, body },
      new Exchange({ connection, signal, resolve, reject }),
    );
  });
}

interface ReceivedText {
  readonly text: string;
  readonly totalMs: number;
}

/** Sends a body and hands back what comes as it is. */
export function post(
  connection: Connection,
  { body, signal }: { body: string; signal: AbortSignal },
): Promise<ReceivedText> {
  return receive(connection, { method: 'POST', body, signal });
}

/** Hands back what stands at an endpoint. */
export function get(connection: Connection, signal: AbortSignal): Promise<ReceivedText> {
  return receive(connection, { method: 'GET', signal });
}

function receive(
  connection: Connection,
  { method, body, signal }: { method: 'GET' | 'POST'; body?: string; signal: AbortSignal },
): Promise<ReceivedText> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { pool, path, headers } = connection;
    const takeBody = (text: string, totalMs: number) => resolve({ text, totalMs });
    pool.dispatch(
      { path, method, headers, ...(body !== undefined && { body }) },
      new Exchange({ connection, signal, takeBody, reject }),
    );
  });
}

interface ExchangeParts {
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Takes the answer, */
  readonly resolve?: (result: GenerateResult) => void;
  /** or the body that it would be read from. */
  readonly takeBody?: (text: string, totalMs: number) => void;
  readonly reject: (error: unknown) => void;
}

type Controller = Dispatcher.DispatchController;

/** One request and its response, as a handler of the HTTP client. */
class Exchange implements Dispatcher.DispatchHandler, Abortable {
  readonly #parts: ExchangeParts;
  /** Among the requests that are watched. */
  readonly #watchIndex: number;
  #isSettled = false;
  #controller: Controller | undefined;
  /** Among the requests whose time is taken. */
  #timeIndex: number | undefined;
  startedAt = 0;
  #status = 0;
  #headers: Headers = {};
  #stream: StreamedAnswer | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#watchIndex = parts.connection.aborts.add(parts.signal, this);
  }

  abort(reason: unknown): void {
    this.#fail(reason);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isSettled) {
      controller.abort(new Error('no longer wanted'));
      return;
    }
    this.startedAt = performance.now();
    this.#timeIndex ??= this.#parts.connection.timeLimit.start(this);
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status === 206) {
      this.#fail(partialAnswer(this.#parts.connection));
      return;
    }
    const isStream = String(headers['content-type']).startsWith('text/event-stream');
    if (status < 300 && isStream) this.#stream = new StreamedAnswer(this.#parts.connection);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#size += chunk.length;
    const { connection } = this.#parts;
    const isError = this.#status >= 300;
    if (this.#size > (isError ? maxErrorBytes : connection.maxAnswerBytes)) {
      this.#fail(
        isError ? this.#statusError() : tooLargeAnswer(connection, connection.maxAnswerBytes),
      );
    } else if (this.#stream) {
      this.#readStream(this.#stream, chunk);
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.#endTime();
    if (this.#isSettled) return;
    if (this.#status >= 300) {
      this.#fail(this.#statusError());
      return;
    }
    const { takeBody } = this.#parts;
    try {
      if (takeBody) {
        const text = this.#answerText();
        this.#settle();
        takeBody(text, performance.now() - this.startedAt);
        return;
      }
      this.#succeed(this.#stream ? this.#stream.end() : this.#readBody());
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#endTime();
    if (!this.#isSettled) this.#fail(transportError(this.#parts.connection, error));
  }

  expire(): void {
    const { connection } = this.#parts;
    this.#fail(slowAnswer(connection, connection.timeLimit.ms));
  }

  #readStream(stream: StreamedAnswer, chunk: Buffer): void {
    try {
      stream.push(chunk);
      // What may follow is of no interest, but reading it lets the connection be used again.
      if (stream.isDone) this.#succeed(stream.end());
    } catch (error) {
      this.#fail(error);
    }
  }

  #readBody(): Answer {
    const { connection } = this.#parts;
    const text = this.#answerText();
    const completion = asObject(parseJson(text));
    const answer = readAnswer(completion);
    if (answer) return answer;
    const error = reportedIn(completion);
    if (error) throw reportedError(connection, error);
    const isStream = /^(data|event|id|retry)?:/.test(text);
    if (!isStream) throw unreadableAnswer(connection, text);
    // Under a wrong content type.
    const stream = new StreamedAnswer(connection);
    stream.push(Buffer.from(text));
    return stream.end();
  }

  #answerText(): string {
    const bytes = this.#bytes;
    if (!isUtf8(bytes)) throw garbledAnswer(this.#parts.connection);
    return bytes.toString();
  }

  get #bytes(): Buffer {
    const [first] = this.#chunks;
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }

  #statusError() {
    return statusError(this.#parts.connection, {
      status: this.#status,
      headers: this.#headers,
      body: this.#bytes.toString(),
    });
  }

  #succeed(answer: Answer): void {
    this.#settle();
    const firstTokenAt = this.#stream?.firstTokenAt;
    const { answerSecrets } = this.#parts.connection;
    const shown = redactAnswer(answer, answerSecrets);
    const { text, reasoning, finishReason, toolCalls, usage, raw } = shown;
    // Spreading the answer would cost as much as parsing it.
    const result = {
      text,
      reasoning,
      finishReason,
      toolCalls,
      usage,
      raw,
      firstTokenMs: firstTokenAt === undefined ? undefined : firstTokenAt - this.startedAt,
      totalMs: performance.now() - this.startedAt,
    };
    this.#parts.resolve?.(shown.redacted ? { ...shown, ...result } : result);
  }

  /** Gives up; the connection is closed if the response is still coming in. */
  #fail(error: unknown): void {
    if (!this.#isSettled) {
      this.#settle();
      this.#parts.reject(error);
    }
    this.#controller?.abort(new Error('no longer wanted'));
  }

  #endTime(): void {
    if (this.#timeIndex === undefined) return;
    this.#parts.connection.timeLimit.end(this.#timeIndex);
    this.#timeIndex = undefined;
  }

  #settle(): void {
    this.#isSettled = true;
    const { connection, signal } = this.#parts;
    connection.aborts.remove(signal, this.#watchIndex);
  }
}
