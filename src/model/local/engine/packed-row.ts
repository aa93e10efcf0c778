import { firstTokens, type KvBlock } from './kv-block.ts';
import { blocksOf, type PrefixNode } from './prefix-tree.ts';
import type { ScoreJob } from './score-job.ts';

/** Tokens of a row of a batch: what texts begin with, and after it, side by side, ends of texts. */
export interface PackedRow {
  readonly tokens: Int32Array;
  readonly length: number;
  /** Where each end begins. Without any, the tokens are all of one text. */
  readonly forks: readonly number[];
  /** The texts that the ends belong to. */
  readonly texts: readonly ScoreJob[];
}

/** A row that can be read next, after what the model has read before. */
export interface NextRow extends PackedRow {
  readonly blocks: readonly KvBlock[];
  readonly past: number;
}

export interface PackLimits {
  /** Whether ends may stand side by side: not every graph can tell them apart. */
  readonly packsEnds: boolean;
  /** The most texts of a row. */
  readonly rows: number;
  /** The most tokens of a row. */
  readonly newTokens: number;
}

/** Every token of a row costs time for all places of the row, so more ends gain nothing. */
const maxEndTokens = 128;

/** Puts as many ends of texts behind their beginning as there is room for. */
export function packRow(
  beginning: Int32Array,
  texts: readonly ScoreJob[],
  { packsEnds, rows, newTokens }: PackLimits,
): PackedRow {
  const packed: ScoreJob[] = [];
  const forks: number[] = [];
  const most = Math.min(newTokens, beginning.length + maxEndTokens);
  let { length } = beginning;
  for (const text of packsEnds ? texts : []) {
    const added = text.end.length;
    if (added === 0 || length + added > most || packed.length === rows) continue;
    packed.push(text);
    forks.push(length);
    length += added;
  }
  const tokens = new Int32Array(length);
  tokens.set(beginning);
  packed.forEach(({ end }, index) => {
    tokens.set(end, forks[index]);
  });
  return { tokens, length, forks, texts: packed };
}

/** What is left to read of texts whose beginnings were read, those of one beginning together. */
export function packEnds(texts: readonly ScoreJob[], limits: PackLimits): NextRow[] {
  return [...textsByNode(texts).values()].flatMap((companions) => {
    const [{ ids, sharedLength, node }] = companions;
    const past = sharedLength - 1;
    const row = packRow(ids.subarray(past, sharedLength), companions, limits);
    if (row.texts.length < 2) return companions.map((text) => alone(text, limits));
    const others = companions.filter((text) => !row.texts.includes(text));
    const blocks = firstTokens(blocksOf(node), past);
    return [{ ...row, blocks, past }, ...others.map((text) => alone(text, limits))];
  });
}

/** The next tokens of one text. */
function alone(text: ScoreJob, { newTokens }: PackLimits): NextRow {
  const tokens = text.remaining.subarray(0, newTokens);
  const blocks = text.past;
  const past = blocks.reduce((sum, { length }) => sum + length, 0);
  return { tokens, length: tokens.length, forks: [], texts: [text], blocks, past };
}

/** The texts whose beginnings end at each node. */
export function textsByNode(texts: readonly ScoreJob[]) {
  const found = new Map<PrefixNode | undefined, [ScoreJob, ...ScoreJob[]]>();
  for (const text of texts) {
    const others = found.get(text.node);
    if (others) others.push(text);
    else found.set(text.node, [text]);
  }
  return found;
}

/** Gives texts the logits after their tokens in a row. */
export function takeRow(
  { length, forks, texts }: PackedRow,
  logitsAt: (place: number) => Float32Array,
): void {
  texts.forEach((text, index) => {
    const [trunk] = forks;
    if (trunk !== undefined) text.takeShared(logitsAt(trunk - 1));
    const end = forks[index + 1] ?? length;
    for (let place = forks[index] ?? 0; place < end; place += 1) text.take(logitsAt(place));
  });
}
