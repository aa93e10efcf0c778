import { formatValue } from '../prompt/values.ts';
import { runChain } from './extract/extractor.ts';
import { afterMarker } from './extract/marked-answer.ts';
import { chosenOption } from './extract/option-extractors.ts';
import { readNumbers } from './numbers/read-numbers.ts';
import { decimalText, shortenDecimal } from './numbers/split-digits.ts';
import type { RowScore, ScoreInput, ScorerMetrics } from './scorer.ts';
import { foldCase, foldWidth, isInsideWord, plainLabel } from './text-matching.ts';

/**
 * The score of an answer, marked if it got no credit and the gold answer stands in it all the same: a
 * number anywhere in it, however it may be read, a letter that it chooses, or a text without regard to case and width.
 */
export function withLooser(
  { range, direction }: Pick<ScorerMetrics, 'range' | 'direction'>,
  input: ScoreInput,
  score: RowScore,
): RowScore {
  const { label, logprobs, measures, answer } = input;
  // Checks say themselves what they look for, or look for nothing, such as a length.
  if (score.type === 'scored' && (score.checks || score.compared.want === '')) return score;
  const isWrong =
    score.type === 'scored' ? score.value === 0 : score.reason.startsWith('no answer found');
  if (!isWrong || direction !== 'higher' || range[0] !== 0 || range[1] !== 1) return score;
  if (label !== undefined || logprobs || measures || answer.unfinishedReasoning) return score;
  // A letter that was read is what the answer chooses.
  if (score.type === 'scored' && isLetter(score.compared.got)) return score;
  return holdsOne(answer.answer, wantsOf(input, score)) ? { ...score, looser: true } : score;
}

function wantsOf({ gold }: ScoreInput, score: RowScore): readonly string[] {
  const want = score.type === 'scored' ? score.compared.want : '';
  if (want !== '') return Array.isArray(gold) ? want.split(' | ') : [want];
  if (Array.isArray(gold)) return gold.map(formatValue);
  const written = formatValue(gold ?? '');
  return [finalAnswer.extract(written)?.value ?? written];
}

const finalAnswer = afterMarker(['####']);

/** It can be read in one way only. */
const wholeNumber = /^-?\d{1,15}$/;

function holdsOne(answer: string, wants: readonly string[]): boolean {
  let numbers: ReadonlySet<string> | undefined;
  return wants.some((want) => {
    if (wholeNumber.test(want) && wholeNumber.test(answer)) return Number(want) === Number(answer);
    if (isLetter(want)) return chosenLetter(answer) === plainLabel(want);
    const number = numberIn(want);
    if (number === undefined) return holdsText(answer, want);
    numbers ??= looserNumbers(foldWidth(answer));
    const isShare = want.includes('%') && numbers.has(decimalText(Number(number) / 100));
    return isShare || numbers.has(number);
  });
}

/** The evaluator that reads an answer which got no credit: `number` where no number was read from it yet. */
export function looserEvaluator(gold: unknown, extracted: unknown): LooserEvaluator {
  const written = formatValue(gold ?? '');
  if (isLetter(written)) return 'choice';
  const isNumber = numberIn(finalAnswer.extract(written)?.value ?? written) !== undefined;
  const wasRead = extracted === undefined || numberIn(formatValue(extracted)) !== undefined;
  return isNumber && !wasRead ? 'number' : 'contains';
}

export type LooserEvaluator = 'number' | 'choice' | 'contains';

/** The labels that `choice` looks for unless it is told others. */
const letters = ['A', 'B', 'C', 'D'].map((label) => ({ label }));
const letterExtractors = chosenOption(letters);

function isLetter(text: string): boolean {
  return letters.some(({ label }) => plainLabel(label) === plainLabel(text));
}

function chosenLetter(answer: string): string | undefined {
  const chosen = runChain(letterExtractors, answer).found?.value;
  return chosen && plainLabel(chosen);
}

/** The number that a text is, but for signs around it. */
function numberIn(text: string): string | undefined {
  const [number, ...others] = readNumbers(text);
  if (!number || others.length > 0) return undefined;
  const rest = text.slice(0, number.start) + text.slice(number.end);
  return /[\p{L}\p{N}]/u.test(rest) ? undefined : exactText(number.value);
}

/** Numbers are held against each other by their digits: beyond 2^53 many have the same value. */
function exactText(digits: string): string {
  const value = Number(digits);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return decimalText(value);
  return digits.startsWith('-') ? `-${shortenDecimal(digits.slice(1))}` : shortenDecimal(digits);
}

const scales: Readonly<Record<string, number>> = {
  ...{ hundred: 1e2, k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6 },
  ...{ bn: 1e9, billion: 1e9, tn: 1e12, trillion: 1e12 },
};
const scaleAfter = new RegExp(
  `[^\\S\\n]?(${Object.keys(scales).toSorted().toReversed().join('|')})(?![\\p{L}\\d])`,
  'iuy',
);

/** All numbers that may be meant: with scales, as shares, and with separators read in any way. */
function looserNumbers(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (digits: string, end: number) => {
    found.add(exactText(digits));
    const value = Number(digits);
    if (!Number.isFinite(value)) return;
    if (/[^\S\n]?%/y.test(text.slice(end, end + 2))) found.add(decimalText(value / 100));
    scaleAfter.lastIndex = end;
    const [, scale = ''] = scaleAfter.exec(text) ?? [];
    const factor = scales[scale.toLowerCase()];
    if (factor === undefined) return;
    const scaled = Number((value * factor).toPrecision(15));
    if (Number.isFinite(scaled)) found.add(decimalText(scaled));
  };
  for (const { value, end } of readNumbers(text)) add(value, end);
  for (const { 0: run, index } of text.matchAll(/\d(?:[\d.,'’ \u00a0\u2009\u202f]*\d)?/g)) {
    const sign = /[-−][^\S\n]?[$€£¥]?$/.test(text.slice(Math.max(0, index - 3), index)) ? '-' : '';
    for (const part of readings(run)) add(sign + part, index + run.length);
  }
  return found;
}

/** The digits together, the last separator as that of decimals, and each group by itself. */
function* readings(run: string): Generator<string> {
  const groups = run.split(/[^\d]+/);
  yield groups.join('');
  if (groups.length > 1) yield `${groups.slice(0, -1).join('')}.${groups.at(-1)}`;
  yield* groups;
}

/** A single letter stands in most answers, whatever they mean. */
function holdsText(answer: string, want: string): boolean {
  const wanted = plainText(want).replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
  if (Array.from(wanted).length < 2) return false;
  const folded = plainText(answer);
  let start = folded.indexOf(wanted);
  while (start >= 0) {
    const end = start + wanted.length;
    if (!isInsideWord(folded, start, end)) return true;
    start = folded.indexOf(wanted, end);
  }
  return false;
}

function plainText(text: string): string {
  return foldCase(text.normalize('NFKC')).replaceAll(/\s+/g, ' ').trim();
}
