import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { keyedRandom, type Random } from '../../../base/keyed-random.ts';
import { sampleToken } from './sample.ts';

const row = Float32Array.from([0.1, 0.4, 0.2, 0.3].map(Math.log));
const plain = { temperature: 1, topP: 1, topK: 0 };

/** A source that always gives this share. */
const always = (share: number): Random => ({ next: () => share, below: () => 0 });

/** The tokens that shares from 0 to 1 lead to, in order. */
function drawn(sampling: Partial<typeof plain>): string {
  const shares = Array.from({ length: 100 }, (_, index) => (index + 0.5) / 100);
  const tokens = shares.map((share) => sampleToken(row, { ...plain, ...sampling }, always(share)));
  const counts = new Map<number, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts].map(([token, count]) => `${token}:${count}`).join(' ');
}

test.each([
  { sampling: { temperature: 0 }, expected: '1:100' },
  { sampling: { topK: 1 }, expected: '1:100' },
  { sampling: {}, expected: '0:10 1:40 2:20 3:30' },
  { sampling: { topK: 2 }, expected: '1:57 3:43' },
  { sampling: { topP: 0.5 }, expected: '1:57 3:43' },
  { sampling: { topP: 0.71 }, expected: '1:44 3:34 2:22' },
  { sampling: { topP: 0.01 }, expected: '1:100' },
  // Of the best three 0.45, 0.33 and 0.22 are left, of which two are needed for 0.7.
  { sampling: { topK: 3, topP: 0.7 }, expected: '1:57 3:43' },
  { sampling: { temperature: 0.5 }, expected: '0:3 1:54 2:13 3:30' },
])('draws $expected with $sampling', ({ sampling, expected }) => {
  expect(drawn(sampling)).toBe(expected);
});

describe('likelihoods far apart', () => {
  const wide = Float32Array.from({ length: 2000 }, (_, index) => -index / 3);

  it('are cut exactly where the share is reached', () => {
    const shares = Array.from(wide, (logit) => Math.exp(logit));
    const total = shares.reduce((sum, share) => sum + share);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.9999999, noNaN: true }), (topP) => {
        const last = sampleToken(wide, { ...plain, topP }, always(1 - 2 ** -53));
        const mass = (count: number) => shares.slice(0, count).reduce((a, b) => a + b, 0) / total;
        expect(mass(last)).toBeLessThan(topP + 1e-12);
        expect(mass(last + 1)).toBeGreaterThan(topP - 1e-12);
      }),
    );
  });

  it('leave impossible tokens out', () => {
    const impossible = Float32Array.of(0, Number.NEGATIVE_INFINITY, 0);
    for (const seed of Array(50).keys()) {
      for (const sampling of [plain, { ...plain, topK: 3 }, { ...plain, topP: 0.999 }]) {
        expect(sampleToken(impossible, sampling, keyedRandom(seed, ''))).not.toBe(1);
      }
    }
  });
});

it('tells when there are no numbers to draw by', () => {
  expect(sampleToken(Float32Array.of(Number.NaN), plain, always(0))).toBe(-1);
});
