import { isBlank, leadingSpace, trailingSpace } from '../../python/text.ts';
import { spendCharacters, spendItems, spendSearch } from './budget.ts';
import { classes, type TextValue } from './library.ts';

/** What can be asked about a content without seeing the rest of it. */
export type Question = 'includes' | 'startsWith' | 'endsWith';

export type Answer = (slot: Slot, question: Question, part: string) => boolean;

/** A stretch that was copied from the content of a message. */
export interface Slot {
  readonly message: number;
  /** The copied characters; undefined stands for any content that is not blank. */
  readonly text: string | undefined;
  /** Answers questions about a content that is not known. */
  readonly answer: Answer | undefined;
  /** Where the characters start in the content. */
  readonly from: number;
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
}

export type Part = string | Slot;

/** The template looks at a content whose characters are not known. */
export class UnknownText extends Error {}

function textOfPart(part: Part): string {
  if (typeof part === 'string') return part;
  if (part.text === undefined) throw new UnknownText();
  return part.text;
}

/** A string that remembers which of its characters came from which message. */
export class Rope extends classes.Text {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    super('');
    this.parts = parts;
    // Operations that do not know about ropes read the value: they get plain text, or are stopped.
    Object.defineProperty(this, 'value', {
      get: () => {
        spendItems(parts.length);
        return parts.map(textOfPart).join('');
      },
    });
  }

  override __bool__() {
    const isFull = (part: Part) => (typeof part === 'string' ? part : part.text) !== '';
    return { value: this.parts.some(isFull) };
  }
}

/** Whether a text has, starts with or ends with a part. */
export function ask(text: TextValue, question: Question, part: string): boolean {
  const [first, second] = text instanceof Rope ? text.parts : [];
  const slot = typeof first === 'object' && second === undefined ? first : undefined;
  if (slot?.text === undefined && slot?.answer) return slot.answer(slot, question, part);
  const { value } = text;
  spendSearch(value, part);
  return value[question](part);
}

export function partsOf(text: TextValue): readonly Part[] {
  return text instanceof Rope ? text.parts : [text.value];
}

/** How many characters of a text are known, at least one for each part. */
export function sizeOf(text: TextValue): number {
  if (!(text instanceof Rope)) return text.value.length;
  return text.parts.reduce((size, part) => size + sizeOfPart(part), 0);
}

function sizeOfPart(part: Part): number {
  return (typeof part === 'string' ? part : part.text)?.length || 1;
}

/** Two parts as one, if they are text of the template or follow each other in a content. */
function mergeParts(left: Part, right: Part): Part | undefined {
  if (typeof left === 'string' || typeof right === 'string') {
    return typeof left === typeof right ? `${left}${right}` : undefined;
  }
  if (left.text === undefined || right.text === undefined) return undefined;
  const follows = left.message === right.message && left.from + left.text.length === right.from;
  return follows ? { ...left, text: left.text + right.text } : undefined;
}

/** Puts parts together, which is a rope only if some came from messages. */
export function textFrom(parts: readonly Part[]): TextValue {
  const merged: Part[] = [];
  for (const part of parts) {
    spendCharacters(sizeOfPart(part));
    const last = merged.at(-1);
    const both = last === undefined ? undefined : mergeParts(last, part);
    if (both !== undefined) merged[merged.length - 1] = both;
    else if (part !== '') merged.push(part);
  }
  const [only = ''] = merged;
  return merged.length <= 1 && typeof only === 'string' ? new classes.Text(only) : new Rope(merged);
}

export function joinTexts(texts: readonly TextValue[], separator?: TextValue): TextValue {
  const between = separator ? partsOf(separator) : [];
  if (separator) {
    spendCharacters(texts.length * sizeOf(separator));
    spendItems(texts.length * between.length);
  }
  return textFrom(
    texts.flatMap((text, index) => (index === 0 ? partsOf(text) : [...between, ...partsOf(text)])),
  );
}

/** The characters from `start` to `end`, counted in UTF-16 units. */
export function sliceText(text: TextValue, start: number, end: number): TextValue {
  if (!(text instanceof Rope)) return new classes.Text(text.value.slice(start, end));
  let position = 0;
  const parts: Part[] = [];
  for (const part of text.parts) {
    const whole = textOfPart(part);
    const first = Math.max(start - position, 0);
    const cut = whole.slice(first, Math.max(end - position, 0));
    position += whole.length;
    if (typeof part === 'string') parts.push(cut);
    else if (cut !== '') parts.push({ ...part, text: cut, from: part.from + first });
  }
  return textFrom(parts);
}

/** Python's `strip`, `lstrip` and `rstrip` of white space, also where contents are not known. */
export function trimText(
  text: TextValue,
  { start, end }: { start: boolean; end: boolean },
): TextValue {
  let parts = partsOf(text);
  if (start) parts = trimEdge(parts, 'trimStart');
  if (end) parts = trimEdge(parts.toReversed(), 'trimEnd').toReversed();
  return textFrom(parts);
}

function trimEdge(parts: readonly Part[], edge: 'trimStart' | 'trimEnd'): readonly Part[] {
  const isEmptied = (part: Part) => {
    const text = typeof part === 'string' ? part : part.text;
    return text !== undefined && isBlank(text);
  };
  const index = parts.findIndex((part) => !isEmptied(part));
  const part = parts[index];
  if (part === undefined) return [];
  return [trimPart(part, edge), ...parts.slice(index + 1)];
}

function trimPart(part: Part, edge: 'trimStart' | 'trimEnd'): Part {
  if (typeof part !== 'string' && part.text === undefined) return { ...part, [edge]: true };
  const text = textOfPart(part);
  const first = edge === 'trimStart' ? leadingSpace(text) : 0;
  const cut = text.slice(first, edge === 'trimEnd' ? trailingSpace(text) : undefined);
  return typeof part === 'string' ? cut : { ...part, text: cut, from: part.from + first };
}
