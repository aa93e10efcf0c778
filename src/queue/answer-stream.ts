import type { Redis } from 'ioredis';
import { answersKey } from './names.ts';
import { type ArrivedAnswer, readAnswer } from './wire.ts';

/** Answers are in the log of the run, and with the system, by then. */
const keptMs = 3000;
const answersAtOnce = 1000;
const waitMs = 1000;
const retryMs = 200;

type Entry = readonly [id: string, fields: string[] | null];

/** The answers to a run, in the order in which workers gave them. They stay until the log of the run has them. */
export class AnswerStream {
  readonly #redis: Redis;
  readonly #reader: Redis;
  readonly #key: string;
  #lastId = '0-0';
  /** What was taken in, and when. */
  #taken: { readonly id: string; readonly at: number }[] = [];
  #isClosed = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(redis: Redis, run: string) {
    this.#redis = redis;
    this.#reader = redis.duplicate();
    this.#reader.on('error', () => undefined);
    this.#key = answersKey(run);
  }

  /** The answers that an earlier start did not see. */
  async takeWaiting(): Promise<readonly ArrivedAnswer[]> {
    const waiting: ArrivedAnswer[] = [];
    for (;;) {
      const entries = await this.#redis.xrange(
        ...([this.#key, `(${this.#lastId}`, '+', 'COUNT', answersAtOnce] as const),
      );
      waiting.push(...this.#read(entries));
      if (entries.length < answersAtOnce) return waiting;
    }
  }

  /** Gives answers as they come, until it is closed. */
  follow(take: (answer: ArrivedAnswer) => void): void {
    this.#reading = this.#follow(take);
  }

  /** Has the server drop what was taken in long enough ago. */
  async forgetTaken(): Promise<void> {
    const until = performance.now() - keptMs;
    const kept = this.#taken.findIndex(({ at }) => at > until);
    const gone = kept === -1 ? this.#taken : this.#taken.slice(0, kept);
    const last = gone.at(-1);
    if (!last) return;
    this.#taken = this.#taken.slice(gone.length);
    const [ms = '0', count = '0'] = last.id.split('-');
    await this.#redis.xtrim(this.#key, 'MINID', `${ms}-${Number(count) + 1}`);
  }

  async close({ isThrough }: { readonly isThrough: boolean }): Promise<void> {
    this.#isClosed = true;
    this.#reader.disconnect();
    await this.#reading;
    if (isThrough) await this.#redis.del(this.#key).catch(() => undefined);
  }

  async #follow(take: (answer: ArrivedAnswer) => void): Promise<void> {
    while (!this.#isClosed) {
      try {
        const found = await this.#reader.xread(
          ...([
            'COUNT',
            answersAtOnce,
            'BLOCK',
            waitMs,
            'STREAMS',
            this.#key,
            this.#lastId,
          ] as const),
        );
        for (const [, entries] of found ?? []) {
          const at = performance.now();
          for (const [id] of entries) this.#taken.push({ id, at });
          for (const answer of this.#read(entries)) take(answer);
        }
      } catch {
        if (this.#isClosed) return;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  #read(entries: readonly Entry[]): readonly ArrivedAnswer[] {
    this.#lastId = entries.at(-1)?.[0] ?? this.#lastId;
    return entries.flatMap(([, fields]) => readAnswer(fields?.[1] ?? '') ?? []);
  }
}
