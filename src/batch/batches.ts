import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { contentHash } from '../base/content-hash.ts';
import type { ModelConfig } from '../config/config.ts';
import { ConfigError, formatPath, ModelError, NotSentError } from '../errors.ts';
import type { Meter } from '../evaluation/judges.ts';
import { requestKey } from '../evaluation/key.ts';
import { hasParts } from '../model/media.ts';
import {
  bodiesOf,
  type GenerateOptions,
  type GenerateRequest,
  type GenerateResult,
  type Model,
} from '../model/model.ts';
import type { RunReach } from '../run/run-control.ts';
import { batchFileName } from '../run/store/run-folder.ts';
import {
  type BatchAnswer,
  type BatchApi,
  type BatchState,
  batchApi,
  notAnswered,
} from './batch-api.ts';
import { BatchLog, type SentBatch } from './batch-log.ts';

/** What providers take in one batch. */
const providerLimits = { requests: 50_000, bytes: 190_000_000 };

type BatchLimits = typeof providerLimits;

/** A batch is sent when no further request came for so long. */
const quietMs = 1000;
const firstLookMs = 1000;
const longestLookMs = 60_000;
/** How long a batch waits that an endpoint has no room for. */
const longestRoomMs = 600_000;
/** Answers of a batch are in the log of the run by then. */
const keptMs = 1000;

interface Waiting {
  readonly body: string;
  readonly resolve: (result: GenerateResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks models through the batch API of their endpoint: slower, at half the price with most providers. A run ends when its batches
 * have, or is stopped and started again later: it collects what it sent.
 */
export class Batches implements RunReach {
  readonly #log: BatchLog;
  readonly #limits: BatchLimits;
  readonly #end = new AbortController();
  readonly #lines: BatchLine[] = [];

  private constructor(log: BatchLog, limits: BatchLimits) {
    this.#log = log;
    this.#limits = limits;
  }

  /** For the run in a folder. */
  static async open(
    { path }: { readonly path: string },
    limits: BatchLimits = providerLimits,
  ): Promise<Batches> {
    return new Batches(await BatchLog.read(join(path, batchFileName)), limits);
  }

  /** A model that is asked in batches. Judges are asked as always: verdicts wait for answers. */
  readonly meter: Meter = (model, config) => {
    if (config.judge) return model;
    requireBatches(model, config);
    // Two names of one model have batches of their own.
    const identity = contentHash([config.abbr, model.identity]);
    const open = this.#log.open.filter((batch) => batch.model === identity);
    const addresses = [config.baseUrl, ...(config.otherUrls ?? [])];
    const apis = addresses.map((baseUrl) => batchApi({ ...config, baseUrl }, this.#end.signal));
    const line = new BatchLine({
      ...{ model, identity, apis, log: this.#log, limits: this.#limits },
      signal: this.#end.signal,
    });
    this.#lines.push(line);
    for (const batch of open) line.takeUp(batch);
    // What the model finds out later shows through.
    return Object.create(model, {
      generate: {
        value: (request: GenerateRequest, options: GenerateOptions) => line.ask(request, options),
      },
    });
  };

  readonly roomFor = (): number => 2 * this.#limits.requests;
  readonly isEager = true;

  get state(): string {
    const open = this.#lines.flatMap((line) => line.open);
    const sum = (of: 'done' | 'size') => open.reduce((total, batch) => total + batch[of], 0);
    if (open.length === 0) return 'gathering a batch';
    const count = open.length === 1 ? '1 batch' : `${open.length} batches`;
    return `${count}: ${sum('done')} of ${sum('size')} answered`;
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the run ended'));
    await Promise.all(this.#lines.map((line) => line.close()));
  }
}

function requireBatches(model: Model, { abbr, source, stream }: ModelConfig): void {
  const isEndpoint = model.target !== undefined && 'url' in model.target;
  const reason = !isEndpoint
    ? 'has no endpoint with a batch API'
    : model.loglikelihoodModel
      ? 'is asked for loglikelihoods, which batch APIs do not return'
      : stream
        ? 'has `stream: true`, but batches are not streamed'
        : undefined;
  if (reason === undefined) return;
  throw new ConfigError('batch.not_possible', `${formatPath(source)}: \`${abbr}\` ${reason}`, {
    path: source,
    hint: 'Run without `--batch`.',
  });
}

interface LineParts {
  readonly model: Model;
  readonly identity: string;
  /** One for each address; batches take turns. */
  readonly apis: readonly BatchApi[];
  readonly log: BatchLog;
  readonly limits: BatchLimits;
  readonly signal: AbortSignal;
}

interface OpenBatch {
  readonly size: number;
  done: number;
}

/** The batches of one model. */
class BatchLine {
  readonly #parts: LineParts;
  readonly #waiting = new Map<string, Waiting>();
  /** Requests that are in a batch already, and answers that nobody asked for yet. */
  readonly #sent = new Set<string>();
  readonly #early = new Map<string, BatchAnswer>();
  readonly #open = new Set<OpenBatch>();
  readonly #work = new Set<Promise<void>>();
  readonly #stops = new WeakSet<AbortSignal>();
  #gathered: string[] = [];
  #bytes = 0;
  #batches = 0;
  /** How many are over. */
  #ended = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  get open(): readonly OpenBatch[] {
    return [...this.#open];
  }

  async ask(request: GenerateRequest, { signal, stop }: GenerateOptions): Promise<GenerateResult> {
    const { model, identity } = this.#parts;
    const own = hasParts(request.prompt) ? undefined : request.body;
    const [body = ''] = own === undefined ? await bodiesOf(model, request) : [String(own)];
    const key = request.key ?? requestKey(body, identity);
    signal.throwIfAborted();
    const early = this.#early.get(key);
    if (early) {
      this.#early.delete(key);
      if (early.result) return early.result;
    }
    if (stop?.aborted) throw notSent();
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { body, resolve, reject });
      this.#giveUpOn(stop ?? signal);
      this.#giveUpOn(signal);
      if (!this.#sent.has(key)) this.#gather(key, body);
    });
  }

  /** Waits for a batch of an earlier start. */
  takeUp(batch: SentBatch): void {
    for (const key of batch.keys) this.#sent.add(key);
    this.#follow(this.#collectEarlier(batch));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#work);
  }

  /** The server works on without the run: what is in a batch is collected by the next start. */
  #giveUpOn(signal: AbortSignal): void {
    if (this.#stops.has(signal)) return;
    this.#stops.add(signal);
    signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#gathered = [];
      for (const [key, { reject }] of this.#waiting) {
        this.#waiting.delete(key);
        reject(notSent());
      }
    });
  }

  #gather(key: string, body: string): void {
    const bytes = Buffer.byteLength(body) + key.length + 200;
    const { limits } = this.#parts;
    const isFull = this.#gathered.length >= limits.requests;
    if (isFull || this.#bytes + bytes > limits.bytes) this.#send();
    this.#gathered.push(key);
    this.#bytes += bytes;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), quietMs);
  }

  #send(): void {
    clearTimeout(this.#timer);
    const keys = this.#gathered.splice(0).filter((key) => this.#waiting.has(key));
    this.#bytes = 0;
    if (keys.length > 0) this.#follow(this.#sendBatch(keys));
  }

  #follow(work: Promise<void>): void {
    this.#work.add(work);
    work.finally(() => this.#work.delete(work));
  }

  async #sendBatch(keys: readonly string[]): Promise<void> {
    const { log, identity, model } = this.#parts;
    const api = this.#nextApi();
    const { address } = api;
    const url = model.takes === 'text' ? '/v1/completions' : '/v1/chat/completions';
    const lines = keys.map((key) => {
      const body = this.#waiting.get(key)?.body ?? '{}';
      return `{"custom_id":${JSON.stringify(key)},"method":"POST","url":"${url}","body":${body}}\n`;
    });
    for (const key of keys) this.#sent.add(key);
    for (let isTaken = false; !isTaken; ) {
      const mark = randomUUID();
      try {
        await log.add({ mark, model: identity, address, keys: [...keys] });
        const { id } = await api.submit(lines.join(''), mark);
        await log.add({ mark, id });
        isTaken = await this.#collect({ mark, model: identity, keys, id }, api);
        if (!isTaken) await this.#untilRoom();
      } catch (error) {
        await this.#lose({ mark, keys }, error);
        return;
      }
    }
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
      const id = batch.id ?? (await api.find(batch.mark))?.id;
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
    const { log, signal } = this.#parts;
    const shown: OpenBatch = { size: keys.length, done: 0 };
    this.#open.add(shown);
    try {
      const state = await this.#untilOver(() => api.look(id), shown);
      if (state.status === 'failed' && state.isTooMuch) {
        await log.add({ mark, isOver: true });
        return false;
      }
      const files = [state.output, state.errors].filter((file) => file !== undefined);
      const seen = new Set<string>();
      for (const file of files) {
        for (const answer of await api.answers(file)) {
          seen.add(answer.key);
          this.#take(answer);
        }
      }
      const missing = keys.filter((key) => !seen.has(key));
      const error = state.status === 'failed' ? refused(state) : notAnswered(state.status);
      for (const key of missing) this.#take({ key, error });
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
      const state = await look().catch((error: unknown) => {
        // A server that is away for a while still has the batch.
        if (signal.aborted || !(error instanceof ModelError) || !error.retryable) throw error;
        return undefined;
      });
      shown.done = state?.done ?? shown.done;
      if (state && overStates.has(state.status)) return state;
      await wait(ms, undefined, { signal });
    }
  }

  #take(answer: BatchAnswer): void {
    const { key, result, error } = answer;
    const waiting = this.#waiting.get(key);
    this.#sent.delete(key);
    this.#waiting.delete(key);
    if (!waiting) {
      if (result) this.#early.set(key, answer);
    } else if (result) waiting.resolve(result);
    else waiting.reject(error ?? notAnswered());
  }

  /** A batch that could not be sent or collected: its requests fail, or go into another. */
  async #lose({ mark, keys }: Pick<SentBatch, 'mark' | 'keys'>, error: unknown): Promise<void> {
    const { signal, log } = this.#parts;
    // The run ended; the batch goes on.
    if (signal.aborted) return;
    for (const key of keys) this.#take({ key, error: toError(error) });
    await log.add({ mark, isOver: true });
  }
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
