import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ModelError, NotSentError } from '../errors.ts';
import { requestKey } from '../evaluation/key.ts';
import { hasParts } from '../model/media.ts';
import {
  bodiesOf,
  type GenerateOptions,
  type GenerateRequest,
  type GenerateResult,
  type Model,
} from '../model/model.ts';
import {
  type BatchAnswer,
  type BatchApi,
  type BatchMark,
  type BatchState,
  notAnswered,
} from './batch-api.ts';
import { EarlyAnswers, RequestFile } from './batch-files.ts';
import type { BatchLog, SentBatch } from './batch-log.ts';

export interface BatchLimits {
  readonly requests: number;
  readonly bytes: number;
}

/** A batch is sent when no further request came for so long. */
const quietMs = 1000;
const firstLookMs = 1000;
const longestLookMs = 60_000;
/** How long a batch waits that an endpoint has no room for. */
const longestRoomMs = 600_000;
/** Answers of a batch are in the log of the run by then. */
const keptMs = 1000;
/** A server that cut its answer off may list the batch after so long. */
const listedMs = [1000, 5000];
/** Results are read no faster than the run records them. */
const mostUnrecorded = 64;
const recordingMs = 5;
/** What a row that waits takes in memory beside its request. */
const rowBytes = 2000;

interface Waiting {
  readonly bytes: number;
  readonly resolve: (result: GenerateResult) => void;
  readonly reject: (error: unknown) => void;
}

interface LineParts {
  readonly abbr: string;
  readonly model: Model;
  readonly identity: string;
  /** One for each address; batches take turns. */
  readonly apis: readonly BatchApi[];
  readonly log: BatchLog;
  /** What earlier starts sent. */
  readonly open: readonly SentBatch[];
  readonly newFile: () => string;
  /** How many answers the run has yet to score or to keep. */
  readonly unrecorded: () => number;
  readonly limits: BatchLimits;
  readonly signal: AbortSignal;
}

interface OpenBatch {
  readonly size: number;
  done: number;
}

/** The batches of one model. */
export class BatchLine {
  readonly #parts: LineParts;
  readonly #waiting = new Map<string, Waiting>();
  /** Requests that are in a batch, by the mark of the last one. */
  readonly #sent = new Map<string, string>();
  readonly #early: EarlyAnswers;
  readonly #open = new Set<OpenBatch>();
  readonly #work = new Set<Promise<void>>();
  readonly #stops = new WeakSet<AbortSignal>();
  #gathered: RequestFile | undefined;
  #hasBegun = false;
  #heldBytes = 0;
  #batches = 0;
  /** How many are over, or lost. */
  #ended = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LineParts) {
    this.#parts = parts;
    this.#early = new EarlyAnswers(parts.newFile);
  }

  get abbr(): string {
    return this.#parts.abbr;
  }

  get open(): readonly OpenBatch[] {
    return [...this.#open];
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  async ask(request: GenerateRequest, { signal, stop }: GenerateOptions): Promise<GenerateResult> {
    const { model, identity } = this.#parts;
    this.#begin();
    const own = hasParts(request.prompt) ? undefined : request.body;
    const [body = ''] = own === undefined ? await bodiesOf(model, request) : [String(own)];
    const key = request.key ?? requestKey(body, identity);
    signal.throwIfAborted();
    const early = this.#early.has(key) ? await this.#early.take(key) : undefined;
    if (early) return early;
    if (stop?.aborted) throw notSent();
    return new Promise((resolve, reject) => {
      const waiting = { bytes: body.length + rowBytes, resolve, reject };
      this.#waiting.set(key, waiting);
      this.#heldBytes += waiting.bytes;
      this.#giveUpOn(stop ?? signal);
      this.#giveUpOn(signal);
      if (!this.#sent.has(key)) this.#gather(key, body);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#work);
    await this.#gathered?.remove();
    await this.#early.close();
  }

  /** Waits for the batches of earlier starts. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const batch of this.#parts.open) {
      for (const key of batch.keys) this.#sent.set(key, batch.mark);
    }
    for (const batch of this.#parts.open) this.#follow(this.#collectEarlier(batch));
  }

  /** The server works on without the run: what is in a batch is collected by the next start. */
  #giveUpOn(signal: AbortSignal): void {
    if (this.#stops.has(signal)) return;
    this.#stops.add(signal);
    signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#gathered?.remove().catch(() => undefined);
      this.#gathered = undefined;
      for (const key of [...this.#waiting.keys()]) this.#endWaiting(key)?.reject(notSent());
    });
  }

  #endWaiting(key: string): Waiting | undefined {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    this.#heldBytes -= waiting?.bytes ?? 0;
    return waiting;
  }

  #gather(key: string, body: string): void {
    const { limits, model, newFile } = this.#parts;
    const line = `{"custom_id":${JSON.stringify(key)},"method":"POST","url":"${endpointOf(model)}","body":${body}}\n`;
    const { keys = [], bytes = 0 } = this.#gathered ?? {};
    const isFull = keys.length >= limits.requests;
    if (isFull || bytes + Buffer.byteLength(line) > limits.bytes) this.#send();
    this.#gathered ??= new RequestFile(newFile());
    this.#gathered.add(key, line);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), quietMs);
  }

  #send(): void {
    clearTimeout(this.#timer);
    const file = this.#gathered;
    this.#gathered = undefined;
    if (file) this.#follow(this.#sendBatch(file));
  }

  #follow(work: Promise<void>): void {
    this.#work.add(work);
    // What it could not write is asked again.
    work.catch(() => undefined).finally(() => this.#work.delete(work));
  }

  async #sendBatch(file: RequestFile): Promise<void> {
    const api = this.#nextApi();
    let isTaken = false;
    try {
      while (!isTaken) {
        isTaken = await this.#submit(file, api);
        if (!isTaken) await this.#untilRoom();
      }
    } catch {
      // The run ended while the batch waited for room.
    } finally {
      await file.remove();
    }
  }

  /** Sends a batch and collects it; whether the endpoint took it. */
  async #submit(file: RequestFile, api: BatchApi): Promise<boolean> {
    const { log, identity, model } = this.#parts;
    const { keys } = file;
    const sent = { mark: randomUUID(), model: identity, address: api.address, keys };
    const { mark } = sent;
    for (const key of keys) this.#sent.set(key, mark);
    try {
      await file.end();
      await log.add(sent);
      const input = await api.upload(file, mark);
      await log.add({ mark, input });
      const marked = { mark, input };
      const { id } = await api
        .create(marked, endpointOf(model))
        .catch((error) => this.#findCutOff(marked, api, error));
      await log.add({ mark, id });
      return await this.#collect({ ...sent, id }, api);
    } catch (error) {
      await this.#lose(sent, error);
      return true;
    }
  }

  /** A batch may have been made though its answer did not arrive. */
  async #findCutOff(marked: BatchMark, api: BatchApi, error: unknown): Promise<BatchState> {
    if (!(error instanceof ModelError) || !error.retryable) throw error;
    for (const ms of listedMs) {
      await wait(ms, undefined, { signal: this.#parts.signal });
      const found = await this.#find(marked, api);
      if (found) return found;
    }
    throw error;
  }

  /** Nothing where a server lists no batches. */
  #find(marked: BatchMark, api: BatchApi): Promise<BatchState | undefined> {
    return this.#untilTold(() => api.find(marked)).catch((error: unknown) => {
      if (error instanceof ModelError) return undefined;
      throw error;
    });
  }

  /** Waits until a batch has ended; if the others are not ours, for some minutes. */
  async #untilRoom(): Promise<void> {
    const { signal } = this.#parts;
    const [ended, until] = [this.#ended, performance.now() + longestRoomMs];
    while (this.#ended === ended && performance.now() < until) {
      await wait(firstLookMs, undefined, { signal });
    }
  }

  /** What comes back without an answer goes to the next address, too. */
  #nextApi(): BatchApi {
    const { apis } = this.#parts;
    return apis[this.#batches++ % apis.length] as BatchApi;
  }

  /** A start may have ended between sending a batch and learning its name. */
  async #collectEarlier(batch: SentBatch): Promise<void> {
    const { apis, log } = this.#parts;
    try {
      const api = apis.find(({ address }) => address === (batch.address ?? apis[0]?.address));
      if (!api) throw notAnswered(`its address, ${batch.address}, is no longer in the config`);
      const id = batch.id ?? (await this.#find(batch, api))?.id;
      if (id !== undefined && batch.id === undefined) await log.add({ mark: batch.mark, id });
      if (id === undefined) throw notAnswered('it was not sent');
      const isTaken = await this.#collect({ ...batch, id }, api);
      if (!isTaken) throw notAnswered('the endpoint had too many tokens queued');
    } catch (error) {
      await this.#lose(batch, error);
    }
  }

  /** Whether the endpoint took it: one that has too much queued may do so later. */
  async #collect(
    { mark, keys, id }: SentBatch & { readonly id: string },
    api: BatchApi,
  ): Promise<boolean> {
    const { log, signal, unrecorded } = this.#parts;
    const shown: OpenBatch = { size: keys.length, done: 0 };
    this.#open.add(shown);
    try {
      const state = await this.#untilOver(() => api.look(id), shown);
      if (state.status === 'failed' && state.isTooMuch) {
        await log.add({ mark, isOver: true });
        return false;
      }
      const files = [state.output, state.errors].filter((file) => file !== undefined);
      for (const file of files) {
        await this.#untilTold(async () => {
          for await (const answer of api.answers(file)) {
            await this.#take(answer, mark);
            while (unrecorded() > mostUnrecorded) await wait(recordingMs, undefined, { signal });
          }
        });
      }
      const error = state.status === 'failed' ? refused(state) : notAnswered(state.status);
      for (const key of keys) await this.#take({ key, error }, mark);
      await wait(keptMs, undefined, { signal }).catch(() => undefined);
      await log.add({ mark, isOver: true });
      this.#ended += 1;
      return true;
    } finally {
      this.#open.delete(shown);
    }
  }

  async #untilOver(look: () => Promise<BatchState>, shown: OpenBatch): Promise<BatchState> {
    const { signal } = this.#parts;
    for (let ms = firstLookMs; ; ms = Math.min(ms * 1.5, longestLookMs)) {
      const state = await this.#untilTold(look);
      shown.done = state.done;
      if (overStates.has(state.status)) return state;
      await wait(ms, undefined, { signal });
    }
  }

  /** A server that is away for a while still has the batch and its results, and they are paid for. */
  async #untilTold<Told>(ask: () => Promise<Told>): Promise<Told> {
    const { signal } = this.#parts;
    for (let ms = firstLookMs; ; ms = Math.min(ms * 1.5, longestLookMs)) {
      try {
        return await ask();
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError) || !error.retryable) throw error;
      }
      await wait(ms, undefined, { signal });
    }
  }

  /** What a later batch asks again is no longer this one's to answer. */
  async #take({ key, result, error }: BatchAnswer, mark: string): Promise<void> {
    if (this.#sent.get(key) !== mark) return;
    if (result && !this.#waiting.has(key)) await this.#early.put(key, result);
    this.#sent.delete(key);
    const waiting = this.#endWaiting(key);
    if (result) waiting?.resolve(result);
    else waiting?.reject(error ?? notAnswered());
  }

  /** A batch that could not be sent or collected: its requests fail, or go into another. */
  async #lose({ mark, keys }: Pick<SentBatch, 'mark' | 'keys'>, error: unknown): Promise<void> {
    const { signal, log } = this.#parts;
    // The run ended; the batch goes on.
    if (signal.aborted) return;
    for (const key of keys) await this.#take({ key, error: toError(error) }, mark);
    await log.add({ mark, isOver: true });
    this.#ended += 1;
  }
}

function endpointOf({ takes }: Model): string {
  return takes === 'text' ? '/v1/completions' : '/v1/chat/completions';
}

const overStates = new Set(['completed', 'failed', 'expired', 'cancelled']);

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function refused({ reason = 'no reason given' }: BatchState): ModelError {
  return new ModelError('batch.refused', `the server rejected the batch: ${reason}`, {
    retryable: false,
    hint: 'Check that the endpoint offers batches for this model, or run without `--batch`.',
  });
}

function notSent(): NotSentError {
  return new NotSentError('run.not_sent', 'the run ended before the batch was answered');
}
