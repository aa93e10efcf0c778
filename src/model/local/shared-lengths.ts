/** The length of the longest prefix that each sequence shares with another. */
export function sharedLengths(sequences: readonly Int32Array[]): number[] {
  // In the order of their tokens, the sequence most like another stands beside it.
  const sequenceAt = (index: number) => sequences[index] as Int32Array;
  const order = [...sequences.keys()].sort((a, b) => compare(sequenceAt(a), sequenceAt(b)));
  const shared = sequences.map(() => 0);
  order.forEach((index, rank) => {
    const other = order[rank + 1];
    if (other === undefined) return;
    const length = commonLength(sequenceAt(index), sequenceAt(other));
    shared[index] = Math.max(shared[index] ?? 0, length);
    shared[other] = length;
  });
  return shared;
}

function compare(a: Int32Array, b: Int32Array): number {
  const length = commonLength(a, b);
  return (a[length] ?? -1) - (b[length] ?? -1);
}

export function commonLength(a: Int32Array, b: Int32Array): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length += 1;
  return length;
}
