import {
  type Kernel,
  type Layout,
  layoutOf,
  makeKernel,
  panelRows,
  quadSize,
  reportBytes,
  segmentLength,
} from './kernel.ts';
import { similarity, type VectorTable } from './vector-table.ts';
import { type WasmMemory, wasm } from './web-assembly.ts';

/** The entry that is most like a query. */
export interface Match {
  readonly entry: number;
  readonly score: number;
}

/** The most queries of a search. */
export const blockSize = 64;

/** 1 as a 16-bit number. Products of vectors of length 1 then fit in 32 bits. */
const scale = 32_767;
const pageBytes = 65_536;
const largestPages = 65_536;
/** Panels that all queries are compared with before the next ones: they stay in the CPU's cache. */
const chunkPanels = 128;
const chunkReports = chunkPanels * panelRows * quadSize * reportBytes;
/** Share of groups that may get past the first segments before more are looked at in one go. */
const largestShare = 0.4;

/**
 * Finds the entry that is most like a query, if one reaches the threshold; of equal ones the first.
 * Vectors are compared as 16-bit numbers, and only as far as it takes to see that they cannot be
 * alike enough. What is left is computed in full, so that the result is that of a comparison with
 * all entries.
 */
export class VectorIndex {
  readonly #table: VectorTable;
  readonly #layout: Layout;
  readonly #memory: WasmMemory;
  readonly #kernel: Kernel;
  readonly #panelsStart: number;
  /** How far the product of rounded vectors may be from the similarity that is compared. */
  readonly #slack: number;
  /** The table's row of each entry. */
  readonly #rows: number[] = [];
  #integers: Int32Array;
  #floats: Float32Array;
  #threshold = 0;
  #stage = 1;

  constructor(table: VectorTable) {
    this.#table = table;
    this.#layout = layoutOf(table.dims);
    this.#panelsStart = chunkReports + (blockSize / quadSize) * this.#layout.quadBytes;
    this.#slack = (1.001 * Math.sqrt(table.dims)) / scale + 2e-6;
    const initial = Math.ceil(this.#panelsStart / pageBytes);
    this.#memory = new wasm.Memory({ initial, maximum: largestPages });
    this.#kernel = makeKernel(this.#layout, this.#memory);
    this.#integers = new Int32Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** Forgets all entries; searches go by this threshold from now on. */
  reset(threshold: number): void {
    this.#threshold = threshold;
    this.#rows.length = 0;
    this.#stage = 1;
  }

  /** Adds a row of the table; entries are numbered in the order in which they are added. */
  add(row: number): void {
    const entry = this.#rows.push(row) - 1;
    const panel = this.#panelAt(Math.floor(entry / panelRows));
    this.#reserve(panel + this.#layout.panelBytes);
    const lane = entry % panelRows;
    this.#write(row, {
      pairs: panel / 4 + lane,
      pairStep: panelRows,
      tails: (panel + this.#layout.panelTails) / 4 + lane,
      tailStep: panelRows,
    });
  }

  /** The best match of each of some rows of the table, at most `blockSize` of them. */
  search(queries: readonly number[]): (Match | undefined)[] {
    const matches = queries.map((): Match | undefined => undefined);
    const panels = Math.ceil(this.#rows.length / panelRows);
    const quads = Math.ceil(queries.length / quadSize);
    for (const [index, row] of queries.entries()) this.#writeQuery(row, index);
    this.#kernel.refined.value = 0;
    for (let first = 0; first < panels; first += chunkPanels) {
      const last = Math.min(panels, first + chunkPanels);
      for (let quad = 0; quad < quads; quad++) {
        this.#scan({ first, last, quad, queries, matches });
      }
    }
    const groups = panels * 2 * quads * quadSize;
    const isLong = this.#kernel.refined.value > largestShare * groups;
    if (isLong && this.#stage < this.#layout.segments) this.#stage++;
    return matches;
  }

  #scan({ first, last, quad, queries, matches }: Scan): void {
    const place = this.#quadAt(quad);
    const limits = (place + this.#layout.quadLimits) / 4;
    for (let query = 0; query < quadSize; query++) {
      const number = quad * quadSize + query;
      const wanted = Math.max(this.#threshold, matches[number]?.score ?? -1) - this.#slack;
      this.#floats[limits + query] = number < queries.length ? wanted * scale * scale : Infinity;
    }
    this.#kernel.out.value = 0;
    this.#kernel.scan(
      this.#panelAt(first),
      this.#panelAt(last),
      place,
      this.#stage,
      first * panelRows,
    );
    const end = this.#kernel.out.value / 4;
    for (let report = 0; report < end; report += reportBytes / 4) {
      const [entry = 0, query = 0, product = 0] = this.#integers.subarray(report, report + 3);
      const number = quad * quadSize + query;
      const best = matches[number]?.score ?? this.#threshold;
      if (entry >= this.#rows.length || product / scale / scale < best - this.#slack) continue;
      const score = similarity(this.#table, queries[number] as number, this.#rows[entry] as number);
      const isBetter = matches[number] ? score > best : score >= best;
      if (isBetter) matches[number] = { entry, score };
    }
  }

  #writeQuery(row: number, index: number): void {
    const quad = this.#quadAt(Math.floor(index / quadSize));
    const query = index % quadSize;
    this.#write(row, {
      pairs: (quad + query * this.#layout.queryBytes) / 4,
      pairStep: 1,
      tails: (quad + this.#layout.quadTails) / 4 + query,
      tailStep: quadSize,
    });
  }

  /** Writes a vector as 16-bit numbers, two by two, and the lengths left after each segment. */
  #write(row: number, { pairs, pairStep, tails, tailStep }: Placement): void {
    const { dims, values } = this.#table;
    const start = row * dims;
    const round = (index: number) =>
      index < dims ? Math.round((values[start + index] as number) * scale) : 0;
    let square = 0;
    for (let segment = this.#layout.segments - 1; segment >= 0; segment--) {
      this.#floats[tails + segment * tailStep] = Math.sqrt(square) * scale;
      for (
        let index = (segment + 1) * segmentLength - 2;
        index >= segment * segmentLength;
        index -= 2
      ) {
        const pair = (round(index) & 0xffff) | (round(index + 1) << 16);
        this.#integers[pairs + (index / 2) * pairStep] = pair;
        square += (values[start + index] ?? 0) ** 2 + (values[start + index + 1] ?? 0) ** 2;
      }
    }
  }

  #quadAt(quad: number): number {
    return chunkReports + quad * this.#layout.quadBytes;
  }

  #panelAt(panel: number): number {
    return this.#panelsStart + panel * this.#layout.panelBytes;
  }

  #reserve(end: number): void {
    const bytes = this.#memory.buffer.byteLength;
    if (end <= bytes) return;
    const pages = Math.ceil((end - bytes) / pageBytes);
    const more = Math.min(
      Math.max(pages, Math.ceil(bytes / pageBytes / 4)),
      largestPages - bytes / pageBytes,
    );
    this.#memory.grow(Math.max(pages, more));
    this.#integers = new Int32Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }
}

interface Scan {
  readonly first: number;
  readonly last: number;
  readonly quad: number;
  readonly queries: readonly number[];
  readonly matches: (Match | undefined)[];
}

/** Where the parts of a vector go, and how far they are apart, in steps of four bytes. */
interface Placement {
  readonly pairs: number;
  readonly pairStep: number;
  readonly tails: number;
  readonly tailStep: number;
}
