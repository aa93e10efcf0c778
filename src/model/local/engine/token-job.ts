import { keyedRandom, type Random } from '../../../base/keyed-random.ts';
import type { DecodeRow } from './decode-group.ts';
import type { KvBlock } from './kv-block.ts';
import { logSumExp, topIndexes } from './logits.ts';
import type { PrefixNode } from './prefix-tree.ts';
import type { TokenListener, TokenRequest, WrittenToken } from './requests.ts';
import { sampleToken } from './sample.ts';

/** A sequence that is continued: first it is read but for its last token, then written on. */
export class TokenJob implements DecodeRow {
  readonly ids: Int32Array;
  /** No token of the prompt is asked about. */
  readonly from = Number.POSITIVE_INFINITY;
  readonly sharedLength: number;
  node: PrefixNode | undefined;
  cached = 0;
  isDone = false;
  length: number;
  next: number;
  blocks: readonly KvBlock[] = [];
  readonly #request: TokenRequest;
  readonly #listener: TokenListener;
  readonly #random: Random;
  #written = 0;

  constructor(request: TokenRequest, listener: TokenListener) {
    const { ids, seed, key } = request;
    this.ids = ids;
    this.#request = request;
    this.#listener = listener;
    this.#random = keyedRandom(seed, key);
    this.sharedLength = ids.length - 1;
    this.length = this.sharedLength;
    this.next = ids[this.sharedLength] as number;
  }

  /** How much of the cache the sequence may need in the end. Long answers are rare. */
  get expectedLength(): number {
    return this.ids.length + Math.min(this.#request.maxTokens, 256);
  }

  /** Takes the logits after the sequence so far and writes a token. */
  take(logits: Float32Array): void {
    const { sampling, stopIds, maxTokens } = this.#request;
    const token = sampleToken(logits, sampling, this.#random);
    if (token < 0) {
      this.fail(new Error('its logits are not numbers'));
      return;
    }
    this.next = token;
    this.#written += 1;
    this.#listener.token(this.#describe(token, logits));
    const isStop = stopIds.includes(token);
    if (!isStop && this.#written < maxTokens) return;
    this.isDone = true;
    this.#listener.done({ reason: isStop ? 'stop' : 'length' });
  }

  fail(error: unknown): void {
    this.isDone = true;
    this.#listener.failed(error);
  }

  #describe(token: number, logits: Float32Array): WrittenToken {
    const { top } = this.#request;
    const { cached } = this;
    if (top === undefined) return { token, cached };
    const normalizer = logSumExp(logits);
    const topIds = topIndexes(logits, top);
    return {
      token,
      cached,
      logprob: (logits[token] as number) - normalizer,
      topIds,
      topLogprobs: topIds.map((other) => (logits[other] as number) - normalizer),
    };
  }
}
