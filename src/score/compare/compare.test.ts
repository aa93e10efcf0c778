import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Float } from '../../prompt/values.ts';
import { type Comparison, contains, exact, numberEqual, oneOf } from './compare.ts';

const loose = { ignoreCase: true, normalize: true };

test.each<[Comparison, string, unknown, number | undefined]>([
  [exact(), ' Paris ', 'Paris', 1],
  [exact(), 'paris', 'Paris', 0],
  [exact(), '18', 18, 1],
  [exact(), '1.0', new Float(1), 1],
  [exact(), 'true', true, 1],
  [exact(loose), 'ＰＡＲＩＳ', 'paris', 1],
  [exact({ ignoreCase: true }), 'ＰＡＲＩＳ', 'paris', 0],
  [contains(), 'It is Paris.', 'Paris', 1],
  [contains(), 'It is paris.', 'Paris', 0],
  [contains(loose), 'It is paris.', 'PARIS', 1],
  [contains(), 'anything', '', undefined],
  [numberEqual(), '80,000', '80000', 1],
  [numberEqual(), '80000', 'They saved $5 and then\n#### 80,000', 1],
  [numberEqual(), '0.5', '1/2', 1],
  [numberEqual(), '0.5', '\\boxed{\\frac{1}{2}} = 50%', 1],
  [numberEqual(), '1e-7', '0.0000001', 1],
  [numberEqual(), '18.00', 18, 1],
  [numberEqual(), '-18', 18, 0],
  [numberEqual(), '12345678901234567890', 12345678901234567891n, 0],
  [numberEqual(), '12345678901234567890', 12345678901234567890n, 1],
  [numberEqual({ tolerance: 0.1 }), '1.1', 1, 1],
  [numberEqual({ tolerance: 0.1 }), '1.11', 1, 0],
  [numberEqual({ relativeTolerance: 0.01 }), '101', 100, 1],
  [numberEqual({ relativeTolerance: 0.01 }), '-99', -100, 1],
  [numberEqual({ relativeTolerance: 0.01 }), '98', 100, 0],
  [numberEqual(), '50%', '0.5', 1],
  [numberEqual(), '50%', '50', 1],
  [numberEqual(), '0.333', '33.3 \\%', 1],
  [numberEqual(), '50', '0.5', 0],
  [numberEqual(), '50%', '0.5%', 0],
  [numberEqual(), '1 1/2', 1.5, 1],
  [numberEqual(), '3 × 10^8 m/s', '300000000', 1],
  [numberEqual(), 'none', 1, 0],
  [numberEqual(), '1', 'none', undefined],
  [oneOf(exact()), 'b', ['a', 'b'], 1],
  [oneOf(exact()), 'c', ['a', 'b'], 0],
  [oneOf(exact()), 'c', 'c', 1],
  [oneOf(numberEqual()), '1', ['none', 'nothing'], undefined],
  [oneOf(numberEqual()), '1', ['none', 1], 1],
])('%#: %o of %o and %o', (compare, got, gold, expected) => {
  expect(compare(got, gold)?.value).toBe(expected);
});

test('says what was held against what', () => {
  expect(oneOf(exact(loose))('Ａ ', ['A', 'B'])).toEqual({ value: 1, got: 'a', want: 'a | b' });
  expect(numberEqual()('$1,000', '#### 2,000')).toMatchObject({ got: '1000', want: '2000' });
});

test('every comparison takes any answer and any gold answer', () => {
  const comparisons = [exact(loose), contains(), numberEqual({ tolerance: 1 })].map(oneOf);
  fc.assert(
    fc.property(fc.string(), fc.anything(), (got, gold) => {
      for (const compare of comparisons) {
        expect([undefined, 0, 1]).toContain(compare(got, gold)?.value);
      }
    }),
  );
});
