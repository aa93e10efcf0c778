/** Length of the longest sequence of tokens that both texts have in this order. */
export function commonLength(left: readonly string[], right: readonly string[]): number {
  let previous = new Uint32Array(right.length + 1);
  let current = new Uint32Array(right.length + 1);
  for (const token of left) {
    fillRow(current, { previous, token, right });
    [previous, current] = [current, previous];
  }
  return previous[right.length] ?? 0;
}

/**
 * The indexes in `left` of one longest common sequence: where there are several, the one that
 * ROUGE's reference implementation finds, going back from the ends.
 */
export function commonIndexes(left: readonly string[], right: readonly string[]): number[] {
  const width = right.length;
  // One bit a cell: whether the length grows there from one row to the next.
  const grows = new Uint8Array(Math.ceil((left.length * width) / 8));
  let previous = new Uint32Array(width + 1);
  let current = new Uint32Array(width + 1);
  for (const [row, token] of left.entries()) {
    fillRow(current, { previous, token, right });
    for (let column = 0; column < width; column += 1) {
      const cell = row * width + column;
      if ((current[column + 1] ?? 0) > (previous[column + 1] ?? 0)) {
        grows[Math.floor(cell / 8)] = (grows[Math.floor(cell / 8)] ?? 0) | (1 << (cell % 8));
      }
    }
    [previous, current] = [current, previous];
  }
  const indexes: number[] = [];
  let [row, column] = [left.length - 1, width - 1];
  while (row >= 0 && column >= 0) {
    const cell = row * width + column;
    if (left[row] === right[column]) {
      indexes.push(row);
      row -= 1;
      column -= 1;
    } else if ((grows[Math.floor(cell / 8)] ?? 0) & (1 << (cell % 8))) column -= 1;
    else row -= 1;
  }
  return indexes.reverse();
}

interface RowInput {
  readonly previous: Uint32Array;
  readonly token: string;
  readonly right: readonly string[];
}

function fillRow(current: Uint32Array, { previous, token, right }: RowInput): void {
  for (let column = 0; column < right.length; column += 1) {
    current[column + 1] =
      right[column] === token
        ? (previous[column] ?? 0) + 1
        : Math.max(previous[column + 1] ?? 0, current[column] ?? 0);
  }
}
