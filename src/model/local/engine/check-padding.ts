import type { CausalGraph, GraphBatch } from './causal-graph.ts';
import { type KvBlock, putBlocks, takeBlock } from './kv-block.ts';

/** What a trial run tells of a graph. */
export interface Trial {
  /** How many tokens the graph knows. */
  readonly vocabulary: number;
  /** Whether rows of unlike length may share a batch. Not every graph looks at its mask. */
  readonly allowsPadding: boolean;
}

const texts = [
  { before: Int32Array.of(1, 2, 3), after: Int32Array.of(4, 5) },
  { before: Int32Array.of(5), after: Int32Array.of(2) },
];

/** Runs two short texts of unlike length alone and together. */
export async function tryGraph(graph: CausalGraph): Promise<Trial> {
  const alone: Float32Array[] = [];
  const blocks: KvBlock[] = [];
  for (const { before, after } of texts) {
    const tokens = Int32Array.of(...before, ...after);
    const output = await graph.run(batchOf(graph, [tokens]), { logits: true, present: true });
    alone.push(output.logitsAt(0, tokens.length - 1).slice());
    const place = { row: 0, stride: tokens.length, start: 0, length: before.length };
    blocks.push(takeBlock(output.present, place, graph.shape));
  }
  const vocabulary = alone[0]?.length ?? 0;
  try {
    const together = await runTogether(graph, blocks);
    const allowsPadding = alone.every((row, index) => isClose(row, together[index] ?? row));
    return { vocabulary, allowsPadding };
  } catch {
    return { vocabulary, allowsPadding: false };
  }
}

async function runTogether(graph: CausalGraph, blocks: readonly KvBlock[]) {
  const pastLengths = blocks.map(({ length }) => length);
  const pastStride = Math.max(...pastLengths);
  const past = graph.cacheRoom(blocks.length * pastStride);
  blocks.forEach((block, row) => {
    putBlocks({ batch: past, row, stride: pastStride, end: pastStride }, [block], graph.shape);
  });
  const tokens = texts.map(({ after }) => after);
  const output = await graph.run(
    { tokens, pastLengths, past, pastStride },
    { logits: true, present: false },
  );
  return texts.map(({ after }, row) => output.logitsAt(row, after.length - 1).slice());
}

function batchOf(graph: CausalGraph, tokens: readonly Int32Array[]): GraphBatch {
  return { tokens, pastLengths: tokens.map(() => 0), past: graph.cacheRoom(0), pastStride: 0 };
}

/** Quantised graphs give slightly other numbers in company; a wrong mask gives quite others. */
function isClose(a: Float32Array, b: Float32Array): boolean {
  let most = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  a.forEach((value, index) => {
    most = Math.max(most, Math.abs(value - (b[index] as number)));
    low = Math.min(low, value);
    high = Math.max(high, value);
  });
  return most <= 0.05 * (high - low);
}
