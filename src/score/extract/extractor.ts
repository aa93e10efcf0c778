/** What was found in an answer, and the characters it was read from. */
export interface Extraction {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the part of an answer that is to be compared, or nothing. Never throws, but for a pattern
 * that takes too long.
 */
export interface Extractor {
  readonly name: string;
  /** `openings` are the texts that questions begin with where the answer was asked for. */
  readonly extract: (text: string, openings?: readonly string[]) => Extraction | undefined;
}

/** The outcome of a chain; `tried` names its extractors up to the one that found something. */
export interface ChainResult {
  readonly found: Extraction | undefined;
  readonly tried: readonly string[];
}

/**
 * Tries extractors in order; the first that finds something wins.
 *
 * @example
 * runChain([boxed, lastNumber], 'It is 41 or 42.');
 * // { found: { value: '42', start: 12, end: 14 }, tried: ['boxed', 'last-number'] }
 */
export function runChain(
  extractors: readonly Extractor[],
  text: string,
  openings?: readonly string[],
): ChainResult {
  let tried = 0;
  for (const { extract } of extractors) {
    tried++;
    const found = extract(text, openings);
    if (found) return { found, tried: namesOf(extractors, tried) };
  }
  return { found: undefined, tried: namesOf(extractors, tried) };
}

function namesOf(extractors: readonly Extractor[], count: number): readonly string[] {
  return extractors.slice(0, count).map(({ name }) => name);
}

/**
 * Applies `inner` to what `outer` finds.
 *
 * @example
 * within(lastLine, firstNumber).extract('1 + 1 = 2\nSo it is 2 of 3.')?.value; // '2'
 */
export function within(outer: Extractor, inner: Extractor): Extractor {
  return {
    name: `${outer.name} → ${inner.name}`,
    extract(text) {
      const part = outer.extract(text);
      const found = part && inner.extract(part.value);
      if (!found) return undefined;
      const { value } = found;
      const isVerbatim = text.startsWith(part.value, part.start);
      if (!isVerbatim) return { value, start: part.start, end: part.end };
      return { value, start: part.start + found.start, end: part.start + found.end };
    },
  };
}

/** The stretch of a text without the white space around it; nothing if there is no more to it. */
export function trimmedSlice(text: string, start: number, end: number): Extraction | undefined {
  const slice = text.slice(start, end);
  const value = slice.trim();
  if (value === '') return undefined;
  const from = start + slice.length - slice.trimStart().length;
  return { value, start: from, end: from + value.length };
}

/** Several extractors as one: what the first of them finds that finds anything. */
export function firstOf(name: string, extractors: readonly Extractor[]): Extractor {
  return { name, extract: (text) => runChain(extractors, text).found };
}
