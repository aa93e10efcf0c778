import type { Piece } from './cut-pieces.ts';

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const backslash = 0x5c;
const opening = 0x7b;
const closing = 0x7d;
const space = 0x20;
const carriageReturn = 0x0d;

/**
 * Tells whether no row begins or ends with a number that has an exponent. It looks at a few bytes of
 * each row, which is much faster than looking for exponents everywhere, and says no if they are laid
 * out in an unusual way.
 */
export function areEndsWithoutExponents({ list, ends }: Piece): boolean {
  let start = 1;
  for (const end of ends) {
    const last = list[end - 1] === carriageReturn ? end - 2 : end - 1;
    if (!isFirstPlain(list, start) || !isLastPlain(list, last)) return false;
    start = end + 1;
  }
  return true;
}

function isFirstPlain(list: Buffer, start: number): boolean {
  if (list[start] !== opening || list[start + 1] !== quote) return false;
  let at = start + 2;
  while (at < list.length && list[at] !== quote && list[at] !== backslash) at += 1;
  if (list[at] !== quote || list[at + 1] !== colon) return false;
  at += list[at + 2] === space ? 3 : 2;
  if (list[at] === quote) return true;
  if (list[at] === minus) at += 1;
  while (isPlain(list[at] as number)) at += 1;
  return list[at] === comma || list[at] === closing;
}

function isLastPlain(list: Buffer, last: number): boolean {
  if (list[last] !== closing) return false;
  let at = last - 1;
  if (list[at] === quote) return true;
  if (!isPlain(list[at] as number)) return false;
  while (isPlain(list[at] as number)) at -= 1;
  if (list[at] === minus) at -= 1;
  return list[at] === colon || list[at] === space;
}

function isPlain(byte: number): boolean {
  return (byte >= zero && byte <= nine) || byte === dot;
}
