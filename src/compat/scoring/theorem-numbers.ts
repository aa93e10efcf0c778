import { Float } from '../../prompt/values.ts';
import { readFloatText } from '../../python/parse-number.ts';
import { pyStr } from '../../python/repr.ts';
import { stripText } from '../../python/text.ts';
import { isReal } from '../../score/math/approximate.ts';
import { evaluate } from '../../score/math/evaluate.ts';
import { parseMath } from '../../score/math/parse-math.ts';
import { arithmetic } from './arithmetic.ts';
import { stripCharacters } from './cleaners/cleaner.ts';

/** Without units, and with 3.14 for π, as TheoremQA has it. */
export function cleanUnits(text: string): string {
  return text
    .replaceAll('\\pi', 'π')
    .replace(/(?<![\d}])\\?π/g, '3.14')
    .replace(/(\d)\\?π/g, '$1*3.14')
    .replace(/\{\\?π\}/g, '3.14')
    .replace(/\*\\?π/g, '*3.14')
    .replaceAll('%', '/100')
    .replace(/[$¥]/g, '')
    .replaceAll('°C', '')
    .replaceAll(' C', '')
    .replaceAll('°', '');
}

/** The number that a text or a formula comes to. */
export function numberIn(text: string): number | undefined {
  const plain = readFloatText(text) ?? arithmetic(text);
  if (plain !== undefined) return Number.isNaN(plain) ? undefined : plain;
  if (!/\d/.test(text) || text.length > 500) return undefined;
  const expression = parseMath(text);
  const value =
    expression && evaluate(expression, { numberFor: () => undefined, isComplex: false });
  return value && isReal(value) && Number.isFinite(value.real) ? value.real : undefined;
}

const announced = ['The answer is:', 'The answer is', 'the answer is'];

/** The answer that follows `the answer is`, as a number where it comes to one. */
export function theoremAnswer(written: string): string {
  const lines = stripCharacters(written, '\n');
  const isExample = announced.some((mark) => lines.split(mark).length > 2);
  const text = isExample ? (lines.split('\n\n')[0] ?? '') : lines;
  const parts = text.split(/The answer is:|The answer is|the answer is/);
  const said = stripCharacters(
    stripCharacters(
      stripCharacters(stripCharacters(parts.at(-1) ?? '', '\n'), '.', 'right'),
      '/',
      'right',
    ),
    ' ',
  );
  const answer = parts.length > 1 ? announcedAnswer(said) : otherAnswer(said);
  return stripCharacters(stripCharacters(answer, '.', 'right'), '/', 'right');
}

function truthIn(text: string): string | undefined {
  const said = text.toLowerCase();
  if (said.includes('yes') || said.includes('true')) return 'True';
  if (said.includes('no') || said.includes('false')) return 'False';
  return /\([a-f]\)/.test(said) ? text : undefined;
}

function announcedAnswer(text: string): string {
  const known = truthIn(text);
  if (known !== undefined) return known;
  const value = cleanUnits(stripText(text.split('=').at(-1) ?? ''));
  const number = numberIn(value);
  if (number !== undefined) {
    const isWhole = /^[-+]?\d+$/.test(stripText(value));
    return isWhole ? String(number) : pyStr(new Float(number));
  }
  return /^-?[\d.]+\s(?:\D+$|[^\s]+$)/.test(value) ? (value.split(' ')[0] ?? '') : value;
}

function otherAnswer(text: string): string {
  return truthIn(text) ?? (text.match(/-?\d*\.?\d+/g) ?? []).at(-1) ?? '';
}
