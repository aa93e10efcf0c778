import { DataError } from '../errors.ts';

/** A source of random numbers. */
export interface Random {
  /** A number in [0, 1) with 53 random bits. */
  next(): number;
  /** A whole number from 0 to `limit` - 1, all equally likely. */
  below(limit: number): number;
}

/**
 * A source whose draws depend on the seed and the key alone, so that a row draws the same whatever
 * was drawn before it. The key counts as text: `7` and `'7'` are one key.
 *
 * The generator is sfc32 of Chris Doty-Humphrey's PractRand, its state three MurmurHash3 (32-bit)
 * hashes of seed and key.
 */
export function keyedRandom(seed: number, key: string | number): Random {
  const word = sfc32(`${seed}/${key}`);
  return {
    next() {
      const high = word() >>> 5;
      const low = word() >>> 6;
      return (high * 2 ** 26 + low) / 2 ** 53;
    },
    below(limit) {
      checkLimit(limit, 2 ** 32);
      const end = 2 ** 32 - (2 ** 32 % limit);
      let drawn = word();
      while (drawn >= end) drawn = word();
      return drawn % limit;
    },
  };
}

/**
 * Draws `count` distinct numbers below `size`, in random order. Time and memory go with `count`,
 * not with `size`.
 */
export function sampleWithoutReplacement(random: Random, size: number, count: number): number[] {
  checkSample(size, count);
  const moved = new Map<number, number>();
  return Array.from({ length: count }, (_, index) => {
    const place = index + random.below(size - index);
    const drawn = moved.get(place) ?? place;
    moved.set(place, moved.get(index) ?? index);
    return drawn;
  });
}

function sfc32(text: string): () => number {
  let a = murmurHash3(text, 1);
  let b = murmurHash3(text, 2);
  let c = murmurHash3(text, 3);
  let counter = 1;
  const word = () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (rotateLeft(c, 21) + result) | 0;
    return result >>> 0;
  };
  for (let round = 0; round < 12; round += 1) word();
  return word;
}

// Over the text's UTF-16 code units, low byte first: two units make a block.
function murmurHash3(text: string, seed: number): number {
  const paired = text.length - (text.length % 2);
  let hash = seed;
  for (let index = 0; index < paired; index += 2) {
    hash ^= scramble(text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16));
    hash = (Math.imul(rotateLeft(hash, 13), 5) + 0xe6546b64) | 0;
  }
  if (paired < text.length) hash ^= scramble(text.charCodeAt(paired));
  hash ^= text.length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scramble(block: number): number {
  return Math.imul(rotateLeft(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function rotateLeft(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

/** Refuses a limit below which no whole number can be drawn. */
export function checkLimit(limit: number, largest: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= largest) return;
  throw new DataError('random.bad_limit', `Cannot draw a whole number below ${limit}`, {
    hint: `Use a whole number from 1 to ${largest}.`,
  });
}

/** Refuses a draw of more distinct numbers than there are. */
export function checkSample(size: number, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0 && count <= size) return;
  throw new DataError('random.bad_sample', `Cannot draw ${count} distinct rows out of ${size}`, {
    hint: `Ask for at most ${size}, or provide more rows.`,
  });
}
