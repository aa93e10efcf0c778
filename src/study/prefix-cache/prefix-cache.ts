import { BlockTable } from './block-table.ts';

/** A server's prefix cache. */
export interface PrefixCacheSettings {
  /** Tokens of a block; only whole blocks are reused. 16 by default, as vLLM has it; SGLang's is 1. */
  readonly block?: number | undefined;
  /** Tokens that there is room for, prompts and answers in flight among them; no limit by default. */
  readonly size?: number | undefined;
  /** Requests in flight at the same time, which find nothing of each other; 1 by default. */
  readonly inFlight?: number | undefined;
}

export const defaultBlock = 16;
/** Room of the cache that a plan takes a server to have: more than most have, and little to simulate. */
export const plannedCacheTokens = 2 ** 20;

/** What is sent, as its tokens; equal numbers are equal tokens. */
export interface CachedRequest {
  readonly tokens: Uint32Array;
  /** The answer, which the cache keeps after the prompt: the next turn of a dialogue begins so. */
  readonly answer?: Uint32Array | undefined;
}

/** What a cache did for some requests. */
export interface PrefixSavings {
  readonly requests: number;
  /** Tokens of all prompts. */
  readonly tokens: number;
  /** Those that were found in the cache and not computed again. */
  readonly saved: number;
  /** Requests that have no room in the cache, even alone; nothing was saved for them. */
  readonly tooLong: number;
}

/** A request as its blocks, for caches with blocks of that size. */
export interface BlockedRequest {
  /** Tokens of the prompt. */
  readonly length: number;
  /** Blocks that prompt and answer take, with the one that is not whole. */
  readonly blocks: number;
  /** Two words for each whole block: of its tokens and all that stand before it. */
  readonly hashes: Uint32Array;
}

interface InFlight {
  readonly hashes: Uint32Array;
  /** Blocks at the start that were found. */
  readonly found: readonly number[];
  /** Blocks that were taken for the rest. */
  readonly taken: number;
}

/**
 * A pool of blocks as servers have it. A request finds the blocks that earlier ones left, as far as
 * it begins alike, and takes room for the others. Where there is none, blocks go that were used
 * longest ago: the last ones of a sequence first, so that what stays is always a prefix.
 */
export class PrefixCache {
  readonly #block: number;
  readonly #blocks: number;
  readonly #most: number;
  readonly #table = new BlockTable();
  readonly #inFlight: InFlight[] = [];
  #taken = 0;
  #counts = { requests: 0, tokens: 0, saved: 0, tooLong: 0 };

  constructor({ block = defaultBlock, size, inFlight = 1 }: PrefixCacheSettings = {}) {
    this.#block = block;
    this.#blocks = size === undefined ? Number.POSITIVE_INFINITY : Math.floor(size / block);
    this.#most = inFlight;
  }

  get savings(): PrefixSavings {
    return { ...this.#counts };
  }

  /** Tokens that stand in the cache for later requests. */
  get kept(): number {
    while (this.#inFlight.length > 0) this.#finish();
    return this.#table.size * this.#block;
  }

  /** Sends a request; gives how many tokens of its prompt need not be computed. */
  send(request: CachedRequest): number {
    return this.sendBlocks(toBlocks(request, this.#block));
  }

  sendBlocks({ length, blocks: all, hashes }: BlockedRequest): number {
    const block = this.#block;
    const table = this.#table;
    while (this.#inFlight.length >= this.#most) this.#finish();
    this.#counts.requests++;
    this.#counts.tokens += length;
    if (all > this.#blocks) {
      this.#counts.tooLong++;
      return 0;
    }
    // the last token is computed in any case: the model's next word comes of it
    const mostFound = Math.max(0, Math.floor((length - 1) / block));
    const found: number[] = [];
    this.#hold(hashes, mostFound, found);
    // a request that has no room waits until others are done
    while (table.held + this.#taken + all - found.length > this.#blocks) {
      this.#finish();
      this.#hold(hashes, mostFound, found);
    }
    const taken = all - found.length;
    while (table.size + this.#taken + taken > this.#blocks) table.removeOldest();
    this.#taken += taken;
    this.#inFlight.push({ hashes, found, taken });
    const saved = found.length * block;
    this.#counts.saved += saved;
    return saved;
  }

  /** Holds the blocks of a sequence that are there, after those that are held, without a gap. */
  #hold(hashes: Uint32Array, end: number, found: number[]): void {
    for (let index = found.length; index < end; index++) {
      const place = this.#table.find(hashes[index * 2] as number, hashes[index * 2 + 1] as number);
      if (place < 0) return;
      this.#table.hold(place);
      found.push(place);
    }
  }

  /** The oldest request is done: what it found and made stays, its first blocks as the last to go. */
  #finish(): void {
    const oldest = this.#inFlight.shift();
    if (!oldest) return;
    const { hashes, found, taken } = oldest;
    this.#taken -= taken;
    for (let index = hashes.length / 2 - 1; index >= found.length; index--) {
      const high = hashes[index * 2] as number;
      const low = hashes[index * 2 + 1] as number;
      const place = this.#table.find(high, low);
      if (place < 0) this.#table.add(high, low);
      else this.#table.touch(place);
    }
    for (let index = found.length - 1; index >= 0; index--) {
      this.#table.release(found[index] as number);
    }
  }
}

/**
 * What a prefix cache would save on requests in this order.
 *
 * @example
 * const requests = [[1, 2, 3, 4], [1, 2, 3, 5]].map((ids) => ({ tokens: Uint32Array.from(ids) }));
 * simulatePrefixCache(requests, { block: 2 }); // { requests: 2, tokens: 8, saved: 2, tooLong: 0 }
 */
export function simulatePrefixCache(
  requests: Iterable<CachedRequest>,
  settings: PrefixCacheSettings = {},
): PrefixSavings {
  const cache = new PrefixCache(settings);
  for (const request of requests) cache.send(request);
  return cache.savings;
}

/** Cuts a request into blocks; what is left over at its end is no block. */
export function toBlocks({ tokens, answer }: CachedRequest, block: number): BlockedRequest {
  const kept = joined(tokens, answer);
  return {
    length: tokens.length,
    blocks: Math.ceil(kept.length / block),
    hashes: hashBlocks(kept, block),
  };
}

/** Hashes of whole blocks, each with all that stands before it, in two words. */
function hashBlocks(tokens: Uint32Array, block: number): Uint32Array {
  const count = Math.floor(tokens.length / block);
  const hashes = new Uint32Array(count * 2);
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  let index = 0;
  for (let at = 0; at < hashes.length; at += 2) {
    for (const end = index + block; index < end; index++) {
      const token = tokens[index] as number;
      high = Math.imul((high << 13) | (high >>> 19), 0x85ebca6b) ^ token;
      low = Math.imul((low << 11) | (low >>> 21), 0xc2b2ae35) ^ token;
      high = Math.imul(high ^ (high >>> 16), 0x9e3779b1) + 1;
      low = Math.imul(low ^ (low >>> 15), 0x27d4eb2f) + 1;
    }
    hashes[at] = high;
    hashes[at + 1] = low ^ (low >>> 16);
  }
  return hashes;
}

function joined(tokens: Uint32Array, answer: Uint32Array | undefined): Uint32Array {
  if (!answer || answer.length === 0) return tokens;
  const both = new Uint32Array(tokens.length + answer.length);
  both.set(tokens);
  both.set(answer, tokens.length);
  return both;
}
