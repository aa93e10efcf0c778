/** Where a text stands in a value. */
export type TextPath = readonly (string | number)[];

export interface CutText {
  readonly path: (string | number)[];
  readonly length: number;
}

/** How a long text is cut. */
interface Cutting {
  readonly longest: number;
  readonly shorten: (text: string) => string;
}

/** A file keeps both ends: a question is at the end of a prompt, a conclusion at that of an answer. */
export const keptEnds: Cutting = {
  longest: 12_000,
  shorten: (text) => {
    const left = text.length - 12_000;
    return `${text.slice(0, 6000)}\n[… ${left} characters left out …]\n${text.slice(-6000)}`;
  },
};

const pieceLength = 40_000;
/** A server has the rest. */
const inPieces: Cutting = { longest: 60_000, shorten: (text) => piece(text, 0) };

/** A value whose long texts are cut, and where they were. */
export function cutTexts<Value>(
  value: Value,
  { longest, shorten }: Cutting = inPieces,
): { readonly value: Value; readonly cut: CutText[] } {
  const cut: CutText[] = [];
  if (!holdsLonger(value, longest)) return { value, cut };
  const path: (string | number)[] = [];
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') {
      if (part.length <= longest) return part;
      cut.push({ path: [...path], length: part.length });
      return shorten(part);
    }
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((item, index) => walkAt(index, item));
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walkAt(key, item)]));
  };
  const walkAt = (key: string | number, item: unknown): unknown => {
    path.push(key);
    const walked = walk(item);
    path.pop();
    return walked;
  };
  return { value: walk(value) as Value, cut };
}

function holdsLonger(value: unknown, longest: number): boolean {
  if (typeof value === 'string') return value.length > longest;
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    if (holdsLonger((value as Readonly<Record<string, unknown>>)[key], longest)) return true;
  }
  return false;
}

/** A piece of a text from a character on; no character is cut in two. */
export function piece(text: string, from: number): string {
  let end = Math.min(text.length, from + pieceLength);
  const last = text.charCodeAt(end - 1);
  if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
  return text.slice(from, end);
}

/** The text at a path; nothing if there is none. */
export function textAt(value: unknown, path: TextPath): string | undefined {
  let part = value;
  for (const key of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string | number, unknown>)[key];
  }
  return typeof part === 'string' ? part : undefined;
}

export const excerptLength = 240;

/** Lists show a line: white space counts as one space. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, excerptLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
