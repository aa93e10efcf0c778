import { Float } from '../../../prompt/values.ts';
import { readFloatText } from '../../../python/parse-number.ts';
import { CPythonRandom } from '../../../python/random/cpython-random.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { isList, listItems, PyDict } from '../../../python/values.ts';
import { arithmetic } from '../arithmetic.ts';
import { isSameIntern } from '../math-answers.ts';
import { cleanUnits, numberIn } from '../theorem-numbers.ts';
import { type JudgeType, plainJudge, valueJudge } from './row-judge.ts';

/** Evaluators of problems that are worked out, by the names of their classes. */
export const workedJudges: Readonly<Record<string, JudgeType>> = {
  MATHInternEvaluator: valueJudge('accuracy', (got, want) => {
    if (got === null || want === null) return false;
    return isSameIntern(pyStr(got), pyStr(want));
  }),
  TabMWPEvaluator: plainJudge('accuracy', (got, want) => {
    if (!(want instanceof PyDict)) return undefined;
    const unit = pyStr(want.get('unit') ?? '');
    const choices = want.get('choices');
    const options = isList(choices) ? listItems(choices).map((item) => pyStr(item)) : [];
    const right = plainValue(pyStr(want.get('answer') ?? ''), unit);
    return plainValue(saidValue(got, options), unit).toLowerCase() === right.toLowerCase();
  }),
  TheoremQAEvaluatorV3: plainJudge('score', (got, want, row) => {
    const right = pyStr(want);
    const [said, wanted] = [got.toLowerCase(), right.toLowerCase()];
    if (/^\([a-f]\)$/.test(wanted)) return said.includes(wanted);
    if (said === wanted) return true;
    if (!['float', 'integer', 'bool'].includes(String(row.Answer_type))) return false;
    const number = wantedNumber(right);
    const own = numberIn(cleanUnits(got));
    if (number === undefined || own === undefined) return false;
    if (number.isWhole) return roundEven(own) === number.value;
    const room = Math.abs(number.value) * 0.04;
    return own >= number.value - room && own <= number.value + room;
  }),
};

function wantedNumber(text: string): { value: number; isWhole: boolean } | undefined {
  const truth = { True: 1, False: 0 }[stripText(text)];
  if (truth !== undefined) return { value: truth, isWhole: true };
  const value = readFloatText(text) ?? arithmetic(text);
  return value === undefined ? undefined : { value, isWhole: /^[-+]?\d+$/.test(stripText(text)) };
}

function roundEven(value: number): number {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

/** A number to three places as Python writes it, or a text without its unit. */
function plainValue(written: string, unit: string): string {
  const text = written.replace(/^\$/, '').replace(/[,./]$/, '');
  if (!/^[-+]?[\d,./]+$/.test(text))
    return unit === '' ? text : stripText(text.replaceAll(unit, ''));
  const plain = text.replaceAll(',', '');
  if (/^[-+]?\d+$/.test(plain)) return String(BigInt(plain.replace(/^\+/, '')));
  const [top, bottom = '1', ...more] = plain.split('/').map((part) => readFloatText(part));
  const value = more.length > 0 ? Number.NaN : Number(top) / Number(bottom);
  if (!Number.isFinite(value)) return text;
  return pyStr(new Float(toThreePlaces(value))).replace(/\.0+$/, '');
}

/** As Python's `round(value, 3)`: halves, which only sixteenths can be, to the even side. */
function toThreePlaces(value: number): number {
  const half = value * 16;
  if (Number.isInteger(half) && half % 2 !== 0) return roundEven(value * 1000) / 1000;
  return Number(value.toFixed(3));
}

const letters = 'ABCDEFGH';
const choicePatterns = [
  /^\(([A-Za-z])\)$/,
  /^([A-Za-z])$/,
  /^([A-Za-z]). /,
  /[Tt]he answer is ([A-Z])/,
  /^\(([A-Za-z])\) [\s\S]+$/,
  /[Tt]he answer is \(([A-Za-z])\) [\s\S]+$/,
];
const valuePatterns = [
  /[Tt]he answer is ([\s\S]+)$/g,
  /[Tt]he table shows that ([\d$.,/:]+) /g,
  / = ([\d$.,/:]+)/g,
  /(?<= be| is) ([-\d$.,/:]{0,}[\d]+)/g,
  /(?<= are| was) ([-\d$.,/:]{0,}[\d]+)/g,
  /(?<= were) ([-\d$.,/:]{0,}[\d]+)/g,
  / ([\d$.,/:]+ [AP]\.M\.)/g,
  /([-\d$.,/:]{0,}[\d]+)/g,
];

/** What an answer says: the option that it names or is most like, or a value. */
function saidValue(answer: string, options: readonly string[]): string {
  const text = answer
    .replace(/\$?\\frac\{([\d.,-]+)\}\{([\d.,]+)\}\$?/g, '$1/$2')
    .replace(/(?<![AP]\.M)\.$/, '')
    .replace(/(?<=\d)=(?=[-$\d])/g, ' = ')
    .replaceAll('−', '-');
  if (options.length === 0) {
    const found = valuePatterns
      .map((pattern) => [...text.matchAll(pattern)].at(-1)?.[1])
      .find((value) => value !== undefined);
    if (found === undefined) return text;
    const value = stripText(found);
    return value.endsWith('.') && !value.includes('.M.') ? value.slice(0, -1) : value;
  }
  for (const pattern of choicePatterns) {
    const letter = pattern.exec(text)?.[1]?.toUpperCase();
    const place = letter === undefined ? -1 : letters.indexOf(letter);
    if (place < 0) continue;
    return options[place] ?? options[new CPythonRandom(123).below(options.length)] ?? '';
  }
  return mostAlike(text, options);
}

function mostAlike(text: string, options: readonly string[]): string {
  const scores = options.map((option) => likeness(option, text));
  return options[scores.indexOf(Math.max(...scores))] ?? '';
}

function likeness(one: string, other: string): number {
  if (one === other) return 2;
  if (!one.includes(' ') && !other.includes(' ')) return 0;
  const [own, words] = [one.split(' '), other.split(' ')];
  const common = [...new Set(own)].filter((word) => words.includes(word)).length;
  return common / Math.max(own.length, words.length);
}
