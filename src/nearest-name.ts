import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt name most likely meant, or nothing when none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase());
    if (steps >= bestDistance) continue;
    best = candidate;
    bestDistance = steps;
  }
  return best;
}
