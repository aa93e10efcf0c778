import { firstTokens, type KvBlock } from './kv-block.ts';
import { blocksOf, type PrefixNode } from './prefix-tree.ts';
import type { ScoreJob } from './score-job.ts';

/** Tokens of a row of a batch: a prefix, and after it, side by side, suffixes. */
export interface PackedRow {
  readonly tokens: Int32Array;
  readonly length: number;
  /** Where each suffix starts. Without any, the tokens are all of one sequence. */
  readonly forks: readonly number[];
  /** The sequences that the suffixes belong to. */
  readonly sequences: readonly ScoreJob[];
}

/** A row that can be read next, after what the model has read before. */
export interface NextRow extends PackedRow {
  readonly blocks: readonly KvBlock[];
  readonly past: number;
}

export interface PackLimits {
  /** Whether suffixes may stand side by side: not every graph can tell them apart. */
  readonly packsSuffixes: boolean;
  /** The most sequences of a row. */
  readonly rows: number;
  /** The most tokens of a row. */
  readonly newTokens: number;
}

/** Every token of a row costs time for all positions of the row, so more suffixes gain nothing. */
const maxSuffixTokens = 128;

/** Puts as many suffixes behind their prefix as there is room for. */
export function packRow(
  prefix: Int32Array,
  sequences: readonly ScoreJob[],
  { packsSuffixes, rows, newTokens }: PackLimits,
): PackedRow {
  const packed: ScoreJob[] = [];
  const forks: number[] = [];
  const maxLength = Math.min(newTokens, prefix.length + maxSuffixTokens);
  let { length } = prefix;
  for (const sequence of packsSuffixes ? sequences : []) {
    const added = sequence.suffix.length;
    if (added === 0 || length + added > maxLength || packed.length === rows) continue;
    packed.push(sequence);
    forks.push(length);
    length += added;
  }
  const tokens = new Int32Array(length);
  tokens.set(prefix);
  packed.forEach(({ suffix }, index) => {
    tokens.set(suffix, forks[index]);
  });
  return { tokens, length, forks, sequences: packed };
}

/** What is left to read of sequences whose prefixes were read, those of one prefix together. */
export function packSuffixes(sequences: readonly ScoreJob[], limits: PackLimits): NextRow[] {
  return [...sequencesByNode(sequences).values()].flatMap((companions) => {
    const [{ ids, sharedLength, node }] = companions;
    const past = sharedLength - 1;
    const row = packRow(ids.subarray(past, sharedLength), companions, limits);
    if (row.sequences.length < 2) return companions.map((sequence) => alone(sequence, limits));
    const others = companions.filter((sequence) => !row.sequences.includes(sequence));
    const blocks = firstTokens(blocksOf(node), past);
    return [{ ...row, blocks, past }, ...others.map((sequence) => alone(sequence, limits))];
  });
}

/** The next tokens of one sequence. */
function alone(sequence: ScoreJob, { newTokens }: PackLimits): NextRow {
  const tokens = sequence.remaining.subarray(0, newTokens);
  const blocks = sequence.past;
  const past = blocks.reduce((sum, { length }) => sum + length, 0);
  return { tokens, length: tokens.length, forks: [], sequences: [sequence], blocks, past };
}

/** The sequences whose prefixes end at each node. */
export function sequencesByNode(sequences: readonly ScoreJob[]) {
  const found = new Map<PrefixNode | undefined, [ScoreJob, ...ScoreJob[]]>();
  for (const sequence of sequences) {
    const others = found.get(sequence.node);
    if (others) others.push(sequence);
    else found.set(sequence.node, [sequence]);
  }
  return found;
}

/** Gives sequences the logits after their tokens in a row. */
export function takeRow(
  { length, forks, sequences }: PackedRow,
  logitsAt: (position: number) => Float32Array,
): void {
  sequences.forEach((sequence, index) => {
    const [trunk] = forks;
    if (trunk !== undefined) sequence.takeShared(logitsAt(trunk - 1));
    const end = forks[index + 1] ?? length;
    for (let position = forks[index] ?? 0; position < end; position += 1)
      sequence.take(logitsAt(position));
  });
}
