import { type Verdict, verdicts } from '../../run/row-sample.ts';

/** Something to be shown, with how its row ended. */
export interface Candidate<Value> {
  readonly verdict: Verdict;
  readonly make: () => Value | Promise<Value>;
}

/** Right rows have this share of the room, however many others there are. */
const shareOfRight = 0.15;
/** After so many that did not fit, smaller ones are not looked for. */
const maxMisses = 20;

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

interface Taking<Value> {
  /** Gets what fits, in the order of candidates that ended alike. */
  readonly onTake: (value: Value) => void | Promise<void>;
  /** So many are made at a time; 1 by default. */
  readonly atOnce?: number;
}

/** Takes what fits into so many bytes: those first that ask for a look. Gives the bytes taken. */
export async function takeWithin<Value>(
  candidates: readonly Candidate<Value>[],
  maxBytes: number,
  { onTake, atOnce = 1 }: Taking<Value>,
): Promise<number> {
  let bytes = 0;
  for (const verdict of verdicts) {
    const room = verdict === 'right' ? maxBytes : maxBytes * (1 - shareOfRight);
    const wanted = candidates.filter((candidate) => candidate.verdict === verdict);
    let misses = 0;
    for await (const value of made(wanted, atOnce)) {
      const size = bytesOf(value);
      if (bytes + size > room) misses += 1;
      else {
        bytes += size;
        await onTake(value);
      }
      if (misses === maxMisses || bytes >= room) break;
    }
    if (bytes >= maxBytes) break;
  }
  return bytes;
}

/** What candidates are, in their order; the next ones are begun while one is looked at. */
async function* made<Value>(
  candidates: readonly Candidate<Value>[],
  atOnce: number,
): AsyncGenerator<Value> {
  const begun: Promise<Value>[] = [];
  let next = 0;
  while (next < candidates.length || begun.length > 0) {
    while (begun.length < atOnce && next < candidates.length) {
      const value = Promise.resolve(candidates[next++]?.make() as Value | Promise<Value>);
      // Told where its turn comes.
      value.catch(() => undefined);
      begun.push(value);
    }
    yield await (begun.shift() as Promise<Value>);
  }
}

/** Shares room between lists, so that what short ones leave goes to the longer. */
export async function shareRoom<List extends { readonly length: number }>(
  lists: readonly List[],
  maxBytes: number,
  take: (list: List, room: number) => Promise<number>,
): Promise<void> {
  const order = [...lists].sort((left, right) => left.length - right.length);
  let left = maxBytes;
  for (const [index, list] of order.entries()) {
    left -= await take(list, left / (order.length - index));
  }
}
