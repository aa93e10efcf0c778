import { patternMatcher } from '../../base/match-pattern.ts';

/** Where in a judge's reply its verdict is written. */
export interface VerdictPattern {
  readonly pattern: RegExp;
  /** Which one counts if it is written several times; left out, all have to say the same. */
  readonly take?: 'first' | 'last' | undefined;
}

/** A reply that is longer in matches than this says nothing. */
const mostMatches = 1000;

interface FoundVerdict {
  readonly text: string;
  /** More of the reply could make another one of it: it stands at the end, or a later one counts. */
  readonly mayGoOn: boolean;
}

/** What the pattern finds: its first group that matched, or all of the match. */
export function findVerdict(
  reply: string,
  { pattern, take }: VerdictPattern,
): FoundVerdict | { readonly problem: string } {
  const found = allMatches(reply, pattern);
  const counted = take === undefined ? found : found.slice(take === 'last' ? -1 : 0).slice(0, 1);
  const [first] = counted;
  if (!first) return { problem: '' };
  const mayGoOn = take === 'last' || counted.some(({ end }) => end >= reply.length);
  const differs = counted.some(({ text }) => text !== first.text);
  return differs ? { problem: 'several that differ' } : { text: first.text, mayGoOn };
}

interface Match {
  readonly text: string;
  readonly end: number;
}

function allMatches(text: string, pattern: RegExp): Match[] {
  const global = new RegExp(pattern, `${pattern.flags.replaceAll(/[dgy]/g, '')}dg`);
  const matchOf = patternMatcher(global);
  const found: Match[] = [];
  while (found.length < mostMatches) {
    const match = matchOf(text);
    if (!match) break;
    const group = Math.max(
      0,
      match.findIndex((part, index) => index > 0 && part !== undefined),
    );
    const end = match.indices?.[group]?.[1] ?? text.length;
    found.push({ text: (match[group] ?? '').trim(), end });
    if (match[0] === '') global.lastIndex += 1;
  }
  return found;
}
