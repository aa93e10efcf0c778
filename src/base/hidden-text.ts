import { hash } from 'node:crypto';

/** Bytes in base64: said to be it; or long, without a space, and in letters of both cases. */
const bytes = /(?<=;base64,)[A-Za-z0-9+/_-]{24,}={0,2}|[A-Za-z0-9+/_-]{256,}={0,2}/g;

/** A text without the bytes that it holds in base64: their length and hash stand in their place. */
export function hideBase64(text: string): string {
  if (text.length < 32 || !holdsRun(text)) return text;
  return text.replace(bytes, (found, at: number) => {
    const isSaid = text.startsWith(';base64,', at - 8);
    if (!isSaid && !(/[a-z]/.test(found) && /[A-Z]/.test(found))) return found;
    const sha256 = hash('sha256', Buffer.from(found, 'base64'), 'hex');
    return `… (${found.length} characters, sha256 ${sha256.slice(0, 16)})`;
  });
}

const fewestBytes = 24;
const alphabet = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-') {
  alphabet[sign.charCodeAt(0)] = 1;
}

/** Whether signs of base64 follow each other for long enough; most signs of other texts are not looked at. */
function holdsRun(text: string): boolean {
  let start = 0;
  while (start + fewestBytes <= text.length) {
    let at = start + fewestBytes - 1;
    while (at >= start && alphabet[text.charCodeAt(at)] === 1) at -= 1;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
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

/** What keys of well-known services look like. Names of configs begin with `hf_` too, and go on in words. */
const known = String.raw`(?<![\w-])(?:sk|pk|rk|ghp|gho|github_pat|glpat|gsk|xai|csk|nvapi|pplx|r8|fw|tgp)[-_](?=[\w-]*\d)[\w-]{12,}|(?<![\w-])hf_(?=[A-Za-z\d]*\d)[A-Za-z\d]{12,}(?![\w-])|(?<![\w-])(?:AIza|AKIA)(?=[\w-]*\d)[\w-]{12,}`;
/** Finds what looks like a key of a well-known service. */
export const keyPattern = new RegExp(known);
const patterns = new RegExp(known, 'g');

export const hidden = '***';

/** Puts `***` in place of what looks like a key of a well-known service. */
export function hideKeys(text: string): string {
  return text.replaceAll(patterns, hidden);
}

/** Whether a text is no name of an environment variable, but may be the key that one should hold. */
export function isKeyAsName(name: string): boolean {
  const isName = /^[A-Za-z_]\w*$/.test(name);
  return !isName || isKey(name);
}

/** Whether a name is a key of a well-known service, or long, with digits, and not made of words. */
export function isKey(name: string): boolean {
  return keyPattern.test(name) || (/^[^_-]{20,}$/.test(name) && /\d/.test(name));
}

/** The names of what is secret by its name. */
export const secretName =
  /^(?:x-)?(?:[a-z]+[-_])?(?:api[-_]?key|access[-_]?key|secret[-_]?key|auth[-_]?token|access[-_]?token|api[-_]?token)$|^(?:key|token|secret|password|passwd|credentials?|(?:proxy-)?authorization|auth|bearer|(?:set-)?cookie)$/i;
