/** What cannot be seen, with a sign for each. */
const signs: Readonly<Record<string, string>> = { '\n': '⏎\n', '\t': '⇥\t', ' ': '·' };
const invisible =
  /[\n\t \u00a0\u3000]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text as it is; control characters have a sign always, white space on demand. */
export function ShownText({
  text,
  showsSpace,
}: {
  readonly text: string;
  readonly showsSpace: boolean;
}) {
  const pattern = showsSpace ? invisible : dangerous;
  const parts = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > last) parts.push(text.slice(last, index));
    parts.push(
      <span class="space" key={index}>
        {signOf(found)}
      </span>,
    );
    last = index + found.length;
  }
  if (last === 0) return <>{text}</>;
  parts.push(text.slice(last));
  return <>{parts}</>;
}

function signOf(character: string): string {
  const known = signs[character];
  if (known !== undefined) return known;
  if (character === '\u00a0') return '⍽';
  if (character === '\u3000') return '□';
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `<U+${code}>`;
}
