import { expect, test } from 'vitest';
import type { Verdict } from '../../run/row-sample.ts';
import { takeWithin } from './within-budget.ts';

/** Candidates of some lengths, of which each takes as long as it likes. */
function candidatesOf(made: { verdict: Verdict; length: number }[], begun: number[] = []) {
  return made.map(({ verdict, length }, place) => ({
    verdict,
    make: async () => {
      begun.push(place);
      await new Promise((resolve) => setTimeout(resolve, (place * 7) % 5));
      return { place, text: 'x'.repeat(length) };
    },
  }));
}

const some = Array.from({ length: 40 }, (_, place) => ({
  verdict: (['right', 'wrong', 'failed'] as const)[place % 3] ?? 'right',
  length: place % 7 === 0 ? 900 : 50,
}));

test('what is taken is the same, however many are made at a time', async () => {
  const take = async (atOnce: number, maxBytes: number) => {
    const places: number[] = [];
    const bytes = await takeWithin(candidatesOf(some), maxBytes, {
      atOnce,
      onTake: ({ place }) => void places.push(place),
    });
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    return places;
  };
  const all = await take(6, 1e9);
  expect([...all].sort((left, right) => left - right)).toEqual(some.map((_, place) => place));
  const ends = all.map((place) => some[place]?.verdict);
  expect(ends.lastIndexOf('failed')).toBeLessThan(ends.indexOf('wrong'));
  expect(ends.lastIndexOf('wrong')).toBeLessThan(ends.indexOf('right'));
  for (const maxBytes of [500, 1700, 4000]) {
    const few = await take(1, maxBytes);
    expect(few.length).toBeGreaterThan(0);
    expect(few.length).toBeLessThan(40);
    expect(await take(6, maxBytes)).toEqual(few);
    expect(await take(50, maxBytes)).toEqual(few);
  }
});

test('several are begun at a time, and one that fails is told in its turn', async () => {
  const begun: number[] = [];
  const candidates = candidatesOf(some.slice(0, 12), begun);
  let atFirst = 0;
  await takeWithin(candidates, 1e9, {
    atOnce: 4,
    onTake: () => {
      atFirst ||= begun.length;
    },
  });
  expect(atFirst).toBe(4);
  const failing = candidates.map((one, place) =>
    place === 5 ? { ...one, make: () => Promise.reject(new Error('row 5')) } : one,
  );
  await expect(takeWithin(failing, 1e9, { atOnce: 4, onTake: () => undefined })).rejects.toThrow(
    'row 5',
  );
});
