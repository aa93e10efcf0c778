const name =
  '(?:(?:api|access|auth|private|secret)[_-]?(?:key|token)|password|secret|credentials?|authorization)';
const scheme = String.raw`(?:bearer|basic)\s+`;

/** Passwords and keys. User names and passwords of addresses end with their `@`. */
const secret = new RegExp(
  [
    String.raw`(?<=:\/\/)[^\s"'\`]*@`,
    String.raw`(?<=:\/\/[^\s"'\`]*[?&](?!(?:api-)?version=)[\w.-]+=)[^&#\s"'\`]+`,
    String.raw`(?<=${name}["']?\s*[:=]\s*["'\`]?(?:${scheme})?)(?!${scheme})[^\s"'\`,}]+`,
    String.raw`\b(?:sk|pk|hf|ghp|gsk|xai)[-_][\w-]{8,}`,
  ].join('|'),
  'gi',
);

/** Puts `***` in place of passwords and keys in a line. The index stays at its character. */
export function maskSecrets(line: string, index: number): { line: string; index: number } {
  let shownIndex = index;
  const shown = line.replace(secret, (found: string, offset: number) => {
    const mask = found.endsWith('@') ? '***@' : '***';
    if (offset + found.length <= index) shownIndex += mask.length - found.length;
    else if (offset < index) shownIndex -= index - offset;
    return mask;
  });
  return { line: shown, index: shownIndex };
}
