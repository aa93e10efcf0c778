import { pythonSpace, stripText } from '../../python/text.ts';

export interface FirstOptionSettings {
  /** The option letters, such as `'ABCD'`. */
  readonly options: string;
  /** Whether any option letter will do when no phrase is found; true by default. */
  readonly cushion?: boolean;
}

// Tried in this order. `X` is a captured option, `O` an option not captured, `~` any whitespace,
// `_` at most one, `\s` (in brackets only) one. Odd entries are as they are in OpenCompass.
const patterns = [
  '答案是?~X',
  '答案是?~：~X',
  '答案是?~:~X',
  '答案选项应?该?是~X',
  '答案选项应?该?为~X',
  '答案应该?是~X',
  '答案应该?选~X',
  '答案选项为?~：~X',
  '答案选项为?[\\s]+\\(?\\*?\\*?X\\*?\\*?\\)?',
  '答案选项是?~:~X',
  '答案为~X',
  '答案选~X',
  '选择?~X',
  '故选?~X只有选?项?_X_是?对',
  '只有选?项?_X_是?错',
  '只有选?项?_X_不?正确',
  '只有选?项?_X_错误',
  '说法不?对选?项?的?是_X',
  '说法不?正确选?项?的?是_X',
  '说法错误选?项?的?是_X',
  'X_是正确的',
  'X_是正确答案',
  '选项_X_正确',
  '所以答_X',
  '所以_X[.。$]?$',
  '所有_X[.。$]?$',
  '[\\s，：:,]X[。，,.]?$',
  '[\\s，,：:][故即]X[。.]?$',
  '[\\s，,：:]因此X[。.]?$',
  '[是为。]_X[。.]?$',
  '因此_X[。.]?$',
  '显然_X[。.]?$',
  { upToStop: '答案是' },
  { upToStop: '答案应该是' },
  { upToStop: '答案为' },
  { ignoringCase: 'ANSWER~:~X' },
  '[Tt]he answer is:?[\\s]+\\(?X\\)?',
  '[Tt]he answer is:?[\\s]+\\(?\\*?\\*?X\\*?\\*?\\)?',
  '[Tt]he answer is option:?[\\s]+\\(?X\\)?',
  '[Tt]he correct answer is:?[\\s]+\\(?X\\)?',
  '[Tt]he correct answer is option:?[\\s]+\\(?X\\)?',
  '[Tt]he correct answer is:?.*?boxed\\{X\\}',
  '[Tt]he correct option is:?.*?boxed\\{X\\}',
  '[Tt]he correct answer option is:?.*?boxed\\{X\\}',
  '[Tt]he answer to the question is:?[\\s]+\\(?X\\)?',
  '^选项_X',
  '^X_选?项',
  '([\\s]|^)O[\\s。，,：:.$]',
  '1._(.*?)$',
  '1._X[.。$]?$',
] as const;

const cushionPatterns = ['X:', 'X'] as const;

/**
 * OpenCompass's `first_option_postprocess`: finds the option that an answer settles on, or `''`.
 *
 * @example
 * firstOption({ options: 'ABCD' })('The answer is (B).') // 'B'
 */
export function firstOption({
  options,
  cushion = true,
}: FirstOptionSettings): (text: string) => string {
  const letters = [...options];
  const all = cushion ? [...patterns, ...cushionPatterns] : patterns;
  const finders = all.map((pattern) => compileFinder(pattern, letters));
  return (text) => {
    const stripped = stripText(text);
    for (const find of finders) {
      const found = find(stripped);
      if (found === undefined) continue;
      const letter = letters.find((option) => found.includes(option));
      if (letter !== undefined) return letter;
    }
    return '';
  };
}

type Finder = (text: string) => string | undefined;
type Pattern = (typeof patterns)[number] | (typeof cushionPatterns)[number];

function compileFinder(pattern: Pattern, letters: readonly string[]): Finder {
  if (typeof pattern !== 'string' && 'upToStop' in pattern) return upToStop(pattern.upToStop);
  const expression =
    typeof pattern === 'string'
      ? compilePattern(pattern, letters)
      : compilePattern(pattern.ignoringCase, withCaseOfI(letters), 'i');
  return (text) => {
    const match = expression.exec(text);
    return match === null ? undefined : match[1] || match[0];
  };
}

const oneSpace = new RegExp(`[${pythonSpace}]`, 'u');
const nextSpace = new RegExp(oneSpace, 'gu');

/**
 * What `PHRASE_([^\s]+)(?:。|$)` finds. As an expression it would look through a text that repeats
 * the phrase once for every time that it does.
 */
function upToStop(phrase: string): Finder {
  return (text) => {
    let end = 0;
    let stop = 0;
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
      const after = at + phrase.length;
      const start = oneSpace.test(text.charAt(after)) ? after + 1 : after;
      if (start >= end) {
        nextSpace.lastIndex = start;
        end = nextSpace.exec(text)?.index ?? text.length;
        stop = start + text.slice(start, end).lastIndexOf('。');
      }
      if (start < text.length && end === text.length) return text.slice(start);
      if (start < stop) return text.slice(start, stop);
    }
    return undefined;
  };
}

function compilePattern(pattern: string, letters: readonly string[], flags = ''): RegExp {
  const option = `[${letters.map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join('')}]`;
  const source = pattern
    .replaceAll('\\s', pythonSpace)
    .replaceAll('X', `(${option})`)
    .replaceAll('O', option)
    .replaceAll('~', `[${pythonSpace}]*`)
    .replaceAll('_', `[${pythonSpace}]?`);
  return new RegExp(source, `su${flags}`);
}

// To Python, dotted and dotless i are one letter with i when case is ignored; not to JavaScript.
function withCaseOfI(letters: readonly string[]): readonly string[] {
  const i = ['i', 'I', 'İ', 'ı'];
  return letters.some((letter) => i.includes(letter)) ? [...letters, ...i] : letters;
}
