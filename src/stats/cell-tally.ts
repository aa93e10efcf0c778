import type { BootstrapOptions } from './bootstrap.ts';
import { bootstrapTable } from './bootstrap-table.ts';
import type { Estimate } from './estimate.ts';

/** Makes a measure of counts, given the cells that are counted. */
export type CellMeasure = (cells: readonly string[]) => (counts: ArrayLike<number>) => number;

const maxCells = 65_536;

/** Counts the cells of a table as they come. Past a number of different ones it gives up. */
export class CellTally {
  readonly #counts = new Map<string, number>();
  #isFull = false;

  /** Whether there were too many different cells. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(cell: string): void {
    if (this.#isFull) return;
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + 1);
    if (this.#counts.size <= maxCells) return;
    this.#isFull = true;
    this.#counts.clear();
  }

  /** Nothing without cells, or with too many. */
  estimate(measure: CellMeasure, options: BootstrapOptions): Estimate | undefined {
    const entries = [...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1));
    const cells = entries.map(([cell]) => cell);
    const counts = entries.map(([, count]) => count);
    return bootstrapTable(counts, measure(cells), options);
  }
}
