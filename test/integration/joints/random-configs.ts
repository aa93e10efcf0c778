import { completeLevels } from './complete-levels.ts';
import { factors, type Levels } from './factors.ts';

/** Configs with drawn levels: the same ones for the same seed. */
export function randomConfigs(count: number, seed: number): Levels[] {
  const draw = generator(seed);
  return Array.from({ length: count }, () => {
    const levels = completeLevels({}, (factor) => shuffle(factors[factor], draw));
    if (!levels) throw new RangeError('no levels can stand together');
    return levels;
  });
}

type Draw = () => number;

/** Mulberry32: numbers from 0 to below 1. */
function generator(seed: number): Draw {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A local model takes as long as ten others: it is drawn less often. */
const drawback = new Map<unknown, number>([['local', 0.2]]);

function shuffle<Item>(items: readonly Item[], draw: Draw): Item[] {
  const keyed = items.map((item) => ({ item, key: draw() + (drawback.get(item) ?? 0) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
