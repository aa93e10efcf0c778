import { formatValue } from '../../prompt/values.ts';
import { type Comparison, type NumberOptions, numberEqual } from '../compare/compare.ts';
import { type Extractor, runChain, within } from '../extract/extractor.ts';
import { afterMarker, answerLine, boxed, untilNextQuestion } from '../extract/marked-answer.ts';
import { answerNumber, resultNumber } from '../extract/number-extractors.ts';
import { lastLine, trimmed } from '../extract/text-extractors.ts';
import { foldWidth } from '../text-matching.ts';
import type { Expression } from './expression.ts';
import { lastFormula, wholeFormula } from './formula-extractors.ts';
import { parseMath } from './parse-math.ts';
import { sameAnswer } from './same-answer.ts';
import { unitNames } from './vocabulary.ts';

const goldFormula = [boxed, afterMarker(['####']), trimmed];

/**
 * Right if both come to the same by the rules of mathematics, however they are written:
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
    const isRight =
      got === want ||
      isSame(withoutUnit(answer), withoutUnit(found), (left, right) =>
        sameAnswer(left, right, { tolerance, relativeTolerance }),
      );
    if (isRight || !oneNumber.test(want) || isFormula(answer)) {
      return { value: Number(isRight), got, want };
    }
    const number = runChain(answerNumber, input?.answer?.answer ?? answer).found?.value;
    return number === undefined ? { value: 0, got, want } : sameNumber(number, want);
  };
}

const oneNumber = /^[-−+]?\d[\d,]*(?:\.\d+)?(?:\\?%)?$/;

/** Whether an answer can be read as a formula alone: no words, no remark in brackets, no exclamation. */
function isFormula(answer: string): boolean {
  const isRemarked = /^[^\\]*\d\s+(?:\p{L}+\s*)?\(.*\)\W*$/su.test(answer);
  const isExclaimed = /=\s*[-−]?[\d.,]+!$/.test(answer.trim());
  const hasWords = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(answer);
  return !isRemarked && !isExclaimed && !hasWords && wholeFormula.extract(answer) !== undefined;
}

const unit = /^([-−+]?[$€£¥]?\d[\d.,\s/]*)\s+(\p{L}+)\.?\s*(?:\^\s*\{?[23]\}?|[²³])?$/u;

/** `12 m^2` is 12: a unit that a space sets apart, also one of a single letter, does not count. */
function withoutUnit(formula: string): string {
  const [, number, name = ''] = unit.exec(formula.trim()) ?? [];
  return number !== undefined && unitNames.has(name.toLowerCase()) ? number.trim() : formula;
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

function wordsOf(formula: string): string | undefined {
  const text = formula
    .replaceAll(/\\(?:text\w*|mathrm|mbox)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/[$\s.]+/g, ' ')
    .trim()
    .toLowerCase();
  return /\p{L}{3}/u.test(text) && /^[\p{L}' -]+$/u.test(text) ? text : undefined;
}

/** Where the formula of an answer is looked for, in this order. */
export const answerFormula: readonly Extractor[] = untilNextQuestion([
  boxed,
  within(answerLine, lastFormula),
  answerLine,
  afterMarker(['####']),
  lastFormula,
  wholeFormula,
  within(lastLine, wholeFormula),
  resultNumber,
]);
