import type { Random } from '../../../base/keyed-random.ts';
import { argMax } from './logits.ts';

/** How a token is drawn from what the model thinks likely. */
export interface Sampling {
  /** Zero takes the likeliest token. */
  readonly temperature: number;
  /** Draws among the likeliest tokens that together have this share. */
  readonly topP: number;
  /** Draws among this many of the likeliest tokens; zero for all. */
  readonly topK: number;
}

/** Draws a token: first the temperature counts, then `topK`, then `topP`. */
export function sampleToken(row: Float32Array, sampling: Sampling, random: Random): number {
  const best = argMax(row);
  const { temperature, topP, topK } = sampling;
  if (best < 0 || temperature === 0 || topK === 1) return best;
  const max = row[best] as number;
  const weightOf = (token: number) => Math.exp(((row[token] as number) - max) / temperature);
  let total = 0;
  for (let token = 0; token < row.length; token += 1) total += weightOf(token);
  if (topP >= 1 && topK === 0) return draw(row.keys(), { weightOf, total, random });
  const nucleus = likeliest(row, { sampling, total, weightOf });
  const mass = nucleus.reduce((sum, token) => sum + weightOf(token), 0);
  return draw(nucleus, { weightOf, total: mass, random });
}

interface Drawing {
  readonly weightOf: (token: number) => number;
  readonly total: number;
  readonly random: Random;
}

function draw(tokens: Iterable<number>, { weightOf, total, random }: Drawing): number {
  let left = random.next() * total;
  let last = -1;
  for (const token of tokens) {
    const weight = weightOf(token);
    if (weight === 0) continue;
    left -= weight;
    last = token;
    if (left < 0) break;
  }
  return last;
}

interface Weights {
  readonly sampling: Sampling;
  readonly total: number;
  readonly weightOf: (token: number) => number;
}

/** The tokens that may be drawn, likeliest first. */
function likeliest(row: Float32Array, { sampling, total, weightOf }: Weights): number[] {
  const { topK, topP } = sampling;
  // Sorting a whole vocabulary takes long, and few of its tokens are ever needed.
  for (let floor = 1e-3; ; floor = floor ** 2) {
    const found: number[] = [];
    let mass = 0;
    for (let token = 0; token < row.length; token += 1) {
      const weight = weightOf(token);
      if (weight < floor) continue;
      found.push(token);
      mass += weight;
    }
    const isEnough = topK > 0 ? found.length >= topK : mass >= topP * total;
    if (!isEnough && found.length < row.length) continue;
    found.sort((a, b) => (row[b] as number) - (row[a] as number) || a - b);
    const kept = topK > 0 ? found.slice(0, topK) : found;
    const keptMass = topK > 0 ? kept.reduce((sum, token) => sum + weightOf(token), 0) : total;
    return nucleusOf(kept, { share: topP * keptMass, weightOf });
  }
}

function nucleusOf(
  tokens: readonly number[],
  { share, weightOf }: { share: number; weightOf: (token: number) => number },
): number[] {
  let mass = 0;
  const end = tokens.findIndex((token) => {
    mass += weightOf(token);
    return mass >= share;
  });
  return end < 0 ? [...tokens] : tokens.slice(0, end + 1);
}
