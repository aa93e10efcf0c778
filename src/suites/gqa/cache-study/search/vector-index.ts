import { groupSize, Sketches } from './sketches.ts';
import { similarity, type VectorTable } from './vector-table.ts';

/** The entry that is most like a query. */
export interface Match {
  readonly entry: number;
  readonly score: number;
}

/** The most queries of a search. */
export const blockSize = 64;

/** Numbers of a vector are looked at in segments of so many. */
const segmentLength = 32;
/** Entries that a group of queries is compared with before its limits are looked at again. */
const chunkLength = 256;
/** With fewer entries, or more numbers in a vector, sketches cost more than they save. */
const minSketched = 1000;
const maxSketchedDims = 8192;
/** If more pairs than this share need a closer look, sketches are of no use. */
const maxCandidates = 0.8;
/** Sums are rounded, and so are the similarities that are compared. */
const slack = 2e-6;

/**
 * Finds the entry that is most like a query, if one reaches the threshold; of equal ones the first.
 * Sketches tell which vectors may be alike enough. Those are compared only as far as it takes to
 * see that they are not: what is left of two vectors adds at most the product of its lengths.
 */
export class VectorIndex {
  readonly #table: VectorTable;
  readonly #segments: number;
  /** For each row of the table, the length that is left of it after each segment. */
  readonly #tails: Float32Array;
  /** The table's row of each entry. */
  readonly #rows: number[] = [];
  #sketches: Sketches | undefined;
  #threshold = 0;
  #isSketching = true;

  constructor(table: VectorTable) {
    this.#table = table;
    this.#segments = Math.ceil(table.dims / segmentLength);
    this.#tails = tailsOf(table, this.#segments);
  }

  /** Forgets all entries; searches go by this threshold from now on. */
  reset(threshold: number): void {
    this.#threshold = threshold;
    this.#rows.length = 0;
    this.#isSketching = threshold > slack && this.#table.dims <= maxSketchedDims;
  }

  /** Adds a row of the table; entries are numbered in the order in which they are added. */
  add(row: number): void {
    this.#rows.push(row);
  }

  /** The best match of each of some rows of the table, at most `blockSize` of them. */
  search(queries: readonly number[]): (Match | undefined)[] {
    const searched = queries.map((row) => ({ row, limit: this.#threshold - slack }) as Query);
    for (let start = 0; start < searched.length; start += groupSize) {
      this.#searchGroup(searched.slice(start, start + groupSize));
    }
    return searched.map(({ match }) => match);
  }

  #searchGroup(queries: readonly Query[]): void {
    const sketches = this.#sketchesFor(queries);
    let candidates = 0;
    for (let start = 0; start < this.#rows.length; start += chunkLength) {
      const end = Math.min(this.#rows.length, start + chunkLength);
      const angles = queries.map(({ limit }) => Math.acos(Math.min(1, limit)));
      const found = sketches?.candidates({ rows: this.#rows, start, end, angles });
      candidates += found?.length ?? 0;
      for (const entry of found ?? range(start, end)) {
        for (const query of queries) this.#compare(query, entry);
      }
    }
    if (candidates > maxCandidates * this.#rows.length) this.#isSketching = false;
  }

  #sketchesFor(queries: readonly Query[]): Sketches | undefined {
    if (!this.#isSketching || this.#rows.length < minSketched) return undefined;
    this.#sketches ??= new Sketches(this.#table);
    this.#sketches.prepare(queries.map(({ row }) => row));
    return this.#sketches;
  }

  #compare(query: Query, entry: number): void {
    const row = this.#rows[entry] as number;
    if (!this.#mayReach(query, row)) return;
    const score = similarity(this.#table, query.row, row);
    if (query.match ? score <= query.match.score : score < this.#threshold) return;
    query.match = { entry, score };
    query.limit = score - slack;
  }

  /** Whether two rows may be as alike as the limit, by looking at one segment after the other. */
  #mayReach(query: Query, row: number): boolean {
    const { dims, values } = this.#table;
    const [left, right] = [query.row * dims, row * dims];
    let product = 0;
    for (let segment = 0; segment < this.#segments; segment++) {
      const end = Math.min(dims, (segment + 1) * segmentLength);
      for (let index = segment * segmentLength; index < end; index++) {
        product += (values[left + index] as number) * (values[right + index] as number);
      }
      const tails =
        (this.#tails[query.row * this.#segments + segment] as number) *
        (this.#tails[row * this.#segments + segment] as number);
      if (product + tails < query.limit) return false;
    }
    return true;
  }
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

interface Query {
  readonly row: number;
  /** What a similarity must reach to be worth computing in full. */
  limit: number;
  match?: Match;
}

function tailsOf({ dims, count, values }: VectorTable, segments: number): Float32Array {
  const tails = new Float32Array(count * segments);
  for (let row = 0; row < count; row++) {
    let square = 0;
    for (let segment = segments - 1; segment > 0; segment--) {
      const end = Math.min(dims, (segment + 1) * segmentLength);
      for (let index = segment * segmentLength; index < end; index++) {
        square += (values[row * dims + index] as number) ** 2;
      }
      tails[row * segments + segment - 1] = Math.sqrt(square);
    }
  }
  return tails;
}
