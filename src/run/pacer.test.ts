import { describe, expect, it } from 'vitest';
import { Pacer } from './pacer.ts';

describe('Pacer', () => {
  const roundOf = (pacer: Pacer) => {
    while (pacer.hasRoom) pacer.start(0);
    const started = pacer.inFlight;
    for (let request = 0; request < started; request++) pacer.succeed();
    return started;
  };

  it('doubles while all goes well, up to the limit given', () => {
    const pacer = new Pacer({ maxConcurrency: 100 });
    expect([1, 2, 3, 4, 5].map(() => roundOf(pacer))).toEqual([16, 32, 64, 100, 100]);
  });

  it('never starts above the limit given', () => {
    expect(roundOf(new Pacer({ maxConcurrency: 3 }))).toBe(3);
  });

  it('halves once for requests that failed together, then grows by one a round', () => {
    const pacer = new Pacer({ maxConcurrency: 64 });
    roundOf(pacer);
    roundOf(pacer);
    for (let request = 0; request < 64; request++) pacer.start(0);
    for (let request = 0; request < 64; request++) pacer.throttle(1000);
    expect(pacer.limit).toBe(32);
    roundOf(pacer);
    expect(pacer.limit).toBeGreaterThanOrEqual(32);
    expect(pacer.limit).toBeLessThanOrEqual(33);
    pacer.start(2000);
    pacer.throttle(2000);
    expect(pacer.limit).toBe(16);
  });

  /** Has a server of limited room answer so many requests; gives how many it refused. */
  const askLimited = (pacer: Pacer, { room, answers }: { room: number; answers: number }) => {
    let refused = 0;
    for (let answered = 0; answered < answers; answered++) {
      while (pacer.hasRoom) pacer.start(answered);
      for (; pacer.inFlight > room; refused++) pacer.refuse(answered);
      pacer.succeed();
    }
    return refused;
  };

  it('learns from refusals how much a server takes, and tries ever more rarely for more', () => {
    const pacer = new Pacer({ maxConcurrency: 64 });
    expect(askLimited(pacer, { room: 4, answers: 1 })).toBe(12);
    expect(pacer.limit).toBe(4);
    expect(askLimited(pacer, { room: 4, answers: 500 })).toBeLessThanOrEqual(10);
  });

  it('finds out that a server takes more than it did', () => {
    const pacer = new Pacer({ maxConcurrency: 64 });
    askLimited(pacer, { room: 4, answers: 500 });
    askLimited(pacer, { room: 40, answers: 2000 });
    expect(pacer.limit).toBeGreaterThanOrEqual(36);
  });

  it('halves where everything in flight is refused', () => {
    const pacer = new Pacer({ maxConcurrency: 16 });
    while (pacer.hasRoom) pacer.start(0);
    for (let request = 0; request < 16; request++) pacer.refuse(0);
    expect(pacer.limit).toBe(8);
  });

  it('always lets one request through', () => {
    const pacer = new Pacer({ maxConcurrency: 4 });
    for (let now = 0; now < 10_000; now += 1000) {
      pacer.start(now);
      pacer.throttle(now);
    }
    expect(pacer.hasRoom).toBe(true);
  });

  it('waits as long as the server asks', () => {
    const pacer = new Pacer({ maxConcurrency: 4 });
    pacer.start(0);
    pacer.throttle(100, 2000);
    expect(pacer.delayMs(100)).toBe(2000);
    expect(pacer.delayMs(2100)).toBe(0);
  });

  it('keeps to a rate', () => {
    const pacer = new Pacer({ maxConcurrency: 1000, requestsPerSecond: 50 });
    let now = 0;
    const starts: number[] = [];
    while (starts.length < 100) {
      const delay = pacer.delayMs(now);
      now += delay;
      pacer.start(now);
      pacer.release();
      starts.push(now);
    }
    for (const start of starts) {
      expect(
        starts.filter((other) => other >= start && other < start + 1000).length,
      ).toBeLessThanOrEqual(50);
    }
  });
});
