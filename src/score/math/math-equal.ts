import { formatValue } from '../../prompt/values.ts';
import { type Comparison, type NumberOptions, numberEqual } from '../compare/compare.ts';
import { answerNumber } from '../extract/answer-number.ts';
import { type Extractor, firstOf, runChain, within } from '../extract/extractor.ts';
import {
  afterMarker,
  answerLine,
  answerTag,
  boxed,
  lastBoxes,
  underHeading,
  untilNextQuestion,
} from '../extract/marked-answer.ts';
import { firstNumber } from '../extract/number-extractors.ts';
import { resultNumber } from '../extract/result-number.ts';
import { lastLine, trimmed } from '../extract/text-extractors.ts';
import { foldWidth } from '../text-matching.ts';
import type { Expression } from './expression.ts';
import {
  approximatedFormula,
  lastFormula,
  longestFormula,
  remarkedFormula,
  statedFormula,
  wholeFormula,
  withoutFormulas,
} from './formula-extractors.ts';
import { parseMath } from './parse-math.ts';
import { sameAnswer } from './same-answer.ts';
import { textCommands, unitNames } from './vocabulary.ts';

const goldFormula = [boxed, afterMarker(['####']), trimmed];

/**
 * Right if both are mathematically equal, however they are written:
 * `\frac{1}{2}` is 0.5, `(x+1)^2` is `x^2+2x+1`, `x = 3` is 3. Units do not count.
 *
 * @example
 * mathEqual()('\\frac{\\sqrt{2}}{2}', '1/\\sqrt 2')?.value // 1
 */
export function mathEqual({
  tolerance = 0,
  relativeTolerance = 0,
}: NumberOptions = {}): Comparison {
  const sameNumber = numberEqual({ tolerance, relativeTolerance });
  return (answer, gold, input) => {
    const found = runChain(goldFormula, formatValue(gold)).found?.value;
    if (found === undefined) return undefined;
    const got = plainForm(answer);
    const want = plainForm(found);
    const same = (left: Expression, right: Expression) =>
      sameAnswer(left, right, { tolerance, relativeTolerance });
    const isRight =
      got === want ||
      valuesOf(answer).some(
        (value) =>
          isSame(withoutUnit(value), withoutUnit(found), same) || isSame(value, found, same),
      );
    if (!isRight && oneNumber.test(want) && scientific.test(answer)) {
      const number = firstNumber.extract(answer)?.value;
      if (number !== undefined) return sameNumber(number, want);
    }
    if (isRight || !oneNumber.test(want) || isFormula(answer)) {
      return { value: Number(isRight), got, want };
    }
    const { answer: whole, begun = '', openings } = input ?? {};
    const text = whole ? begun + whole.answer : answer;
    const number = runChain(answerNumber, text, openings).found?.value;
    return number === undefined ? { value: 0, got, want } : sameNumber(number, want);
  };
}

const approximately = /\\(?:approx|simeq)(?![a-zA-Z])|[≈≒]/;

/** What an answer gives: also in decimals, where it says what its value is approximately. */
function valuesOf(answer: string): readonly string[] {
  const [exact = '', ...rounded] = answer.split(approximately);
  const isName = /^\s*\\?\p{L}+\s*$/u.test(exact);
  return rounded.length === 0 || isName ? [answer] : [answer, exact, ...rounded];
}

/** `1.5e-3` as programs write it, not a multiple of e. */
const scientific = /^[\s*_]*[-−+]?(?:\d+(?:\.\d+)?|\.\d+)e[-−+]?\d+[\s*_.。]*$/iu;
const oneNumber = /^[-−+]?\d[\d,]*(?:\.\d+)?(?:\\?%)?$/;

/** Whether an answer can be read as a formula alone: no words, no remark in brackets, no exclamation. */
function isFormula(answer: string): boolean {
  if (answer.length > longestFormula) return false;
  const isRemarked = /^[^\\]*\d\s+(?:\p{L}+\s*)?\(.*\)\W*$/su.test(answer);
  const isExclaimed = /=\s*[-−]?[\d.,]+!$/.test(answer.trim());
  const hasWords = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(answer);
  return !isRemarked && !isExclaimed && !hasWords && wholeFormula.extract(answer) !== undefined;
}

const factor = String.raw`\p{L}+\.?(?:\s*\^\s*\{?[-−]?\d\}?|⁻?[¹²³])?`;
const unit = new RegExp(
  String.raw`^(?:\p{L}\s*=\s*)?([-−+]?[$€£¥]?\d[\d.,\s/]*?)(\s*)(\/?\s*${factor}(?:\s*(?:[/·⋅*]|\\cdot|\s)\s*${factor})*)$`,
  'u',
);
const symbols = new Set([
  ...'NJWVAKCFT',
  'Pa',
  'kPa',
  'kN',
  'kW',
  'kWh',
  'Wh',
  'Nm',
  'per',
  'squared',
  'cubed',
]);

/** `12 m^2` is 12 and `10 km/h` is 10: units do not count, if they can be told from variables. */
function withoutUnit(formula: string): string {
  const [, number, space, written = ''] = unit.exec(formula.trim()) ?? [];
  if (number === undefined) return formula;
  const names = written.match(/\p{L}+/gu) ?? [];
  const areUnits = names.every((name) => unitNames.has(name.toLowerCase()) || symbols.has(name));
  // Without a space, and for symbols that stand for variables elsewhere, one letter says too little.
  const isLone = names.length === 1 && (space === '' || symbols.has(written));
  const isClear = !isLone || written.startsWith('/') || (names[0]?.length ?? 0) > 1;
  return areUnits && isClear ? number.trim() : formula;
}

function isSame(
  answer: string,
  gold: string,
  same: (answer: Expression, gold: Expression) => boolean,
): boolean {
  // The letters of a word are not multiplied: no word is the same as its anagram.
  const [got, want] = [wordsOf(answer), wordsOf(gold)];
  if (got !== undefined || want !== undefined) return got === want;
  const left = parseMath(answer);
  const right = left && parseMath(gold);
  return left !== undefined && right !== undefined && same(left, right);
}

/** The formula without what changes its looks only. */
function plainForm(formula: string): string {
  return foldWidth(formula)
    .trim()
    .replaceAll(/(\\\\)|\\(?:left|right|displaystyle|[,;:! ]|\(|\)|\[|\])/g, '$1')
    .replaceAll(/\\[dt]frac/g, '\\frac')
    .replaceAll(/[\s$]+/g, '')
    .replace(/\.$/, '');
}

/** Operators are no words. */
const wordCommands = textCommands.filter((name) => name !== 'operatorname');
const words = new RegExp(String.raw`\\(?:text\w*|${wordCommands.join('|')})\s*\{([^{}]*)\}`, 'g');

function wordsOf(formula: string): string | undefined {
  const text = formula
    .replaceAll(words, '$1')
    .replaceAll(/[$\s.]+/g, ' ')
    .trim()
    .toLowerCase();
  return /\p{L}{3}/u.test(text) && /^[\p{L}' -]+$/u.test(text) ? text : undefined;
}

const solutions = afterMarker([
  ...['solutions are', 'solution is', 'roots are', 'lösungen sind', 'solutions sont'],
  ...['soluciones son', '解为', '解は', '解是', '根为', '根是'],
]);

/** The last number that stands in no formula: what formulas there are give conditions alone. */
const numberInWords: Extractor = {
  name: resultNumber.name,
  extract: (text) => resultNumber.extract(withoutFormulas(text)),
};

const plainFormula = firstOf(wholeFormula.name, [approximatedFormula, wholeFormula]);

/** Where the formula of an answer is looked for, in this order. */
export const answerFormula: readonly Extractor[] = untilNextQuestion([
  firstOf(lastBoxes.name, [
    lastBoxes,
    within(answerTag, statedFormula),
    within(answerTag, within(answerLine, wholeFormula)),
    answerTag,
  ]),
  within(answerLine, firstOf(statedFormula.name, [statedFormula, approximatedFormula])),
  within(answerLine, remarkedFormula),
  answerLine,
  afterMarker(['####']),
  within(solutions, statedFormula),
  within(solutions, wholeFormula),
  firstOf(lastFormula.name, [
    within(underHeading, firstOf(statedFormula.name, [statedFormula, wholeFormula])),
    lastFormula,
  ]),
  plainFormula,
  within(lastLine, plainFormula),
  numberInWords,
]);
