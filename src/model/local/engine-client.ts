import { Worker } from 'node:worker_threads';
import { ModelError } from '../../errors.ts';
import { AbortWatch } from '../abort-watch.ts';
import type { Pooling } from './engine/encoder-graph.ts';
import type { EngineFacts, Notice, Order, WorkerSettings } from './engine/messages.ts';
import type {
  ScoreRequest,
  SequenceScores,
  TokenRequest,
  Written,
  WrittenToken,
} from './engine/requests.ts';

/** An order without its number. */
type Ask<O = Order> = O extends { readonly id: number } ? Omit<O, 'id'> : never;

interface Pending {
  readonly token: (token: WrittenToken) => void;
  readonly done: (notice: Notice) => void;
  readonly failed: (error: unknown) => void;
}

interface AskOptions {
  readonly signal: AbortSignal;
}

interface WriteOptions extends AskOptions {
  /** Hears of every token, and tells whether it was the last one wanted. */
  readonly onToken: (token: WrittenToken) => boolean;
}

/** Weights that cannot be used; the message says why. */
export class RefusedWeights extends Error {}

/** A model that computes in a thread of its own. */
export class EngineClient {
  readonly facts: EngineFacts;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #aborts = new AbortWatch();
  #lastId = 0;
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  private constructor(worker: Worker, facts: EngineFacts) {
    this.#worker = worker;
    this.facts = facts;
    worker.on('message', (notice: Notice) => this.#hear(notice));
    worker.on('error', (cause) => this.#failAll(brokenEngine(cause)));
    worker.on('exit', () => this.#failAll(closedEngine()));
    // A model that is not asked anything keeps no process alive.
    worker.unref();
  }

  /** Loads the weights; fails with `RefusedWeights`. */
  static open(settings: WorkerSettings): Promise<EngineClient> {
    return new Promise((resolve, reject) => {
      const worker = startWorker(settings);
      worker.once('error', reject);
      worker.once('message', (notice: Notice) => {
        worker.removeListener('error', reject);
        if (notice.type === 'opened') resolve(new EngineClient(worker, notice.facts));
        else if (notice.type === 'refused') reject(new RefusedWeights(notice.reason));
      });
    });
  }

  async score(
    sequences: readonly ScoreRequest[],
    options: AskOptions,
  ): Promise<readonly SequenceScores[]> {
    return (await this.#ask({ type: 'score', sequences }, { ...options, reply: 'scored' })).scores;
  }

  write(request: TokenRequest, options: WriteOptions): Promise<Written> {
    return this.#ask({ type: 'write', request }, { ...options, reply: 'written' });
  }

  async embed(
    sequences: readonly Int32Array[],
    { pooling, signal }: { readonly pooling: Pooling; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]> {
    const ask = { type: 'embed', sequences, pooling } as const;
    return (await this.#ask(ask, { signal, reply: 'embedded' })).vectors;
  }

  /** Waits for what was asked, then ends the thread. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#pending.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    const ended = new Promise((resolve) => {
      this.#worker.once('exit', resolve);
    });
    this.#worker.ref();
    this.#send({ type: 'close' });
    await ended;
  }

  #ask<Type extends Notice['type']>(
    ask: Ask,
    { signal, onToken }: AskOptions & Partial<WriteOptions> & { readonly reply: Type },
  ): Promise<Extract<Notice, { type: Type }>> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#isClosed) throw closedEngine();
      this.#lastId += 1;
      const id = this.#lastId;
      const failed = (error: unknown) => {
        this.#aborts.remove(signal, watchIndex);
        this.#forget(id);
        reject(error);
      };
      const watchIndex = this.#aborts.add(signal, {
        abort: (reason) => {
          this.#send({ type: 'cancel', id });
          failed(reason);
        },
      });
      const done = (notice: Notice) => {
        this.#aborts.remove(signal, watchIndex);
        this.#forget(id);
        resolve(notice as Extract<Notice, { type: Type }>);
      };
      const token = (token: WrittenToken) => {
        if (!onToken?.(token)) return;
        this.#send({ type: 'cancel', id });
        done({ type: 'written', id, reason: 'stop' });
      };
      this.#pending.set(id, { token, done, failed });
      this.#worker.ref();
      this.#send({ ...ask, id } as Order);
    });
  }

  #send(order: Order): void {
    this.#worker.postMessage(order);
  }

  #hear(notice: Notice): void {
    if (notice.type === 'tokens') {
      for (const token of notice.tokens) this.#pending.get(token.id)?.token(token);
    } else if (notice.type === 'failed') {
      this.#pending.get(notice.id)?.failed(brokenEngine(notice.reason));
    } else if ('id' in notice) {
      this.#pending.get(notice.id)?.done(notice);
    }
  }

  #failAll(error: unknown): void {
    for (const { failed } of [...this.#pending.values()]) failed(error);
  }

  #forget(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size > 0) return;
    this.#worker.unref();
    this.#onIdle?.();
  }
}

/** In the package the worker is a file beside this one. Its source has to be compiled first. */
function startWorker(workerData: WorkerSettings): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./local-worker.js', import.meta.url), { workerData });
  }
  const { href } = new URL('./engine/worker.ts', import.meta.url);
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${href}'); });`;
  return new Worker(code, { eval: true, workerData });
}

function brokenEngine(cause: unknown): ModelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ModelError('model.inference_failed', `the local model failed: ${reason}`, {
    retryable: false,
    cause,
    hint: 'Is the weights file complete, and is there enough memory? A smaller `batch_size` needs less.',
  });
}

function closedEngine(): ModelError {
  return new ModelError('model.closed', 'the local model was closed', { retryable: false });
}
