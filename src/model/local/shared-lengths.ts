/** How many tokens each text has in common at its beginning with the one most like it. */
export function sharedLengths(texts: readonly Int32Array[]): number[] {
  // In the order of their tokens, the text most like another stands beside it.
  const textAt = (place: number) => texts[place] as Int32Array;
  const places = [...texts.keys()].sort((a, b) => compare(textAt(a), textAt(b)));
  const shared = texts.map(() => 0);
  places.forEach((place, index) => {
    const other = places[index + 1];
    if (other === undefined) return;
    const length = commonLength(textAt(place), textAt(other));
    shared[place] = Math.max(shared[place] ?? 0, length);
    shared[other] = length;
  });
  return shared;
}

function compare(a: Int32Array, b: Int32Array): number {
  const place = commonLength(a, b);
  return (a[place] ?? -1) - (b[place] ?? -1);
}

export function commonLength(a: Int32Array, b: Int32Array): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length += 1;
  return length;
}
