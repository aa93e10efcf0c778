import type { ReadTokens } from './read-tokens.ts';

/**
 * Where the tokens of a text start, in UTF-16 units, without those that the model added after it.
 * Nothing if the tokens are not those of the text.
 */
export function alignTokens(text: string, { tokens, offsets }: ReadTokens): number[] | undefined {
  const starts = byPieces(text, tokens) ?? (offsets && byOffsets(text, offsets));
  return starts?.filter((start) => start < text.length);
}

/**
 * By the tokens' own texts. A first token that is not in the text marks its beginning; one without
 * a text is what the others leave over.
 */
function byPieces(text: string, tokens: readonly string[]): number[] | undefined {
  const starts: number[] = [];
  let position = 0;
  for (const [index, token] of tokens.entries()) {
    starts.push(position);
    if (index === 0 && token === '') {
      const rest = tokens.join('');
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

/** By the offsets that the server gives, which count characters, not UTF-16 units. */
function byOffsets(text: string, offsets: readonly number[]): number[] {
  const starts: number[] = [];
  let unit = 0;
  let character = 0;
  for (const offset of offsets) {
    while (character < offset && unit < text.length) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      character++;
    }
    starts.push(unit);
  }
  return starts;
}
