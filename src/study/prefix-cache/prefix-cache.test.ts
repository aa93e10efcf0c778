import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CachedRequest,
  type PrefixCacheSettings,
  type PrefixSavings,
  simulatePrefixCache,
} from './prefix-cache.ts';

/**
 * The same cache in the plainest form: a list of kept blocks, each by the whole text up to its end
 * and the time of its last use; requests in flight by what they found and what room they take.
 */
function plainCache(
  requests: readonly CachedRequest[],
  { block = 16, size = Number.POSITIVE_INFINITY, inFlight = 1 }: PrefixCacheSettings,
): PrefixSavings {
  const room = Math.floor(size / block);
  const kept: { text: string; depth: number; usedAt: number }[] = [];
  const running: { texts: string[]; found: string[]; room: number }[] = [];
  let time = 0;
  let [tokens, saved, tooLong] = [0, 0, 0];
  const isHeld = (text: string) => running.some(({ found }) => found.includes(text));
  const finishFirst = () => {
    const done = running.shift();
    time += 1;
    for (const [depth, text] of (done?.texts ?? []).entries()) {
      const known = kept.find((one) => one.text === text);
      if (known) known.usedAt = time;
      else kept.push({ text, depth, usedAt: time });
    }
  };
  for (const request of requests) {
    if (running.length >= inFlight) finishFirst();
    const prompt = [...request.tokens];
    const whole = [...prompt, ...(request.answer ?? [])];
    tokens += prompt.length;
    const needed = Math.ceil(whole.length / block);
    if (needed > room) {
      tooLong += 1;
      continue;
    }
    const texts: string[] = [];
    for (let end = block; end <= whole.length; end += block) {
      texts.push(whole.slice(0, end).join(' '));
    }
    const look = () => {
      const found: string[] = [];
      for (const [index, text] of texts.entries()) {
        const leavesOne = (index + 1) * block < prompt.length;
        if (!leavesOne || !kept.some((one) => one.text === text)) break;
        found.push(text);
      }
      return found;
    };
    const heldWith = (found: string[]) =>
      kept.filter(({ text }) => isHeld(text) || found.includes(text)).length +
      running.reduce((sum, one) => sum + one.room, 0);
    while (heldWith(look()) + needed - look().length > room) finishFirst();
    const found = look();
    const takes = needed - found.length;
    while (kept.length + running.reduce((sum, one) => sum + one.room, 0) + takes > room) {
      const loose = kept.filter(({ text }) => !isHeld(text) && !found.includes(text));
      const [oldest] = loose.sort((a, b) => a.usedAt - b.usedAt || b.depth - a.depth);
      const isLeaf = !kept.some(({ text }) => text.startsWith(`${oldest?.text} `));
      if (!oldest || !isLeaf) throw new Error('a block would go that others follow');
      kept.splice(kept.indexOf(oldest), 1);
    }
    running.push({ texts, found, room: takes });
    saved += found.length * block;
  }
  return { requests: requests.length, tokens, saved, tooLong };
}

const tokens = (maxLength: number) =>
  fc.array(fc.nat(1), { maxLength }).map((list) => Uint32Array.from(list));
const drawnRequests = fc.array(
  fc.record({ tokens: tokens(14), answer: fc.option(tokens(6), { nil: undefined }) }),
  { maxLength: 40 },
);
const drawnSettings = fc.record({
  block: fc.integer({ min: 1, max: 4 }),
  size: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  inFlight: fc.integer({ min: 1, max: 5 }),
});

it('does what the plainest simulation does', () => {
  fc.assert(
    fc.property(drawnRequests, drawnSettings, (requests, settings) => {
      expect(simulatePrefixCache(requests, settings)).toEqual(plainCache(requests, settings));
    }),
    { numRuns: 1500 },
  );
});

it('finds whole blocks against all earlier prompts, and never the last token', () => {
  const prompt = Uint32Array.from({ length: 40 }, (_, index) => index);
  const other = Uint32Array.from([99, 98, 97]);
  const requests = [prompt, other, prompt, prompt.subarray(0, 32)].map((one) => ({ tokens: one }));
  expect(simulatePrefixCache(requests)).toEqual({
    requests: 4,
    tokens: 115,
    saved: 32 + 16,
    tooLong: 0,
  });
  expect(simulatePrefixCache(requests, { block: 1 }).saved).toBe(39 + 31);
});

it('lets the next turn find the prompt and the answer', () => {
  const first = Uint32Array.from([1, 2, 3]);
  const answer = Uint32Array.from([4, 5]);
  const next = Uint32Array.from([1, 2, 3, 4, 5, 6]);
  const saved = (requests: CachedRequest[]) => simulatePrefixCache(requests, { block: 1 }).saved;
  expect(saved([{ tokens: first, answer }, { tokens: next }])).toBe(5);
  expect(saved([{ tokens: first }, { tokens: next }])).toBe(3);
});
