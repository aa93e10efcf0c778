import { firstTokens, type KvBlock } from './kv-block.ts';
import { blocksOf, emptyScores, type PrefixNode, type PrefixTree } from './prefix-tree.ts';
import { scoreToken } from './score-job.ts';

/** A request with a prefix that others may share. */
interface Sharer {
  readonly node: PrefixNode | undefined;
  /** The first token whose probability it asks for. */
  readonly from: number;
}

/** A prefix, or a part of one, that requests wait for. */
export interface MissingPrefix {
  readonly node: PrefixNode;
  readonly needsScores: boolean;
  /** What the model has read before. */
  readonly blocks: readonly KvBlock[];
  readonly past: number;
  readonly tokens: Int32Array;
  readonly length: number;
  /** How many of the tokens stand before the node's: one, if its first token is asked about. */
  readonly overlap: number;
}

/** What requests wait for and can be read now, in pieces of at most so many tokens. */
export function missingPrefixes(
  requests: Iterable<Sharer>,
  tree: PrefixTree,
  maxTokens: number,
): MissingPrefix[] {
  const missing = new Map<PrefixNode, boolean>();
  for (const request of requests) {
    const found = firstMissing(request);
    if (found) missing.set(found.node, found.needsScores || missing.get(found.node) === true);
  }
  return [...missing].map(([node, needsScores]) => {
    const maxLength = maxTokens - 1;
    const part = node.tokens.length > maxLength ? tree.split(node, maxLength) : node;
    return describe(part, needsScores);
  });
}

/** Whether all that a request shares is known. */
export function isReady(request: Sharer): boolean {
  return request.node !== undefined && firstMissing(request) === undefined;
}

function firstMissing({ node, from }: Sharer) {
  let start = 0;
  for (const part of node?.path() ?? []) {
    start += part.tokens.length;
    const needsScores = from < start && !part.scores;
    if (needsScores || !part.block) return { node: part, needsScores };
  }
  return undefined;
}

function describe(node: PrefixNode, needsScores: boolean): MissingPrefix {
  const { parent } = node;
  const before = blocksOf(parent);
  const start = before.reduce((sum, { length }) => sum + length, 0);
  const overlap = needsScores && start > 0 ? 1 : 0;
  const past = start - overlap;
  const tokens =
    overlap > 0 ? Int32Array.of(parent?.tokens.at(-1) as number, ...node.tokens) : node.tokens;
  const blocks = firstTokens(before, past);
  return { node, needsScores, blocks, past, tokens, length: tokens.length, overlap };
}

/** Notes how likely a prefix's tokens are, given the logits after each token read. */
export function scorePrefix(
  { node, overlap }: MissingPrefix,
  logitsAt: (position: number) => Float32Array,
): void {
  const { tokens } = node;
  const scores = emptyScores(tokens.length);
  for (let position = 1 - overlap; position < tokens.length; position += 1) {
    scoreToken(scores, position, {
      logits: logitsAt(position - 1 + overlap),
      token: tokens[position],
    });
  }
  node.scores = scores;
}
