/** A UTF-16 unit takes up so many bytes of UTF-8 at most. */
export const mostBytesOfUnit = 3;
/** A buffer for more would be kept for good. */
const mostBytes = 1 << 21;

let room = Buffer.allocUnsafeSlow(1 << 16);

/**
 * Room for bytes, which are good until somebody asks for room again: to make it anew takes longer than to hash what is
 * in it. Nothing for very many.
 */
export function roomFor(bytes: number): Buffer | undefined {
  if (bytes > mostBytes) return undefined;
  if (room.length < bytes) room = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
  return room;
}

/** Texts and bytes one behind the other, as UTF-8, in that room. */
export function joinedBytes(parts: readonly (string | Buffer)[]): Buffer | undefined {
  let most = 0;
  for (const part of parts) {
    most += part.length * (typeof part === 'string' ? mostBytesOfUnit : 1);
  }
  const target = roomFor(most);
  if (!target) return undefined;
  let end = 0;
  for (const part of parts) {
    end += typeof part === 'string' ? target.write(part, end) : part.copy(target, end);
  }
  return target.subarray(0, end);
}
