import { commonLength } from '../shared-lengths.ts';
import { type CacheShape, cutBlock, type KvBlock } from './kv-block.ts';

/** How likely tokens are after those before them. */
export interface TokenScores {
  /** In natural logarithms; not a number for the first token of a sequence, which follows nothing. */
  readonly logprobs: Float64Array;
  /** The likeliest token of every position. */
  readonly bestIds: Int32Array;
  readonly bestLogprobs: Float64Array;
}

export function emptyScores(count: number): TokenScores {
  return {
    logprobs: new Float64Array(count).fill(Number.NaN),
    bestIds: new Int32Array(count),
    bestLogprobs: new Float64Array(count),
  };
}

/** Some tokens after those of its parent, and what the model keeps of them once it has read them. */
export class PrefixNode {
  readonly children = new Map<number, PrefixNode>();
  tokens: Int32Array;
  parent: PrefixNode | undefined;
  block: KvBlock | undefined;
  /** Known if somebody asked. */
  scores: TokenScores | undefined;
  /** How many requests need it. */
  holders = 0;
  lastUse = 0;

  constructor(tokens: Int32Array, parent?: PrefixNode) {
    this.tokens = tokens;
    this.parent = parent;
  }

  /** The nodes from the first tokens to these. */
  path(): PrefixNode[] {
    const path: PrefixNode[] = [];
    for (let node: PrefixNode = this; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }
}

/**
 * Prefixes of sequences, each kept once. One that requests hold stays; others are let go
 * of when there are too many tokens, those first that were used longest ago.
 */
export class PrefixTree {
  readonly maxTokens: number;
  readonly #shape: CacheShape;
  readonly #root = new PrefixNode(new Int32Array(0));
  #heldTokens = 0;
  #storedTokens = 0;
  #clock = 0;

  constructor(maxTokens: number, shape: CacheShape) {
    this.maxTokens = maxTokens;
    this.#shape = shape;
  }

  /** How many tokens there are in prefixes that requests hold. */
  get heldTokens(): number {
    return this.#heldTokens;
  }

  /** How many tokens the model has read and still knows. */
  get storedTokens(): number {
    return this.#storedTokens;
  }

  /** The node at which these tokens end, for as long as it is held. */
  hold(tokens: Int32Array): PrefixNode {
    let node = this.#root;
    let position = 0;
    while (position < tokens.length) {
      const rest = tokens.subarray(position);
      const child = node.children.get(rest[0] as number) ?? addChild(node, rest.slice());
      const shared = commonLength(child.tokens, rest);
      node = shared < child.tokens.length ? this.split(child, shared) : child;
      position += shared;
    }
    for (const passed of node.path()) {
      if (passed.holders === 0) this.#heldTokens += passed.tokens.length;
      passed.holders += 1;
    }
    return node;
  }

  release(node: PrefixNode): void {
    this.#clock += 1;
    for (const passed of node.path().reverse()) {
      passed.holders -= 1;
      passed.lastUse = this.#clock;
      if (passed.holders > 0) continue;
      this.#heldTokens -= passed.tokens.length;
      if (!passed.block && passed.children.size === 0) remove(passed);
    }
    this.#trim();
  }

  /** Keeps what the model made of a node's tokens. */
  fill(node: PrefixNode, block: KvBlock): void {
    node.block = block;
    this.#storedTokens += block.length;
    this.#trim();
  }

  /** Puts the first tokens of a node into a node of their own, above it, and gives that. */
  split(node: PrefixNode, length: number): PrefixNode {
    const { tokens, parent, block, scores } = node;
    if (!parent) return node;
    const upper = new PrefixNode(tokens.subarray(0, length), parent);
    upper.holders = node.holders;
    upper.lastUse = node.lastUse;
    parent.children.set(tokens[0] as number, upper);
    upper.children.set(tokens[length] as number, node);
    node.parent = upper;
    node.tokens = tokens.subarray(length);
    if (block) {
      upper.block = cutBlock(block, { from: 0, to: length }, this.#shape);
      node.block = cutBlock(block, { from: length, to: block.length }, this.#shape);
    }
    if (scores) {
      const cut = (from: number, to?: number) => ({
        logprobs: scores.logprobs.slice(from, to),
        bestIds: scores.bestIds.slice(from, to),
        bestLogprobs: scores.bestLogprobs.slice(from, to),
      });
      upper.scores = cut(0, length);
      node.scores = cut(length);
    }
    return upper;
  }

  #trim(): void {
    while (this.#storedTokens > this.maxTokens) {
      const oldest = oldestLeaf(this.#root);
      if (!oldest) return;
      this.#storedTokens -= oldest.tokens.length;
      remove(oldest);
    }
  }
}

function addChild(parent: PrefixNode, tokens: Int32Array): PrefixNode {
  const child = new PrefixNode(tokens, parent);
  parent.children.set(tokens[0] as number, child);
  return child;
}

function remove({ parent, tokens }: PrefixNode): void {
  parent?.children.delete(tokens[0] as number);
}

function oldestLeaf(node: PrefixNode): PrefixNode | undefined {
  let oldest: PrefixNode | undefined;
  for (const child of node.children.values()) {
    if (child.holders > 0 && child.children.size === 0) continue;
    const leaf = child.children.size > 0 ? oldestLeaf(child) : child;
    if (leaf && (!oldest || leaf.lastUse < oldest.lastUse)) oldest = leaf;
  }
  return oldest;
}

/** What the model keeps of the tokens up to the end of a node, as far as it has read them. */
export function blocksOf(node: PrefixNode | undefined): KvBlock[] {
  const blocks: KvBlock[] = [];
  for (const { block } of node?.path() ?? []) {
    if (!block) break;
    blocks.push(block);
  }
  return blocks;
}
