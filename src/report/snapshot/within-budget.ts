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

/** Takes what fits into so many bytes: those first that ask for a look. */
export async function takeWithin<Value>(
  candidates: readonly Candidate<Value>[],
  maxBytes: number,
  onTake?: (value: Value) => void | Promise<void>,
): Promise<{ readonly taken: Value[]; readonly bytes: number }> {
  const taken: Value[] = [];
  let bytes = 0;
  for (const verdict of verdicts) {
    const room = verdict === 'right' ? maxBytes : maxBytes * (1 - shareOfRight);
    let misses = 0;
    for (const candidate of candidates) {
      if (candidate.verdict !== verdict) continue;
      if (misses === maxMisses || bytes >= room) break;
      const value = await candidate.make();
      const size = bytesOf(value);
      if (bytes + size > room) {
        misses += 1;
        continue;
      }
      bytes += size;
      taken.push(value);
      await onTake?.(value);
    }
  }
  return { taken, bytes };
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
