/** Where a text stands in a value. */
export type TextPath = readonly (string | number)[];

export interface CutText {
  readonly path: (string | number)[];
  readonly length: number;
}

/** Texts longer than this come in pieces. */
const longText = 60_000;
export const pieceLength = 40_000;

/** A value whose long texts are cut, and where they were. */
export function cutTexts<Value>(value: Value): { readonly value: Value; readonly cut: CutText[] } {
  const cut: CutText[] = [];
  const walk = (part: unknown, path: TextPath): unknown => {
    if (typeof part === 'string') {
      if (part.length <= longText) return part;
      cut.push({ path: [...path], length: part.length });
      return piece(part, 0);
    }
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...path, index]));
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]),
    );
  };
  return { value: walk(value, []) as Value, cut };
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
