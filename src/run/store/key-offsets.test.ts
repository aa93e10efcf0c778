import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyOffsets } from './key-offsets.ts';

const keyOf = (number: number) => createHash('md5').update(String(number)).digest('hex');

test.each([0, 1, 700, 1023, 1024, 1025, 5000])('%d keys are found, and no others', (count) => {
  const places = new KeyOffsets();
  for (let index = 0; index < count; index += 1) places.set(keyOf(index), index * 3);
  for (let index = 0; index < count; index += 1) expect(places.get(keyOf(index))).toBe(index * 3);
  for (let index = count; index < count + 50; index += 1) {
    expect(places.get(keyOf(index))).toBeUndefined();
  }
});

test('the newest place of a key counts, whatever came between', () => {
  const places = new KeyOffsets();
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 900; index += 1) places.set(keyOf(index), index + round * 1000);
  }
  expect([places.get(keyOf(0)), places.get(keyOf(899))]).toEqual([2000, 2899]);
});
