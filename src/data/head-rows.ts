import type { NamedRow } from '../prompt/trace.ts';
import { passOn, type RowStream } from './row-stream.ts';

/** After a look at more rows than this the next pass begins anew. */
const keptBatches = 8;

/**
 * A stream whose first rows can be looked at. The first pass after that goes on from there, so that
 * the data is not opened again.
 */
export class HeadRows<Named extends NamedRow> implements RowStream<Named> {
  readonly count: () => Promise<number>;
  readonly describe: RowStream['describe'];
  readonly #stream: RowStream<Named>;
  #open:
    | { readonly seen: (readonly Named[])[]; readonly rest: AsyncIterator<readonly Named[]> }
    | undefined;

  readonly #keeps: boolean;

  /** `keeps`: whether the pass is kept open; each costs a file handle and its buffers. */
  constructor(stream: RowStream<Named>, keeps = true) {
    this.#stream = stream;
    this.#keeps = keeps;
    const { count, describe } = passOn(stream);
    this.count = count;
    this.describe = describe;
  }

  /** Looks at batches until `see` has seen enough. */
  async look(see: (batch: readonly Named[]) => boolean): Promise<void> {
    for await (const batch of this.start()) if (see(batch)) return;
  }

  /** A pass that may be left early: the one after it goes on from there. */
  async *start(): AsyncGenerator<readonly Named[], void, undefined> {
    await this.#let();
    const seen: (readonly Named[])[] = [];
    const rest = this.#stream.batches()[Symbol.asyncIterator]();
    let looked = 0;
    try {
      for (let next = await rest.next(); !next.done; next = await rest.next()) {
        looked += 1;
        if (looked <= keptBatches) seen.push(next.value);
        yield next.value;
      }
    } finally {
      if (this.#keeps && looked <= keptBatches) this.#open = { seen, rest };
      else await rest.return?.();
    }
  }

  async *batches(): AsyncGenerator<readonly Named[], void, undefined> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) {
      yield* this.#stream.batches();
      return;
    }
    try {
      yield* open.seen;
      for (let next = await open.rest.next(); !next.done; next = await open.rest.next()) {
        yield next.value;
      }
    } finally {
      await open.rest.return?.();
    }
  }

  async close(): Promise<void> {
    await this.#let();
    await this.#stream.close?.();
  }

  async #let(): Promise<void> {
    await this.#open?.rest.return?.();
    this.#open = undefined;
  }
}
