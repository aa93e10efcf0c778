import type { ReadTokens } from './read-tokens.ts';

/**
 * Where the tokens of a text start, in UTF-16 units, without those that the model added after it.
 * Nothing if they are not the tokens of this text, from its start to its end.
 */
export function alignTokens(
  text: string,
  { tokens, offsets, echo = text, isPrompt = false }: ReadTokens,
): number[] | undefined {
  const hidesFirst = isPrompt && tokens[0] === '';
  // Parts of characters fit many texts: that it is this one, the text that is repeated must say.
  const byPlaces = () =>
    (offsets && byOffsets(text, tokens, offsets)) ??
    byBytes(text, tokens, { hidesFirst, isWhole: isPrompt });
  const starts =
    byPieces(text, tokens, hidesFirst) ?? (echo.startsWith(text) ? byPlaces() : undefined);
  return starts?.filter((start) => start < text.length);
}

/**
 * By the tokens' own texts. A first token that is not in the text marks its start; one whose text is
 * not told is what the others leave over.
 */
function byPieces(
  text: string,
  tokens: readonly string[],
  hidesFirst: boolean,
): number[] | undefined {
  const starts: number[] = [];
  let position = 0;
  for (const [index, token] of tokens.entries()) {
    starts.push(position);
    if (index === 0 && hidesFirst) {
      const rest = tokens.slice(1).join('');
      position = text.endsWith(rest) ? text.length - rest.length : 0;
      continue;
    }
    if (position === text.length) continue;
    if (text.startsWith(token, position)) position += token.length;
    else if (token.startsWith(text.slice(position))) position = text.length;
    else if (index > 0) return undefined;
  }
  return position === text.length ? starts : undefined;
}

type Measure = (character: string) => number;

/** What the offsets of servers count. */
const measures: readonly Measure[] = [
  () => 1,
  (character) => character.length,
  (character) => Buffer.byteLength(character),
];

/** By the offsets that the server gives, if there the text has what the tokens say. */
function byOffsets(
  text: string,
  tokens: readonly string[],
  offsets: readonly number[],
): number[] | undefined {
  // Some servers count what marks the start, and some do not.
  const behindMark = offsets.map((offset, index) => (index === 0 ? 0 : offset - (offsets[1] ?? 0)));
  for (const places of [offsets, behindMark]) {
    for (const measure of measures) {
      const starts = toUnits(text, places, measure);
      if (starts && isCovered(text, tokens, starts)) return starts;
    }
  }
  return undefined;
}

/** Nothing if the places do not go from the start of the text to its end. */
function toUnits(text: string, places: readonly number[], measure: Measure): number[] | undefined {
  const starts: number[] = [];
  let unit = 0;
  let counted = 0;
  let last = 0;
  for (const place of places) {
    if (!(place >= last)) return undefined;
    while (counted < place && unit < text.length) {
      const character = String.fromCodePoint(text.codePointAt(unit) ?? 0);
      // Within a character: its bytes may be tokens of their own.
      if (counted + measure(character) > place) break;
      unit += character.length;
      counted += measure(character);
    }
    starts.push(unit);
    last = place;
  }
  return starts[0] === 0 ? starts : undefined;
}

/** Whether tokens that start at the same place are together what the text has there. */
function isCovered(text: string, tokens: readonly string[], starts: readonly number[]): boolean {
  for (let first = 0; first < tokens.length; ) {
    const start = starts[first] ?? 0;
    if (start === text.length) break;
    let next = first + 1;
    while (next < tokens.length && starts[next] === start) next++;
    const slice = text.slice(start, starts[next] ?? text.length);
    const own = tokens.slice(first, next);
    const isFirst = first === 0;
    const isText = (some: readonly string[]) =>
      fold(slice, isFirst) === fold(some.join(''), isFirst);
    const isSame = isText(own) || (isFirst && own.length > 1 && isText(own.slice(1)));
    if (!isSame && !own.some(isUnknown) && !byBytes(slice, own, { isWhole: true, isFirst })) {
      return false;
    }
    first = next;
  }
  return true;
}

/** As tokenizers see a text that they do not take as it is. */
function fold(text: string, isFirst: boolean): string {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s▁Ġ]+/g, ' ');
  return isFirst ? folded.trimStart() : folded;
}

const isUnknown = (token: string) => /^(?:<unk>|\[UNK\])$/.test(token.trim());
const isMark = (token: string) => /^(?:<[^<>]*>|\[[^[\]]*\])$/.test(token);

interface ByteOptions {
  readonly hidesFirst?: boolean;
  /** Whether all tokens are those of the text. */
  readonly isWhole?: boolean;
  /** Whether nothing stands before. */
  readonly isFirst?: boolean;
}

/** The longest token of which a tokenizer is known, and some more. */
const longestToken = 512;

/**
 * By their bytes, where tokens are parts of characters: what is not told of these, the tokens around
 * them say.
 */
function byBytes(
  text: string,
  tokens: readonly string[],
  { hidesFirst = false, isWhole = false, isFirst = true }: ByteOptions,
): number[] | undefined {
  const bytes = Buffer.from(text);
  /** For each token where it may end, and where it then starts. */
  const steps: Map<number, number>[] = [];
  let ends: Iterable<number> = [0];
  for (const [index, token] of tokens.entries()) {
    const step = new Map<number, number>();
    for (const start of ends) {
      for (const end of endsOf(bytes, start, token)) if (!step.has(end)) step.set(end, start);
    }
    const unknown = index === 0 && hidesFirst ? Math.min(longestToken, bytes.length) : 0;
    for (let end = 1; end <= unknown; end++) step.set(end, 0);
    const marksStart = isFirst && (index === 0 || (steps.at(-1)?.has(0) && isMark(token)));
    if (marksStart && !step.has(0)) step.set(0, 0);
    if (step.size === 0) break;
    steps.push(step);
    ends = step.keys();
  }
  // Of several readings the one is taken that leaves the model one token of its own.
  const all = tokens.length;
  const counts = isWhole ? [all] : [all - 1, all, ...[...steps.keys()].reverse()];
  const count = counts.find((one) => steps[one - 1]?.has(bytes.length));
  if (count === undefined) return undefined;
  const units = unitsOf(text);
  const starts: number[] = [];
  for (let end = bytes.length; starts.length < count; ) {
    end = steps[count - 1 - starts.length]?.get(end) ?? 0;
    starts.push(units[end] ?? text.length);
  }
  return starts.reverse();
}

/** The character, by its first UTF-16 unit, to which each byte belongs. */
function unitsOf(text: string): number[] {
  const units: number[] = [];
  let unit = 0;
  for (const character of text) {
    for (let byte = Buffer.byteLength(character); byte > 0; byte--) units.push(unit);
    unit += character.length;
  }
  return units;
}

/** Where a token may end that starts at a byte of a text. */
function endsOf(bytes: Buffer, start: number, token: string): Iterable<number> {
  for (const spelling of spellingsOf(token)) {
    const end = Math.min(start + spelling.length, bytes.length);
    if (end > start && bytes.subarray(start, end).equals(spelling.subarray(0, end - start)))
      return [end];
  }
  if (token === '') return behindParts(bytes, new Set([start]), { least: 0, most: 3 });
  let ends = new Set([start]);
  for (const piece of token.split(/(\ufffd+)/)) {
    if (piece.startsWith('\ufffd')) {
      ends = behindParts(bytes, ends, { least: piece.length, most: 3 * piece.length });
    } else {
      const literal = Buffer.from(piece);
      const behind = [...ends].map((end) => end + literal.length);
      ends = new Set(
        behind.filter((end) => bytes.subarray(end - literal.length, end).equals(literal)),
      );
    }
  }
  return ends;
}

/** Parts of characters are no ASCII. */
function behindParts(
  bytes: Buffer,
  starts: ReadonlySet<number>,
  { least, most }: { readonly least: number; readonly most: number },
): Set<number> {
  const ends = new Set<number>();
  for (const start of starts) {
    for (let length = 0; length <= most && start + length <= bytes.length; length++) {
      if (length > 0 && (bytes[start + length - 1] ?? 0) < 0x80) break;
      if (length >= least) ends.add(start + length);
    }
  }
  return ends;
}

/** The bytes of a token, in the ways in which servers write those that are no text. */
function spellingsOf(token: string): Buffer[] {
  const [, listed] = /^bytes:(.+)$/s.exec(token) ?? [];
  const [, single] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? [];
  const spellings = [Buffer.from(token)];
  if (single) spellings.push(Buffer.from(single, 'hex'));
  if (listed) {
    const parts = listed.match(/\\x[0-9a-f]{2}|./gs) ?? [];
    const read = (part: string) =>
      part.length === 4 ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part);
    spellings.push(Buffer.concat(parts.map(read)));
  }
  return spellings;
}
