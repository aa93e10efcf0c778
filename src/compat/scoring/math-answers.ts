import { pythonDigit, pythonWord, stripText } from '../../python/text.ts';

/** What stands in the last `\boxed{…}` of a text; with one pair of braces around it taken off if asked. */
export function boxedAnswer(text: string, { unwrap = false } = {}): string | undefined {
  const mark = '\\boxed{';
  const boxed = text.lastIndexOf('\\boxed');
  const start = boxed < 0 ? text.lastIndexOf('\\fbox') : boxed;
  const end = start < 0 ? -1 : closingBrace(text, start);
  if (end < 0 || !text.startsWith(mark, start)) return undefined;
  const content = text.slice(start + mark.length, end);
  return unwrap ? (/^\{([^\n]*)\}\n?$/u.exec(content)?.[1] ?? content) : content;
}

/** The end of the first braces from a position on; -1 where they are not closed. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    if (text[index] === '{') depth++;
    if (text[index] === '}' && --depth === 0) return index;
  }
  return -1;
}

const respelt: readonly (readonly [string, string])[] = [
  ['an ', ''],
  ['a ', ''],
  ['.$', '$'],
  ['\\$', ''],
  ['\\ ', ''],
  [' ', ''],
  ['mbox', 'text'],
  [',\\text{and}', ','],
  ['\\text{and}', ','],
  ['\\text{m}', '\\text{}'],
  ['\\le', '<'],
];

const dropped = [
  ...'square ways integers dollars mph inches ft hours km units \\ldots sue points'.split(' '),
  ...'feet minutes digits cents degrees cm gm pounds meters meals edges students'.split(' '),
  ...'childrentickets multiples \\text{s} \\text{.}'.split(' '),
  '\\text{\ns}',
  '\\text{}^2',
  '\\text{}^3',
  '\\text{\n}',
  '\\text{}',
  '\\mathrm{th}',
  '^\\circ',
  '^{\\circ}',
  '\\;',
  ',\\!',
  '{,}',
  '"',
  '\\dots',
  '\n',
  '\r',
  '\f',
];

/** Wrappers that are taken off, and what of them stays. */
const wrappers: readonly (readonly [RegExp, string])[] = [
  [/\\text\{\(([^\n]*?)\)\}/gu, '$1'],
  [/\\text\{([^\n]*?)\}/gu, '$1'],
  [/\\textbf\{([^\n]*?)\}/gu, '$1'],
  [/\\overline\{([^\n]*?)\}/gu, '$1'],
  [/\\boxed\{([^\n]*)\}/gu, '$1'],
];

/** Marks after or in which the answer stands; the last find of each counts. */
const marks = [
  /finalansweris([^\n]*)/gu,
  /answer?is:?([^\n]*)/gu,
  /oxed\{([^\n]*?)\}/gu,
  /\$([^\n]*?)\$/gu,
];

/** An answer in the form in which OpenCompass compares those of MATH. */
export function normalizeAnswer(written: string): string {
  let answer = written;
  for (const [from, to] of respelt) answer = answer.replaceAll(from, to);
  for (const text of dropped) answer = answer.replaceAll(text, '');
  for (const [pattern, kept] of wrappers) answer = answer.replace(pattern, kept);
  for (const mark of marks) answer = [...answer.matchAll(mark)].at(-1)?.[1] ?? answer;
  answer = stripText(answer);
  if (answer.includes('rac') && !answer.includes('\\frac')) {
    answer = answer.replaceAll('rac', '\\frac');
  }
  answer = answer
    .replace(/frac([^{])([^\n])/gu, 'frac{$1}{$2}')
    .replace(/sqrt([^{])/gu, 'sqrt{$1}')
    .replaceAll('$', '');
  const digits = answer.replaceAll(',', '');
  return new RegExp(`^${pythonDigit}+$`, 'u').test(digits) ? digits : answer;
}

/** What DAPO's rule keeps of what MATH's respells and drops. */
const keptByDapo = new Set(['\\le', 'ft', '\n', '\r', '\f']);

/** An answer in the form in which AISBench compares those of DAPO-math. */
export function dapoAnswer(written: string): string {
  let answer = written.split('=').at(-1) ?? '';
  for (const [from, to] of respelt) if (!keptByDapo.has(from)) answer = answer.replaceAll(from, to);
  for (const text of dropped) if (!keptByDapo.has(text)) answer = answer.replaceAll(text, '');
  answer = answer.replace(/([^\n]*?)\$([^\n]*?)\$([^\n]*)/gu, '$$$2$$');
  for (const [pattern, kept] of wrappers.slice(1)) answer = answer.replace(pattern, kept);
  answer = answer
    .replace(/frac([^{])([^\n])/gu, 'frac{$1}{$2}')
    .replace(/sqrt([^{])/gu, 'sqrt{$1}')
    .replaceAll('$', '');
  const digits = answer.replaceAll(',', '');
  return stripText(new RegExp(`^${pythonDigit}+$`, 'u').test(digits) ? digits : answer);
}

/** A text whose Python counterpart raises an error. */
class Unusable extends Error {}

/** Whether two answers count as the same, as `MATHEvaluator` has it. */
export function isSameAnswer(left: string, right: string, version: 'v1' | 'v2'): boolean {
  const strip = version === 'v1' ? (text: string) => stripFirst(text) : stripSecond;
  try {
    const [one, other] = [strip(left), strip(right)];
    if (one === other || normalizeAnswer(one) === normalizeAnswer(other)) return true;
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
  }
  return normalizeAnswer(left) === normalizeAnswer(right);
}

/** Whether two answers are the same once they are stripped, as AGIEval compares them. */
export function isSameStripped(left: string, right: string): boolean {
  try {
    return stripFirst(left, keptSlash) === stripFirst(right, keptSlash);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return left === right;
  }
}

/** Whether two answers are the same as `MATHInternEvaluator` compares them. */
export function isSameIntern(left: string, right: string): boolean {
  try {
    return stripIntern(left) === stripIntern(right);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return left === right;
  }
}

function stripIntern(written: string): string {
  const bare = stripText(
    stripFirst(written, (text) => {
      if (text.split('\\frac').slice(1).includes('')) throw new Unusable();
      return slashFraction(text);
    }),
  );
  if (bare === '') return bare;
  const [first = '', index, ...rest] = bare.split('_');
  const plain = index === undefined ? bare : [first, index.replace(/[{}]/g, ''), ...rest].join('_');
  return / |\(/.test(stripText(plain)) ? plain : plain.replaceAll(',', '');
}

function keptSlash(text: string): string {
  try {
    return slashFraction(text);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return text;
  }
}

function stripFirst(written: string, slash = slashFraction): string {
  let text = replaceEach(written, [
    ['\n', ''],
    ['\\!', ''],
    ['\\\\', '\\'],
    ['tfrac', 'frac'],
    ['dfrac', 'frac'],
    ['\\left', ''],
    ['\\right', ''],
    ['^{\\circ}', ''],
    ['^\\circ', ''],
    ['\\$', ''],
  ]);
  const units = text.split('\\text{ ');
  if (units.length > 2) throw new Unusable();
  text = replaceEach(units[0] ?? '', [
    ['\\%', ''],
    [' .', ' 0.'],
    ['{.', '{0.'],
  ]);
  if (text === '') return text;
  text = withoutName(text.startsWith('.') ? `0${text}` : text);
  text = braceRoots(text).replaceAll(' ', '');
  text = braceFractions(text);
  return slash(text === '0.5' ? '\\frac{1}{2}' : text);
}

const rootArgument = new RegExp(`\\\\sqrt([${pythonWord}]+)`, 'gu');

function stripSecond(written: string): string {
  let text = replaceEach(stripText(written).replaceAll('\n', '').replace(/\.+$/, ''), [
    ['\\!', ''],
    ['\\ ', ''],
    ['\\\\', '\\'],
    ['\\\\', '\\'],
    ['tfrac', 'frac'],
    ['dfrac', 'frac'],
    ['\\left', ''],
    ['\\right', ''],
  ]);
  const unitless = stripText(text.replace(/\\text\{[^\n]*?\}$/u, ''));
  if (unitless !== '') text = unitless === text ? text : unitless;
  text = replaceEach(text, [
    ['^{\\circ}', ''],
    ['^\\circ', ''],
    ['\\$', ''],
    ['$', ''],
    ['\\text', ''],
    ['x\\in', ''],
    ['\\%', ''],
    ['%', ''],
    [' .', ' 0.'],
    ['{.', '{0.'],
    ['\\cdot', ''],
    ['infinity', '\\infty'],
  ]);
  if (!text.includes('\\infty')) text = text.replaceAll('inf', '\\infty');
  text = replaceEach(text, [
    ['+\\inity', '\\infty'],
    ['and', ''],
    ['\\mathbf', ''],
  ]).replace(/\\mbox\{[^\n]*?\}/gu, '');
  if (text.includes('j') && !text.includes('i')) text = text.replaceAll('j', 'i');
  text = text.replace(/(\p{Nd}+)\.0+(\P{Nd})/gu, '$1$2').replace(/(\p{Nd}+)\.0+$/u, '$1');
  if (text === '') return text;
  text = withoutName(text.startsWith('.') ? `0${text}` : text);
  text = text.replace(rootArgument, '\\sqrt{$1}').replaceAll(' ', '');
  return slashFraction(braceFractions(text));
}

function replaceEach(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

/** Without `x=` before the answer. */
function withoutName(text: string): string {
  const [name = '', value, ...more] = text.split('=');
  return value !== undefined && more.length === 0 && Array.from(name).length <= 2 ? value : text;
}

/** `\sqrt3` as `\sqrt{3}`. */
function braceRoots(text: string): string {
  const [before = '', ...roots] = text.split('\\sqrt');
  const braced = roots.map((root) => {
    if (root === '') throw new Unusable();
    if (root.startsWith('{')) return `\\sqrt${root}`;
    const [first = '', ...rest] = root;
    return `\\sqrt{${first}}${rest.join('')}`;
  });
  return before + braced.join('');
}

/** `\frac12` and `\frac1{72}` with all braces; the text as it is where an argument is missing. */
function braceFractions(text: string): string {
  const [before = '', ...fractions] = text.split('\\frac');
  let braced = before;
  for (const fraction of fractions) {
    const [above = '', below, ...rest] = fraction;
    if (above === '{') braced += `\\frac${fraction}`;
    else if (below === undefined) return text;
    else braced += `\\frac{${above}}${below === '{' ? below : `{${below}}`}${rest.join('')}`;
  }
  return braced;
}

const wholeNumber = /^[+-]?\p{Nd}+(?:_\p{Nd}+)*$/u;

/** `3/4` as `\frac{3}{4}`; only where both are whole numbers as Python writes them. */
function slashFraction(text: string): string {
  const parts = text.split('/');
  if (parts.length !== 2) return text;
  if (!parts.every((part) => wholeNumber.test(stripText(part)))) throw new Unusable();
  const isPlain = parts.every((part) => /^(?:0|-?[1-9]\d*)$/.test(part));
  return isPlain ? `\\frac{${parts[0]}}{${parts[1]}}` : text;
}
