/** What keys of well-known services look like. */
const known = String.raw`(?<![\w-])(?:sk|pk|rk|hf|ghp|gho|github_pat|glpat|gsk|xai|csk|nvapi|pplx|r8|fw|tgp)[-_](?=[\w-]*\d)[\w-]{12,}|(?<![\w-])(?:AIza|AKIA)(?=[\w-]*\d)[\w-]{12,}`;
const pattern = new RegExp(known);
const patterns = new RegExp(known, 'g');

export const hidden = '***';

/** Whether a text holds what looks like a key of a well-known service. */
export function holdsKey(text: string): boolean {
  return pattern.test(text);
}

/** Puts `***` in place of what looks like a key of a well-known service. */
export function hideKeys(text: string): string {
  return text.replaceAll(patterns, hidden);
}

/** Whether a text is no name of an environment variable, but may be the key that one should hold. */
export function isKeyAsName(name: string): boolean {
  const isName = /^[A-Za-z_]\w*$/.test(name);
  return !isName || holdsKey(name) || (/^[^_]{20,}$/.test(name) && /\d/.test(name));
}

const secretName =
  /^(?:x-)?(?:[a-z]+[-_])?(?:api[-_]?key|access[-_]?key|secret[-_]?key|auth[-_]?token|access[-_]?token|api[-_]?token)$|^(?:key|token|secret|password|passwd|credentials?|(?:proxy-)?authorization|auth|bearer|(?:set-)?cookie)$/i;

/** Whether what stands under a name is secret by that name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
