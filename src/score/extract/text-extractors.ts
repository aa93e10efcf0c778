import { patternMatcher } from '../../base/match-pattern.ts';
import { escapePattern, foldWidth } from '../text-matching.ts';
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

function firstLineFrom(text: string, start: number) {
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

/** What stands in the last `\boxed{…}`; of nested boxes, in the innermost. */
export const boxed: Extractor = {
  name: 'boxed',
  extract(text) {
    // Where each open brace's content starts; undefined where the brace opens no box.
    const open: (number | undefined)[] = [];
    let last: readonly [start: number, end: number] | undefined;
    for (const match of text.matchAll(/\\(?:boxed|fbox)\s*\{|\\[\s\S]|[{}]/g)) {
      const end = match.index + match[0].length;
      if (match[0] === '{') open.push(undefined);
      else if (match[0].length > 2) open.push(end);
      else if (match[0] === '}') {
        const start = open.pop();
        if (start !== undefined && start > (last?.[0] ?? -1)) last = [start, match.index];
      }
    }
    return last && trimmedSlice(text, ...last);
  },
};

/**
 * The rest of the line after the last of the markers, or the next line that is not blank. Case
 * and width of letters do not matter, nor does Markdown emphasis around the marker or the answer.
 *
 * @example
 * afterMarker(['Answer:']).extract('It is a sum.\n**Answer:** 42')?.value; // '42'
 */
export function afterMarker(markers: readonly string[]): Extractor {
  const anyMarker = new RegExp(
    markers.map((marker) => escapePattern(foldWidth(marker))).join('|'),
    'gi',
  );
  return {
    name: 'after-marker',
    extract(text) {
      const match = [...foldWidth(text).matchAll(anyMarker)].at(-1);
      if (!match) return undefined;
      const after = match.index + match[0].length;
      const skipped = /^[*_\s]*/.exec(text.slice(after))?.[0].length ?? 0;
      const line = firstLineFrom(text, after + skipped);
      if (!line) return undefined;
      let end = line.end;
      while (/[*_\s]/.test(text.charAt(end - 1))) end -= 1;
      return trimmedSlice(text, line.start, end);
    },
  };
}

/** The line that says what the answer is. */
export const answerLine: Extractor = afterMarker([
  ...['answer is', 'answer:', '答えは', '答え:', '正解は', '正解:', '答案是', '答案:'],
]);
