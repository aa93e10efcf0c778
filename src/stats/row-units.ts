/** What tells that a row belongs with others, whichever dataset asks it. */
export interface RowMarks {
  /** What tells it from rows that hold something else. */
  readonly content?: string | undefined;
  /** Where it stands in its data, by what tells the data from other data. */
  readonly place?: string | undefined;
  /** The cluster that it is of. */
  readonly cluster?: ClusterMark | undefined;
}

/** The value of a column that rows of one cluster share. */
export interface ClusterMark {
  readonly by: string;
  readonly value: string;
}

/**
 * Finds what varies by itself. Rows are of one unit if they hold the same, stand at the same place or
 * are of one cluster; and so are all that others join in this way.
 */
export class RowUnits {
  readonly #parents = new Map<string, string>();

  add(marks: RowMarks): void {
    const [first, ...others] = namesOf(marks);
    if (first === undefined) return;
    for (const other of others) this.#join(first, other);
  }

  /** The unit of a row, once all rows are added; nothing for one that nothing tells from others. */
  unitOf(marks: RowMarks): string | undefined {
    const [first] = namesOf(marks);
    return first === undefined ? undefined : this.#rootOf(first);
  }

  #join(one: string, other: string): void {
    const [left, right] = [this.#rootOf(one), this.#rootOf(other)];
    if (left !== right) this.#parents.set(right, left);
  }

  #rootOf(node: string): string {
    let root = node;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) {
      root = next;
    }
    if (root !== node) this.#parents.set(node, root);
    return root;
  }
}

function namesOf({ content, place, cluster }: RowMarks): string[] {
  return [
    ...(content === undefined ? [] : [`row ${content}`]),
    ...(place === undefined ? [] : [`place ${place}`]),
    ...(cluster === undefined ? [] : [`cluster ${JSON.stringify([cluster.by, cluster.value])}`]),
  ];
}
