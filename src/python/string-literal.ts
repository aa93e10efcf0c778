const single: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapeSequence =
  /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;

/**
 * Reads the inside of a string literal: unknown escapes stay as they are. `refuse` is told of one
 * that is not the name of a character.
 */
export function readEscapes(body: string, refuse: (written: string) => never): string {
  if (!body.includes('\\')) return body;
  return body.replace(escapeSequence, (whole: string, ...groups: (string | undefined)[]) => {
    const [octal, two, four, eight, other] = groups;
    if (other !== undefined && !'xuUN'.includes(other)) return single[other] ?? whole;
    const hex = two ?? four ?? eight;
    const code = octal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : refuse(whole);
  });
}
