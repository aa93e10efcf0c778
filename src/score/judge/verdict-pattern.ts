import { patternMatcher } from '../../base/match-pattern.ts';

/** Where in a judge's reply its verdict is written. */
export interface VerdictPattern {
  readonly pattern: RegExp;
  /** Which one counts if it is written several times; left out, all have to say the same. */
  readonly take?: 'first' | 'last' | undefined;
}

/** A reply that is longer in matches than this says nothing. */
const mostMatches = 1000;

/** What the pattern finds: its first group that matched, or all of the match. */
export function findVerdict(
  reply: string,
  { pattern, take }: VerdictPattern,
): { readonly text: string } | { readonly problem: string } {
  const found = allMatches(reply, pattern);
  const text = take === 'last' ? found.at(-1) : found[0];
  if (text === undefined) return { problem: '' };
  const differs = take === undefined && found.some((other) => other !== text);
  return differs ? { problem: 'several that differ' } : { text };
}

function allMatches(text: string, pattern: RegExp): string[] {
  const global = new RegExp(pattern, `${pattern.flags.replaceAll(/[gy]/g, '')}g`);
  const matchOf = patternMatcher(global);
  const found: string[] = [];
  while (found.length < mostMatches) {
    const match = matchOf(text);
    if (!match) break;
    const [whole, ...groups] = match;
    found.push((groups.find((group) => group !== undefined) ?? whole).trim());
    if (whole === '') global.lastIndex += 1;
  }
  return found;
}
