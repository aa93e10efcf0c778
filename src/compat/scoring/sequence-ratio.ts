/** How alike two texts are, as Python's `difflib.SequenceMatcher(None, left, right).ratio()` has it. */
export function sequenceRatio(left: string, right: string): number {
  const [from, to] = [Array.from(left), Array.from(right)];
  const size = from.length + to.length;
  return size === 0 ? 1 : (2 * matchedCharacters(from, to)) / size;
}

/** How many characters its blocks hold: the longest one first, then those on both of its sides. */
function matchedCharacters(left: readonly string[], right: readonly string[]): number {
  const places = placesOf(right);
  let matched = 0;
  const open: Stretch[] = [{ left: [0, left.length], right: [0, right.length] }];
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    const block = longestBlock(left, places, stretch);
    const [first, end] = growBlock({ left, right }, block, stretch);
    if (first === end) continue;
    const shift = block.at - block.start;
    matched += end - first;
    open.push({
      left: [stretch.left[0], first],
      right: [stretch.right[0], first + shift],
    });
    open.push({ left: [end, stretch.left[1]], right: [end + shift, stretch.right[1]] });
  }
  return matched;
}

interface Stretch {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

interface Block {
  readonly start: number;
  readonly at: number;
  readonly size: number;
}

/** Where each character stands; in long texts those that are everywhere count for nothing by themselves. */
function placesOf(text: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, character] of text.entries()) {
    const known = places.get(character);
    if (known) known.push(index);
    else places.set(character, [index]);
  }
  if (text.length < 200) return places;
  const most = Math.floor(text.length / 100) + 1;
  for (const [character, indexes] of places) {
    if (indexes.length > most) places.delete(character);
  }
  return places;
}

function longestBlock(
  left: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { left: [low, high], right: [first, last] }: Stretch,
): Block {
  let best: Block = { start: low, at: first, size: 0 };
  let lengths = new Map<number, number>();
  for (let index = low; index < high; index++) {
    const next = new Map<number, number>();
    for (const place of places.get(left[index] ?? '') ?? []) {
      if (place < first) continue;
      if (place >= last) break;
      const size = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, size);
      if (size > best.size) best = { start: index - size + 1, at: place - size + 1, size };
    }
    lengths = next;
  }
  return best;
}

/** The block with the characters around it that are the same, also those that are everywhere. */
function growBlock(
  { left, right }: { readonly left: readonly string[]; readonly right: readonly string[] },
  { start, at, size }: Block,
  stretch: Stretch,
): readonly [number, number] {
  const shift = at - start;
  let [first, end] = [start, start + size];
  while (
    first > stretch.left[0] &&
    first + shift > stretch.right[0] &&
    left[first - 1] === right[first + shift - 1]
  ) {
    first--;
  }
  while (
    end < stretch.left[1] &&
    end + shift < stretch.right[1] &&
    left[end] === right[end + shift]
  ) {
    end++;
  }
  return [first, end];
}
