import { patternMatcher } from '../../base/match-pattern.ts';
import { type Extractor, trimmedSlice } from './extractor.ts';

/** The whole answer without white space around it. */
export const trimmed: Extractor = {
  name: 'trimmed',
  extract: (text) => trimmedSlice(text, 0, text.length),
};

/** The first line that is not blank. */
export const firstLine: Extractor = {
  name: 'first-line',
  extract: (text) => firstLineFrom(text, 0),
};

/** The last line that is not blank. */
export const lastLine: Extractor = {
  name: 'last-line',
  extract(text) {
    const whole = text.trimEnd();
    const start = Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1;
    return trimmedSlice(whole, start, whole.length);
  },
};

export function firstLineFrom(text: string, start: number) {
  const line = /[^\s][^\n\r]*/g;
  line.lastIndex = start;
  const match = line.exec(text);
  return match ? trimmedSlice(text, match.index, line.lastIndex) : undefined;
}

/**
 * What the pattern's group matches first; by default its first group if it has one, else all of
 * the match.
 *
 * @example
 * regex(/= (\d+)/).extract('6 × 7 = 42'); // { value: '42', start: 8, end: 10 }
 */
export function regex(pattern: RegExp, group?: number | string): Extractor {
  const matchOf = patternMatcher(new RegExp(pattern, `${pattern.flags.replace(/[gyd]/g, '')}d`));
  return {
    name: 'regex',
    extract(text) {
      const match = matchOf(text);
      const key = group ?? (match && match.length > 1 ? 1 : 0);
      const span = typeof key === 'number' ? match?.indices?.[key] : match?.indices?.groups?.[key];
      return span && trimmedSlice(text, ...span);
    },
  };
}
