import type { CausalGraph, Wanted } from './causal-graph.ts';
import { type BatchLimits, chooseRows, isAlike } from './choose-rows.ts';
import { DecodeGroup } from './decode-group.ts';
import { putBlocks, takeBlock } from './kv-block.ts';
import { isReady, type MissingPrefix, missingPrefixes, scorePrefix } from './missing-prefixes.ts';
import {
  type NextRow,
  type PackLimits,
  packRow,
  packSuffixes,
  sequencesByNode,
  takeRow,
} from './packed-row.ts';
import { blocksOf, PrefixTree } from './prefix-tree.ts';
import type {
  Listener,
  ScoreRequest,
  SequenceScores,
  TokenListener,
  TokenRequest,
} from './requests.ts';
import { ScoreJob } from './score-job.ts';
import { TokenJob } from './token-job.ts';

export interface EngineLimits extends BatchLimits, PackLimits {
  /** The most tokens of prefixes that are kept. */
  readonly keptTokens: number;
}

type Job = ScoreJob | TokenJob;

/** The most requests that are looked at together, to find what they share. */
const maxActive = 256;

/**
 * Answers requests together. Prefixes that sequences share are read once and kept for later
 * ones. Then probabilities are read off, and answers written, in batches that requests join and
 * leave at any time; the results are those of each request alone.
 */
export class CausalEngine {
  readonly #graph: CausalGraph;
  readonly #limits: EngineLimits;
  readonly #tree: PrefixTree;
  #queue: Job[] = [];
  readonly #active = new Set<Job>();
  #groups: DecodeGroup<TokenJob>[] = [];
  #isWorking = false;

  constructor(graph: CausalGraph, limits: EngineLimits) {
    this.#graph = graph;
    this.#limits = limits;
    this.#tree = new PrefixTree(limits.keptTokens, graph.shape);
  }

  /** Gives a function that calls the request off. */
  score(request: ScoreRequest, listener: Listener<SequenceScores>): () => void {
    return this.#start(new ScoreJob(request, listener));
  }

  /** Gives a function that calls the request off. */
  write(request: TokenRequest, listener: TokenListener): () => void {
    return this.#start(new TokenJob(request, listener));
  }

  #start(job: Job): () => void {
    this.#queue.push(job);
    if (!this.#isWorking) {
      this.#isWorking = true;
      // Requests that come at the same time are to be found waiting together.
      setImmediate(() => this.#work());
    }
    return () => {
      job.isDone = true;
    };
  }

  async #work(): Promise<void> {
    for (;;) {
      this.#clear();
      this.#admit();
      if (this.#active.size === 0) break;
      await this.#readPrefixes();
      await this.#readProbabilities();
      this.#beginAnswers();
      await this.#writeTokens();
    }
    this.#isWorking = false;
  }

  /** Takes up waiting requests, in order, as long as there is room for what they hold. */
  #admit(): void {
    let taken = 0;
    for (const job of this.#queue) {
      if (this.#active.size >= maxActive || !this.#hasRoomToWrite(job)) break;
      job.node = this.#tree.hold(job.ids.subarray(0, job.sharedLength));
      this.#active.add(job);
      if (this.#tree.heldTokens > this.#tree.maxTokens && this.#active.size > 1) {
        this.#drop(job);
        break;
      }
      job.cached = blocksOf(job.node).reduce((sum, { length }) => sum + length, 0);
      taken += 1;
    }
    this.#queue = this.#queue.slice(taken);
  }

  #hasRoomToWrite(job: Job): boolean {
    if (job instanceof ScoreJob) return true;
    const writing = [...this.#active].filter((other) => other instanceof TokenJob);
    if (writing.length === 0) return true;
    const tokens = writing.reduce((sum, other) => sum + other.expectedLength, job.expectedLength);
    return writing.length < this.#limits.rows && tokens <= this.#limits.cacheTokens;
  }

  /** Forgets requests that are done or were called off. */
  #clear(): void {
    this.#queue = this.#queue.filter(({ isDone }) => !isDone);
    for (const job of this.#active) if (job.isDone) this.#drop(job);
    this.#groups = this.#groups.filter(({ rows }) => rows.length > 0);
  }

  #drop(job: Job): void {
    this.#active.delete(job);
    if (job.node) this.#tree.release(job.node);
    job.node = undefined;
  }

  /** Reads a batch of prefixes that requests wait for, and suffixes after them. */
  async #readPrefixes(): Promise<void> {
    const sequences = sequencesByNode(this.#scoring());
    const waiting = missingPrefixes(this.#active, this.#tree, this.#limits.newTokens);
    const candidates = waiting.map((prefix) => {
      const followers = sequences.get(prefix.node) ?? [];
      return { ...prefix, followers, ...packRow(prefix.tokens, followers, this.#limits) };
    });
    const rows = chooseRows(candidates, this.#limits);
    if (rows.length === 0) return;
    try {
      const output = await this.#run(rows, {
        logits: rows.some(({ needsScores, followers }) => needsScores || followers.length > 0),
        cache: rows.some(({ node }) => !node.block) ? 'new' : 'none',
      });
      rows.forEach((row, index) => {
        const { node, overlap, needsScores, followers } = row;
        const length = overlap + node.tokens.length;
        const logitsAt = (position: number) => output.logitsAt(index, position);
        if (needsScores) scorePrefix(row, logitsAt);
        if (!node.block) {
          this.#tree.fill(node, output.blockOf(index, { from: overlap, to: length }));
        }
        for (const sequence of followers) sequence.takeShared(logitsAt(length - 1));
        takeRow(row, logitsAt);
      });
    } catch (error) {
      this.#failPrefixes(rows, error);
    }
  }

  #scoring(): ScoreJob[] {
    return [...this.#active].filter((job) => job instanceof ScoreJob && !job.isDone) as ScoreJob[];
  }

  #failPrefixes(rows: readonly MissingPrefix[], error: unknown): void {
    const failed = new Set(rows.map(({ node }) => node));
    for (const job of this.#active) {
      if (job.node?.path().some((node) => failed.has(node))) job.fail(error);
    }
  }

  /** Reads a batch of tokens whose successors' probabilities are asked for. */
  async #readProbabilities(): Promise<void> {
    const ready = this.#scoring().filter(isReady);
    for (const job of ready) if (job.remaining.length === 0) job.finish();
    const waiting = ready.filter(({ isDone }) => !isDone);
    const rows = chooseRows(packSuffixes(waiting, this.#limits), this.#limits);
    if (rows.length === 0) return;
    const isLast = ({ length, forks, sequences: [sequence] }: NextRow) =>
      forks.length > 0 || length === sequence?.remaining.length;
    try {
      const cache = rows.every(isLast) ? 'none' : 'new';
      const output = await this.#run(rows, { logits: true, cache });
      rows.forEach((row, index) => {
        takeRow(row, (position) => output.logitsAt(index, position));
        for (const sequence of row.sequences) {
          if (sequence.remaining.length === 0) sequence.finish();
          else sequence.keep(output.blockOf(index, { from: 0, to: row.length }));
        }
      });
    } catch (error) {
      for (const { sequences } of rows) for (const sequence of sequences) sequence.fail(error);
    }
  }

  async #run(rows: readonly NextRow[], wanted: Wanted) {
    const { shape } = this.#graph;
    const tokens = rows.map((row) => row.tokens);
    const forks = rows.map((row) => row.forks);
    const pastLengths = rows.map(({ past }) => past);
    const pastStride = Math.max(...pastLengths);
    const past = this.#graph.cacheRoom(rows.length * pastStride);
    rows.forEach(({ blocks }, row) => {
      putBlocks({ batch: past, row, stride: pastStride, end: pastStride }, blocks, shape);
    });
    const output = await this.#graph.run({ tokens, forks, pastLengths, past, pastStride }, wanted);
    const { logitsAt, cache, stride, start } = output;
    return {
      logitsAt,
      /** What the model keeps of tokens of a row. */
      blockOf: (row: number, { from, to }: { readonly from: number; readonly to: number }) =>
        takeBlock(cache, { row, stride, start: start + from, length: to - from }, shape),
    };
  }

  /** Lets answers begin whose prompts were read. */
  #beginAnswers(): void {
    for (const job of this.#active) {
      if (!(job instanceof TokenJob) || !job.node || !isReady(job)) continue;
      job.blocks = blocksOf(job.node);
      this.#tree.release(job.node);
      job.node = undefined;
      this.#groupFor(job).join(job);
    }
  }

  #groupFor(job: TokenJob): DecodeGroup<TokenJob> {
    const rowOf = ({ length }: TokenJob) => ({ past: length, length: 1 });
    const found = this.#groups.find(({ rows }) =>
      rows.every((other) => isAlike(rowOf(other), rowOf(job), this.#limits)),
    );
    if (found) return found;
    const group = new DecodeGroup<TokenJob>(this.#graph, this.#limits);
    this.#groups.push(group);
    return group;
  }

  /** Writes one more token of every answer. */
  async #writeTokens(): Promise<void> {
    for (const group of this.#groups) {
      if (group.rows.length === 0) continue;
      try {
        await group.step((job, logits) => job.take(logits));
      } catch (error) {
        for (const job of group.rows) job.fail(error);
      }
    }
  }
}
