import { patternMatcher } from '../../../base/match-pattern.ts';
import { DataError } from '../../../errors.ts';
import { translatePattern } from '../../../python/pattern.ts';

/** `re.sub`: replaces the matches of a Python pattern, at most `count` of them unless that is 0. */
export function regexReplace(text: string, pattern: string, by: string, count: number): string {
  const matches = matchesIn(text, pattern, count === 0 ? Number.POSITIVE_INFINITY : count);
  let replaced = '';
  let position = 0;
  for (const match of matches) {
    replaced += text.slice(position, match.index) + expand(by, match);
    position = match.index + match[0].length;
  }
  return replaced + text.slice(position);
}

/** `re.findall`: the matches, one after the other. */
export function matchesIn(
  text: string,
  pattern: string,
  most = Number.POSITIVE_INFINITY,
): RegExpExecArray[] {
  const search = compiled(pattern);
  const match = patternMatcher(search);
  const found: RegExpExecArray[] = [];
  while (found.length < most) {
    const next = match(text);
    if (!next) break;
    found.push(next);
    // An empty match is passed by; it may stand right after another one.
    if (next[0] === '') search.lastIndex += (text.codePointAt(next.index) ?? 0) > 0xffff ? 2 : 1;
    if (search.lastIndex > text.length) break;
  }
  return found;
}

const known = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const found = known.get(pattern) ?? compile(pattern);
  known.set(pattern, found);
  found.lastIndex = 0;
  return found;
}

function compile(pattern: string): RegExp {
  try {
    const { source, flags } = translatePattern(pattern);
    return new RegExp(source, `${flags}g`);
  } catch (cause) {
    throw new DataError('lm_eval.bad_pattern', `the pattern \`${pattern}\` is not supported`, {
      hint: 'Some Python patterns do not exist in JavaScript: groups such as `(?i:…)` and `(?>…)`.',
      cause,
    });
  }
}

const reference = /\\(?:g<(\w+)>|(\d{1,2})|([\s\S]))/g;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

function expand(by: string, match: RegExpExecArray): string {
  return by.replace(reference, (whole, name?: string, index?: string, other?: string) => {
    const group = name ?? index;
    if (group === undefined) return escapes[other ?? ''] ?? whole;
    return (/^\d+$/.test(group) ? match[Number(group)] : match.groups?.[group]) ?? '';
  });
}
