// Control characters, marks that turn the direction of writing, and invisible characters: a
// terminal would obey the first two and hide the rest.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

/** Text with everything visible that a terminal would obey or hide, line ends included. */
export function showControls(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    if (character === '\t') return '⇥';
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '␡' : nameCharacter(character);
  });
}

/** White space with every character of it visible. */
export function showSpace(space: string): string {
  return showControls(space.replaceAll(' ', '␣').replace(/[^\S\t-\r]/g, nameCharacter));
}

/** JSON text that is safe to print: what JSON leaves as it is becomes an escape. */
export function escapeControls(json: string): string {
  return json.replace(unsafe, (character) =>
    character === '\n' ? '\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
