/** The words of a text in lower case: letters and digits of ASCII only. */
function asciiWords(text: string): string {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
}

/**
 * Whether an answer holds the reference, as the original program judges it; null if there is
 * nothing to look for.
 */
export function holdsReference(reference: string | null, answer: string): boolean | null {
  const wanted = asciiWords(reference ?? '');
  return wanted === '' ? null : asciiWords(answer).includes(wanted);
}

/** The same with several references: one must hold the answer or be held by it. */
export function matchesReferences(
  references: readonly (string | null)[],
  answer: string,
): boolean | null {
  const wanted = references.map((reference) => asciiWords(reference ?? '')).filter(Boolean);
  if (wanted.length === 0) return null;
  const given = asciiWords(answer);
  if (given === '') return false;
  return wanted.some((reference) => given.includes(reference) || reference.includes(given));
}

/** Whether two answers say the same, apart from case, white space and punctuation. */
export function sameAnswer(left: string, right: string): boolean {
  return comparable(left) === comparable(right);
}

function comparable(answer: string): string {
  const words = answer
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? answer.trim() : words.join(' ');
}
