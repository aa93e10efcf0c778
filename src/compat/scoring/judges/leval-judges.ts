import { pyStr } from '../../../python/repr.ts';
import { splitWords, stripText } from '../../../python/text.ts';
import { type JudgeType, plainJudge } from './row-judge.ts';
import { plainWordsOf } from './word-overlap.ts';

/** What an answer says of the output of a program before and after naming it. */
const fillers = [
  'will be',
  'of the code',
  'is',
  'would be',
  'the value of',
  'the result of',
  'printed',
];

/** Evaluators of L-Eval in AISBench, by the names of their classes. */
export const levalJudges: Readonly<Record<string, JudgeType>> = {
  CodeUEvaluator: plainJudge('accuracy', (got, want) => {
    const gold = pyStr(want);
    return plainWordsOf(outputIn(got, splitWords(gold).length)) === plainWordsOf(plainCode(gold));
  }),
  SciFiEvaluator: plainJudge('accuracy', (got, want) => {
    const right = truthIn(pyStr(want).toLowerCase());
    return right !== undefined && loyaltyIn(got.toLowerCase()) === right;
  }),
};

/** As many words as the right output has and three more, of the end or after the announcement. */
function outputIn(text: string, count: number): string {
  const rest = fillers.reduce((left, filler) => left.replaceAll(filler, ''), plainCode(text));
  const pieces = rest.split('the final output');
  const words = (pieces.at(-1) ?? '').split(/\s+/u);
  const most = count + 3;
  return (pieces.length > 1 ? words.slice(0, most) : words.slice(-most)).join(' ');
}

function plainCode(text: string): string {
  const line = text
    .replace(/\s+/gu, ' ')
    .replace(/[,'\\]/g, '')
    .replaceAll('.0', '');
  return stripText(line.replaceAll('] [', '][').replaceAll('[ [', '[[').replaceAll('] ]', ']]'));
}

/** What is said before facts: a word alone, or else one that contains the word. */
function loyaltyIn(text: string): boolean | undefined {
  const said = text.split('[fact:')[0] ?? '';
  const plain = splitWords(said).map((word) => word.replace(/^[.,;:!]+|[.,;:!]+$/g, ''));
  const alone = plain.find((word) => word === 'true' || word === 'false');
  return alone === undefined ? truthIn(said) : alone === 'true';
}

function truthIn(text: string): boolean | undefined {
  const word = splitWords(text).find((one) => one.includes('true') || one.includes('false'));
  return word?.includes('true');
}
