import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt name most likely meant, or nothing when none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = allowedDistance(name.length) + 1;
  for (const candidate of candidates) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase());
    if (steps >= bestDistance) continue;
    best = candidate;
    bestDistance = steps;
  }
  return best;
}

/** Two letters swapped count as two steps; in a name of three that would be another name. */
function allowedDistance(length: number): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** The nearest name, if one is near, and all the names there are. */
export function hintForName(
  name: string,
  { names, kind }: { names: readonly string[]; kind: string },
): string {
  const near = nearestName(name, names);
  return `${near ? `Did you mean \`${near}\`? ` : ''}${kind}: ${names.join(', ')}.`;
}
