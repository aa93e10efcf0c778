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
  const rows: DiffRow[] = [];
  let removed: string[] = [];
  const chunks = diffArrays(left.split('\n'), right.split('\n'));
  for (const [index, { value, added, removed: isRemoved }] of chunks.entries()) {
    if (isRemoved) {
      removed = value;
      if (!chunks[index + 1]?.added) rows.push(...pairLines(removed, []));
    } else if (added) {
      rows.push(...pairLines(chunks[index - 1]?.removed ? removed : [], value));
    } else {
      rows.push(...value.map((text) => sameRow(text)));
    }
  }
  return rows;
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
  const parts = diffWords(left.join('\n'), right.join('\n'));
  const leftLines = splitParts(parts.filter(({ type }) => type !== 'added'));
  const rightLines = splitParts(parts.filter(({ type }) => type !== 'removed'));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    left: leftLines[index],
    right: rightLines[index],
  }));
}

function only(type: DiffPart['type'], text: string): DiffPart[] {
  return [{ type, text }];
}

function splitParts(parts: readonly DiffPart[]): DiffPart[][] {
  const lines: DiffPart[][] = [[]];
  for (const { type, text } of parts) {
    text.split('\n').forEach((line, index) => {
      if (index > 0) lines.push([]);
      if (line !== '') lines.at(-1)?.push({ type, text: line });
    });
  }
  return lines;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words of any script; Japanese and Chinese have no spaces to go by. */
function wordsOf(text: string): string[] {
  return [...segmentText(segmenter, text)];
}
