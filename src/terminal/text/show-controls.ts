import { unsafeRun } from '../../base/format.ts';

/** Text with everything visible that a terminal would obey or hide, line ends included. */
export function showControls(text: string): string {
  return text.replace(unsafeRun, (run) => Array.from(run, showCharacter).join(''));
}

function showCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\t') return '⇥';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : nameCharacter(character);
}

/** The same for each line of a text. */
export function showLines(text: string): string {
  return text.split('\n').map(showControls).join('\n');
}

/** White space with every character of it visible. */
export function showSpace(space: string): string {
  return showControls(space.replaceAll(' ', '␣').replace(/[^\S\t-\r]/g, nameCharacter));
}

/** JSON text that is safe to print: what JSON leaves as it is becomes an escape. */
export function escapeControls(json: string): string {
  return json.replace(unsafeRun, (run) => run.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
