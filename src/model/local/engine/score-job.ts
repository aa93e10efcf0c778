import { firstTokens, type KvBlock } from './kv-block.ts';
import { argMax, logSumExp, topIndexes } from './logits.ts';
import { blocksOf, emptyScores, type PrefixNode, type TokenScores } from './prefix-tree.ts';
import type { Listener, ScoreRequest, SequenceScores } from './requests.ts';

/** A sequence whose tokens are scored: first what it shares with others, then the rest. */
export class ScoreJob {
  readonly ids: Int32Array;
  readonly from: number;
  readonly sharedLength: number;
  node: PrefixNode | undefined;
  cached = 0;
  isDone = false;
  readonly #top: number;
  readonly #listener: Listener<SequenceScores>;
  readonly #scores: Omit<SequenceScores, 'cached'>;
  /** Tokens whose keys and values are known from others, and those read after them. */
  #begin: number;
  #read: number;
  readonly #own: KvBlock[] = [];

  constructor(request: ScoreRequest, listener: Listener<SequenceScores>) {
    const { ids, from, shared, top } = request;
    this.ids = ids;
    this.from = from;
    this.#top = top > 1 ? top : 0;
    this.#listener = listener;
    // Only the likeliest token of a position is kept for others.
    const useful = top <= 1 ? shared : 0;
    this.sharedLength = Math.min(Math.max(from, useful), ids.length - 1);
    // Unless it is read with others, the last shared token is read again for its logits.
    this.#begin = this.sharedLength - 1;
    this.#read = this.#begin;
    const count = ids.length - from;
    this.#scores = {
      ...emptyScores(count),
      topIds: new Int32Array(count * this.#top),
      topLogprobs: new Float64Array(count * this.#top),
    };
  }

  /** Tokens to read; the last one's logits are of no use. */
  get remaining(): Int32Array {
    return this.ids.subarray(this.#read, this.ids.length - 1);
  }

  /** Tokens to read after the shared ones; none if some of them have been read. */
  get suffix(): Int32Array {
    return this.#read > this.sharedLength
      ? new Int32Array(0)
      : this.ids.subarray(this.sharedLength, this.ids.length - 1);
  }

  /** What the model has read before those that remain. */
  get past(): KvBlock[] {
    return [...firstTokens(blocksOf(this.node), this.#begin), ...this.#own];
  }

  /** Takes the logits after the last shared token, if they are still of use. */
  takeShared(logits: Float32Array): void {
    if (this.#read >= this.sharedLength) return;
    this.take(logits);
    this.#begin = this.#read;
  }

  /** Takes the logits after the next token. */
  take(logits: Float32Array): void {
    this.#read += 1;
    const position = this.#read - this.from;
    const { topIds, topLogprobs } = this.#scores;
    const normalizer = scoreToken(this.#scores, position, { logits, token: this.ids[this.#read] });
    if (this.#top === 0) return;
    topIndexes(logits, this.#top).forEach((other, rank) => {
      topIds[position * this.#top + rank] = other;
      topLogprobs[position * this.#top + rank] = (logits[other] as number) - normalizer;
    });
  }

  /** Keeps what the model made of the tokens just read, for those that follow. */
  keep(block: KvBlock): void {
    this.#own.push(block);
  }

  finish(): void {
    if (this.isDone) return;
    this.#takeKnown();
    this.isDone = true;
    this.#listener.done({ ...this.#scores, cached: this.cached });
  }

  fail(error: unknown): void {
    this.isDone = true;
    this.#listener.failed(error);
  }

  /** Takes what is known of the shared tokens. */
  #takeKnown(): void {
    let start = 0;
    for (const { tokens, scores } of this.node?.path() ?? []) {
      const skipped = Math.max(0, this.from - start);
      if (scores && skipped < tokens.length) {
        const position = start + skipped - this.from;
        this.#scores.logprobs.set(scores.logprobs.subarray(skipped), position);
        this.#scores.bestIds.set(scores.bestIds.subarray(skipped), position);
        this.#scores.bestLogprobs.set(scores.bestLogprobs.subarray(skipped), position);
      }
      start += tokens.length;
    }
  }
}

/** Writes down how likely a token is, and gives what to take from logits for log-probabilities. */
export function scoreToken(
  { logprobs, bestIds, bestLogprobs }: TokenScores,
  position: number,
  { logits, token }: { readonly logits: Float32Array; readonly token: number | undefined },
): number {
  const best = argMax(logits);
  const normalizer = logSumExp(logits, best);
  logprobs[position] = (logits[token as number] as number) - normalizer;
  bestIds[position] = best;
  bestLogprobs[position] = (logits[best] as number) - normalizer;
  return normalizer;
}
