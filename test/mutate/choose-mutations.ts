import { hash } from 'node:crypto';
import type { Mutation } from './mutations.ts';
import { nameOf } from './not-noticed.ts';

/** Draws changes in an order by chance that stays when other lines of the code change. */
export function chooseMutations<One extends Mutation>(
  all: readonly One[],
  { seed, count }: { readonly seed: string; readonly count: number },
): One[] {
  const seen = new Map<string, number>();
  const places = all.map((one) => {
    const name = nameOf(one);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { one, place: hash('sha1', `${seed} ${times} ${name}`) };
  });
  return places
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one);
}
