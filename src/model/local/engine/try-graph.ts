import type { CausalGraph, GraphBatch } from './causal-graph.ts';
import { type KvBlock, putBlocks, takeBlock } from './kv-block.ts';

/** What a trial run tells of a graph. */
export interface Trial {
  /** How many tokens the graph knows. */
  readonly vocabulary: number;
  /** Whether rows of unlike length may share a batch. Not every graph looks at its mask. */
  readonly allowsPadding: boolean;
  /** Whether suffixes may stand side by side in a row. Few graphs can tell them apart. */
  readonly readsBranches: boolean;
}

const sequences = [
  { before: Int32Array.of(1, 2, 3), after: Int32Array.of(4, 5) },
  { before: Int32Array.of(5), after: Int32Array.of(2) },
] as const;

/** The first sequence again, with another suffix before its own. */
const otherSuffix = [2, 6, 7, 8];

/** Runs two short sequences of unlike length alone and together, and the first beside another. */
export async function tryGraph(graph: CausalGraph): Promise<Trial> {
  const alone: Float32Array[] = [];
  const blocks: KvBlock[] = [];
  for (const { before, after } of sequences) {
    const tokens = Int32Array.of(...before, ...after);
    const output = await graph.run(batchOf(graph, [tokens]), { logits: true, cache: 'whole' });
    alone.push(output.logitsAt(0, tokens.length - 1).slice());
    const position = { row: 0, stride: tokens.length, start: 0, length: before.length };
    blocks.push(takeBlock(output.cache, position, graph.shape));
  }
  if (alone.some((row) => row.some(Number.isNaN))) {
    throw new Error('it computes values that are not numbers; its weights are damaged');
  }
  const vocabulary = alone[0]?.length ?? 0;
  try {
    const together = await runTogether(graph, blocks);
    const allowsPadding = alone.every((row, index) =>
      isClose(row, together[index] ?? row, likeBatches),
    );
    const readsBranches =
      graph.claimsBranches &&
      isClose(alone[0] as Float32Array, await runForked(graph), likeBranches);
    return { vocabulary, allowsPadding, readsBranches };
  } catch {
    return { vocabulary, allowsPadding: false, readsBranches: false };
  }
}

async function runTogether(graph: CausalGraph, blocks: readonly KvBlock[]) {
  const pastLengths = blocks.map(({ length }) => length);
  const pastStride = Math.max(...pastLengths);
  const past = graph.cacheRoom(blocks.length * pastStride);
  blocks.forEach((block, row) => {
    putBlocks({ batch: past, row, stride: pastStride, end: pastStride }, [block], graph.shape);
  });
  const tokens = sequences.map(({ after }) => after);
  const output = await graph.run(
    { tokens, pastLengths, past, pastStride },
    { logits: true, cache: 'none' },
  );
  return sequences.map(({ after }, row) => output.logitsAt(row, after.length - 1).slice());
}

async function runForked(graph: CausalGraph): Promise<Float32Array> {
  const [{ before, after }] = sequences;
  const tokens = Int32Array.of(...before, ...otherSuffix, ...after);
  const forks = [[before.length, before.length + otherSuffix.length]];
  const batch = { ...batchOf(graph, [tokens]), forks };
  const { logitsAt } = await graph.run(batch, { logits: true, cache: 'none' });
  return logitsAt(0, tokens.length - 1);
}

function batchOf(graph: CausalGraph, tokens: readonly Int32Array[]): GraphBatch {
  return { tokens, pastLengths: tokens.map(() => 0), past: graph.cacheRoom(0), pastStride: 0 };
}

/** Quantised graphs give slightly other numbers in company; a wrong mask gives quite others. */
const likeBatches = 0.05;
/** Tokens of another suffix may change little, so suffixes are packed only where nothing changes. */
const likeBranches = 1e-4;

/** Whether logits differ by no more than a share of their range. */
function isClose(a: Float32Array, b: Float32Array, share: number): boolean {
  let max = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  a.forEach((value, index) => {
    max = Math.max(max, Math.abs(value - (b[index] as number)));
    low = Math.min(low, value);
    high = Math.max(high, value);
  });
  return max <= share * (high - low);
}
