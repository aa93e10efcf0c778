/** The candidate that a misspelt name most likely meant, or nothing when none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = allowedDistance(name.length) + 1;
  for (const candidate of candidates) {
    const steps = stepsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (steps >= bestDistance) continue;
    best = candidate;
    bestDistance = steps;
  }
  return best;
}

/** Letters to add, drop or change. Names are short: what makes it faster would be half of it again in pages. */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1]);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
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
