import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prefixCurves, type StudiedCase } from './prefix-curves.ts';

const tokens = fc.array(fc.nat(1), { minLength: 1, maxLength: 12 });
const drawnCases = fc
  .array(fc.record({ tokens, group: fc.constantFrom('a', 'b') }), { minLength: 1, maxLength: 30 })
  .map((cases) =>
    cases.map(
      ({ tokens: own, group }, place): StudiedCase => ({
        requests: [{ tokens: Uint32Array.from(own) }],
        place,
        group,
      }),
    ),
  );

test('more room never saves less, and all orders have the same prompts', () => {
  fc.assert(
    fc.property(drawnCases, fc.integer({ min: 1, max: 4 }), (cases, block) => {
      const { orders, savings, blocks } = prefixCurves(cases, { block });
      expect(orders.map(({ order }) => order)).toEqual(['read', 'sorted', 'random', 'grouped']);
      for (const { points } of orders) {
        const saved = points.map((point) => point.saved);
        expect(saved).toEqual(saved.toSorted((one, other) => one - other));
        for (const point of points) {
          expect(point).toMatchObject({ tokens: savings.tokens, tooLong: 0 });
        }
      }
      expect(blocks.find((point) => point.block === block)?.saved).toBe(savings.saved);
    }),
  );
});

test('requests of a case stay together, and cases that take turns are grouped', () => {
  const [first, second] = [
    [1, 1, 1, 1],
    [2, 2, 2, 2],
  ].map((ids) => Uint32Array.from(ids));
  const cases = [first, second, first, second, first].map((one, place) => ({
    requests: [{ tokens: one ?? new Uint32Array() }, { tokens: Uint32Array.from([3]) }],
    place,
    group: place % 2 === 0 ? 'first' : 'second',
  }));
  const { orders } = prefixCurves(cases, { block: 1, size: 5 });
  const saved = orders.map(({ order, points }) => [
    order,
    points.find(({ size }) => size === 5)?.saved,
  ]);
  expect(saved.slice(0, 2)).toEqual([
    ['read', 0],
    ['sorted', 3 * 3],
  ]);
  expect(saved.at(-1)).toEqual(['grouped', 3 * 3]);
});
