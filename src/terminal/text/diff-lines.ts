import { diffArrays } from 'diff';
import { segmentText } from './segment-text.ts';

/** A stretch of text that two texts share, or that only one of them has. */
export interface DiffPart {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A line of each text, side by side; undefined where one text has no line. */
export interface DiffRow {
  readonly left: readonly DiffPart[] | undefined;
  readonly right: readonly DiffPart[] | undefined;
}

/** Puts two texts side by side line by line, with the differences in words. */
export function diffLines(left: string, right: string): DiffRow[] {
  const chunks = diffArrays(left.split('\n'), right.split('\n'));
  return chunks.flatMap(({ value, added, removed }, index) => {
    if (removed) return chunks[index + 1]?.added ? [] : pairLines(value, []);
    if (!added) return value.map(sameRow);
    const before = chunks[index - 1];
    return pairLines(before?.removed ? before.value : [], value);
  });
}

/** Texts with more differences than this have nothing in common that is worth finding. */
const maxEdits = 4000;

/** The differences between two texts, word by word, white space included. */
export function diffWords(left: string, right: string): DiffPart[] {
  const changes = diffArrays(wordsOf(left), wordsOf(right), { maxEditLength: maxEdits });
  if (!changes) return [...only('removed', left), ...only('added', right)];
  return changes.map(({ value, added, removed }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

function sameRow(text: string): DiffRow {
  const parts: DiffPart[] = [{ type: 'same', text }];
  return { left: parts, right: parts };
}

function pairLines(left: readonly string[], right: readonly string[]): DiffRow[] {
  if (left.length === 0)
    return right.map((text) => ({ left: undefined, right: only('added', text) }));
  if (right.length === 0)
    return left.map((text) => ({ left: only('removed', text), right: undefined }));
  return alignLines(left, right).map(([before, after]) => {
    if (before === undefined) return { left: undefined, right: only('added', after ?? '') };
    if (after === undefined) return { left: only('removed', before), right: undefined };
    const parts = diffWords(before, after);
    return {
      left: parts.filter(({ type }) => type !== 'added'),
      right: parts.filter(({ type }) => type !== 'removed'),
    };
  });
}

type LinePair = readonly [left: string | undefined, right: string | undefined];

/** More lines than this are put side by side in their order. */
const maxPairs = 40_000;

/** Puts lines beside each other that have most words in common; lines in between stand alone. */
function alignLines(left: readonly string[], right: readonly string[]): LinePair[] {
  if (left.length * right.length > maxPairs) {
    const length = Math.max(left.length, right.length);
    return Array.from({ length }, (_, index): LinePair => [left[index], right[index]]);
  }
  const words = [left, right].map((lines) => lines.map((line) => new Set(wordsOf(line))));
  const gains = left.map((_, i) => right.map((__, j) => likeness(words[0]?.[i], words[1]?.[j])));
  const best = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const paired = (gains[i]?.[j] ?? 0) + at(i + 1, j + 1);
      (best[i] as number[])[j] = Math.max(paired, at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const canPair = i < left.length && j < right.length;
    if (canPair && at(i, j) === (gains[i]?.[j] ?? 0) + at(i + 1, j + 1))
      pairs.push([left[i++], right[j++]]);
    else if (i < left.length && (j >= right.length || at(i, j) === at(i + 1, j)))
      pairs.push([left[i++], undefined]);
    else pairs.push([undefined, right[j++]]);
  }
  return pairs;
}

/** Between 0 and 1; a little above 0 for lines with nothing in common, which may stand together. */
function likeness(left: ReadonlySet<string> = new Set(), right: ReadonlySet<string> = new Set()) {
  const shared = [...left].filter((word) => right.has(word)).length;
  return 0.001 + (2 * shared) / Math.max(1, left.size + right.size);
}

function only(type: DiffPart['type'], text: string): DiffPart[] {
  return [{ type, text }];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words of any script; Japanese and Chinese have no spaces to go by. */
function wordsOf(text: string): string[] {
  return [...segmentText(segmenter, text)];
}
