import type { Tensor } from 'onnxruntime-node';
import type { GraphBatch } from './causal-graph.ts';
import { type Runtime, wholeNumbers } from './runtime.ts';

/** What a graph is fed about the tokens of a batch, by the names of its inputs. */
export function tokenFeeds(runtime: Runtime, batch: GraphBatch): Record<string, Tensor> {
  const { tokens, pastLengths, pastStride, pastEnd = pastStride } = batch;
  const length = longest(tokens);
  const total = pastStride + length;
  const perToken = (fill: Parameters<typeof wholeNumbers>[2]) =>
    wholeNumbers(runtime, [tokens.length, length], fill);
  return {
    input_ids: perToken((numbers) => {
      tokens.forEach((own, row) => {
        for (let position = 0; position < own.length; position += 1) {
          numbers.set(row * length + position, own[position] as number);
        }
      });
    }),
    position_ids: perToken((numbers) => {
      tokens.forEach((_, row) => {
        for (const { from, to, start } of stretchesOf(batch, row)) {
          const shift = (pastLengths[row] as number) + start - from;
          for (let position = from; position < to; position += 1) {
            numbers.set(row * length + position, position + shift);
          }
        }
      });
    }),
    // Not zero for every token that is there.
    attention_mask: wholeNumbers(runtime, [tokens.length, total], (numbers) => {
      tokens.forEach((_, row) => {
        const border = row * total + pastStride;
        const end = row * total + pastEnd;
        numbers.fill(1, end - (pastLengths[row] as number), end);
        for (const { from, to, mask } of stretchesOf(batch, row)) {
          numbers.fill(mask, border + from, border + to);
        }
      });
    }),
  };
}

/** The parts of a row that are read without a break: its prefix, and from every fork on a suffix. */
function stretchesOf({ tokens, forks }: GraphBatch, row: number) {
  const length = tokens[row]?.length ?? 0;
  const own = forks?.[row] ?? [];
  const [trunk = length] = own;
  return [0, ...own].map((from, index) => ({
    from,
    to: own[index] ?? length,
    start: Math.min(from, trunk),
    mask: 1 + index,
  }));
}

export function longest(tokens: readonly Int32Array[]): number {
  return tokens.reduce((max, { length }) => Math.max(max, length), 0);
}
