import { hash } from 'node:crypto';

/** Bytes in base64: said to be it; or long, without a space, and in letters of both cases. */
const bytes = /(?<=;base64,)[A-Za-z0-9+/_-]{24,}={0,2}|[A-Za-z0-9+/_-]{256,}={0,2}/g;

/** A text without the bytes that it holds in base64: their length and hash stand in their place. */
export function hideBase64(text: string): string {
  if (text.length < 32) return text;
  return text.replace(bytes, (found, at: number) => {
    const isSaid = text.startsWith(';base64,', at - 8);
    if (!isSaid && !(/[a-z]/.test(found) && /[A-Z]/.test(found))) return found;
    const sha256 = hash('sha256', Buffer.from(found, 'base64'), 'hex');
    return `… (${found.length} characters, sha256 ${sha256.slice(0, 16)})`;
  });
}

/** The same for every text in a value. */
export function hideBase64In(value: unknown): unknown {
  if (typeof value === 'string') return hideBase64(value);
  if (Array.isArray(value)) return value.map(hideBase64In);
  const prototype: unknown =
    typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, hideBase64In(item)]),
  );
}
