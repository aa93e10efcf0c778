/** Elements of a cache: single precision, or the bits of half precision. */
export type CacheArray = Float32Array | Uint16Array;

/** What a model keeps of every token it has read. */
export interface CacheShape {
  /** Keys and values of every layer. */
  readonly parts: number;
  readonly heads: number;
  readonly size: number;
  readonly type: 'float32' | 'float16';
}

/** Keys and values of some tokens, laid out `[part][head][token][size]`. */
export interface KvBlock {
  readonly data: CacheArray;
  /** How many tokens the data has room for; the block's are the first ones. */
  readonly stride: number;
  readonly length: number;
}

/** Which tokens of a batch: `length` from `start` on in one of its rows of `stride` tokens. */
export interface BatchPosition {
  readonly row: number;
  readonly stride: number;
  readonly start: number;
  readonly length: number;
}

export function cacheArray(shape: CacheShape, length: number): CacheArray {
  return shape.type === 'float16' ? new Uint16Array(length) : new Float32Array(length);
}

export function bytesPerToken({ parts, heads, size, type }: CacheShape): number {
  return parts * heads * size * (type === 'float16' ? 2 : 4);
}

/** A copy of the tokens of a block from one position up to another. */
export function cutBlock(
  { data, stride }: KvBlock,
  { from, to }: { from: number; to: number },
  shape: CacheShape,
): KvBlock {
  const { size } = shape;
  const length = to - from;
  const rows = shape.parts * shape.heads;
  const cut = cacheArray(shape, rows * length * size);
  for (let row = 0; row < rows; row += 1) {
    const start = (row * stride + from) * size;
    cut.set(data.subarray(start, start + length * size), row * length * size);
  }
  return { data: cut, stride: length, length };
}

/** The first tokens of blocks that follow each other. */
export function firstTokens(blocks: readonly KvBlock[], count: number): KvBlock[] {
  const first: KvBlock[] = [];
  let left = count;
  for (const block of blocks) {
    if (left > 0) first.push({ ...block, length: Math.min(block.length, left) });
    left -= block.length;
  }
  return first;
}

/** Copies tokens out of a batch, whose parts are laid out `[row][head][token][size]`. */
export function takeBlock(
  batch: readonly CacheArray[],
  position: BatchPosition,
  shape: CacheShape,
): KvBlock {
  const { heads, size } = shape;
  const { row, stride, start, length } = position;
  const data = cacheArray(shape, shape.parts * heads * length * size);
  for (let part = 0; part < shape.parts; part += 1) {
    const source = batch[part] as CacheArray;
    for (let head = 0; head < heads; head += 1) {
      const from = ((row * heads + head) * stride + start) * size;
      const to = (part * heads + head) * length * size;
      data.set(source.subarray(from, from + length * size), to);
    }
  }
  return { data, stride: length, length };
}

/** A row of a batch, of `stride` positions for tokens; the last token stands before `end`. */
export interface BatchRow {
  readonly batch: readonly CacheArray[];
  readonly row: number;
  readonly stride: number;
  readonly end: number;
}

/** Copies blocks, one after the other, into a row of a batch. The other positions are cleared. */
export function putBlocks(
  { batch, row, stride, end }: BatchRow,
  blocks: readonly KvBlock[],
  shape: CacheShape,
): void {
  const { heads, size } = shape;
  const begin = end - blocks.reduce((sum, { length }) => sum + length, 0);
  for (let part = 0; part < shape.parts; part += 1) {
    const target = batch[part] as CacheArray;
    for (let head = 0; head < heads; head += 1) {
      const first = (row * heads + head) * stride;
      target.fill(0, first * size, (first + begin) * size);
      let position = first + begin;
      for (const { data, stride: blockStride, length } of blocks) {
        const from = (part * heads + head) * blockStride * size;
        target.set(data.subarray(from, from + length * size), position * size);
        position += length;
      }
      target.fill(0, (first + end) * size, (first + stride) * size);
    }
  }
}

/** Copies the last tokens of a row into a row of another batch. The other positions are cleared. */
export function moveRow(
  source: BatchRow,
  target: BatchRow,
  { length, shape }: { length: number; shape: CacheShape },
): void {
  const { heads, size } = shape;
  for (let part = 0; part < shape.parts; part += 1) {
    const from = source.batch[part] as CacheArray;
    const to = target.batch[part] as CacheArray;
    for (let head = 0; head < heads; head += 1) {
      const end = (source.row * heads + head) * source.stride + source.end;
      const first = (target.row * heads + head) * target.stride;
      const begin = first + target.end - length;
      to.fill(0, first * size, begin * size);
      to.set(from.subarray((end - length) * size, end * size), begin * size);
      to.fill(0, (first + target.end) * size, (first + target.stride) * size);
    }
  }
}
