import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { splitWords, stripText } from '../../../python/text.ts';
import { isList, listItems, PyTuple, type PyValue } from '../../../python/values.ts';
import { exactValue } from '../../../score/math/exact-value.ts';
import { parseMath } from '../../../score/math/parse-math.ts';
import { boxedAnswer, normalizeAnswer } from '../math-answers.ts';
import { type JudgeType, judgeWith, plainJudge, valueJudge } from './row-judge.ts';
import { overlapOf, plainWordsOf } from './word-overlap.ts';

const share = { direction: 'higher', range: [0, 1] } as const;
const distance = { direction: 'lower', range: [0, Number.POSITIVE_INFINITY] } as const;

/** Evaluators of single benchmarks, by the names of their classes. */
export const taskJudges: Readonly<Record<string, JudgeType>> = {
  AccDropEvaluator: judgeWith({}, () => ({
    metric: 'acc_drop',
    direction: 'lower',
    range: [Number.NEGATIVE_INFINITY, 1],
    meanName: 'accuracy',
    datasetMetrics: [
      {
        name: 'acc_drop',
        direction: 'lower',
        range: [Number.NEGATIVE_INFINITY, 1],
        type: 'sums',
        measure: (sums) => 1 - shareOf(sums, 0) / shareOf(sums, 2),
      },
      { name: 'acc_after', ...share, type: 'sums', measure: (sums) => shareOf(sums, 0) },
      { name: 'acc_before', ...share, type: 'sums', measure: (sums) => shareOf(sums, 2) },
    ],
    judge(got, want, row) {
      const value = Number(pyStr(got) === pyStr(want));
      const isOriginal = row.type === 'original';
      return { value, metrics: {}, counts: isOriginal ? [0, 0, value, 1] : [value, 1, 0, 0] };
    },
  })),
  InfiniteBenchmathcalcEvaluator: judgeWith({}, () => ({
    metric: 'score',
    ...distance,
    direction: 'higher',
    judge(got, want) {
      const said = pyStr(got)
        .split(/[^0-9]/)
        .filter((digits) => digits !== '');
      const steps = isList(want) ? listItems(want) : [];
      const wrong = steps.findIndex(
        (step, index) => said[index] === undefined || BigInt(said[index]) !== wholeOf(step),
      );
      return wrong < 0 ? steps.length : wrong;
    },
  })),
  PMMEvalXNLIEvaluator: languageChoice((want) => pyStr(want)),
  PMMEvalMMMLUEvaluator: languageChoice((want) => pyStr(want)),
  PMMEvalMHellaswagEvaluator: languageChoice(letterAt),
  PMMEvalMLogiQAEvaluator: languageChoice(letterAt),
  NCExactMatchEvaluator: plainJudge('score', (got, want) => {
    const said = moleculeIn(got);
    const value = Number(said !== '' && stripText(said) === stripText(moleculeIn(pyStr(want))));
    return { value, metrics: { valid_score: 1 } };
  }),
  NCElementMatchEvaluator: plainJudge('score', (got, want) => {
    const right = elementsOf(moleculeIn(pyStr(want)));
    if (right === undefined) return undefined;
    const written = moleculeIn(got);
    const said = written === '' ? '' : elementsOf(written);
    return { value: Number(said === right), metrics: { valid_score: Number(said !== undefined) } };
  }),
  RMSEEvaluator: judgeWith({}, () => ({
    metric: 'score',
    ...distance,
    judge(got, want) {
      const right = markedNumber(pyStr(want));
      if (right === undefined) return undefined;
      return Math.abs((markedNumber(pyStr(got)) ?? 0) - right);
    },
  })),
  ELBenchChoiceEvaluator: plainJudge('accuracy', (got, want) => {
    const right = lettersIn(pyStr(want));
    return right !== '' && chosenLetters(got) === right;
  }),
  ELBenchMathEvaluator: plainJudge('accuracy', (got, want) => {
    const [said, right] = [got, pyStr(want)].map((text) =>
      normalizeAnswer(boxedAnswer(text) ?? text),
    );
    return right !== '' && said === right;
  }),
  Game24Evaluator: plainJudge('acc score', (got, want) => {
    const numbers = (text: string) => (text.match(/\d+/g) ?? []).sort().join(' ');
    if (numbers(got) !== numbers(pyStr(want)) || !/^[\d\s+\-*/()]+$/.test(got)) return false;
    const expression = parseMath(got.replaceAll('**', '^'));
    const value = expression && exactValue(expression);
    return value?.top === 24n && value.bottom === 1n;
  }),
  S3EvalEvaluator: plainJudge('score', (got, want) => {
    const right = pyStr(want);
    if (right.includes('|')) return overlapOf(tableLines(got), tableLines(right));
    if (right.includes(',')) return overlapOf(itemsOf(got), itemsOf(right));
    const [one, other] = [readFloatText(got), readFloatText(right)];
    if (one !== undefined && other !== undefined) return one === other;
    return overlapOf(splitWords(plainWordsOf(got)), splitWords(plainWordsOf(right)));
  }),
};

function shareOf(sums: ArrayLike<number>, place: number): number {
  return (sums[place] ?? 0) / (sums[place + 1] ?? 0);
}

function wholeOf(value: PyValue): bigint | undefined {
  const text = pyStr(value);
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

/** What an answer is announced with, by the language: `fr` or `FR-FR`. */
const announcements: Readonly<Record<string, readonly string[]>> = {
  fr: ['La réponse est', 'la réponse est'],
  en: ['the answer is', 'The answer is'],
  vi: ['Câu trả lời là', 'câu trả lời là'],
  ar: ['الجواب هو'],
  th: ['คำตอบคือ'],
  zh: ['答案是'],
  ko: ['답변은'],
  pt: ['A resposta é'],
  ja: ['答えは'],
  id: ['Jawaban adalah', 'jawaban adalah'],
  es: ['La respuesta es'],
};

const choicePatterns = [
  /\{\s*?"answer"\s*?:\s*?"?([ABCD]).*?"?\s*?\}/gs,
  /\{\s*?['"]answer['"]\s*?:\s*?['"]([ABCD]).*?['"]\s*?\}/gs,
  /"answer"\s*:\s*"?([ABCD])"?/gs,
  /['"]answer['"]\s*:\s*['"]([ABCD])['"]/gs,
];

/** The choice that an answer names, in the language that its post-processor puts beside it. */
function languageChoice(gold: (want: PyValue) => string): JudgeType {
  return valueJudge('accuracy', (got, want) => {
    const [text = '', language = ''] =
      got instanceof PyTuple ? got.items.map((item) => pyStr(item)) : [pyStr(got)];
    const said = namedChoice(text, language) ?? /[ABCD]/.exec(firstOf(text))?.[0];
    return said !== undefined && said.toLowerCase() === gold(want).toLowerCase();
  });
}

function namedChoice(text: string, language: string): string | undefined {
  for (const pattern of choicePatterns) {
    const found = [...text.matchAll(pattern)].at(-1)?.[1];
    if (found !== undefined) return found;
  }
  const phrases = announcements[language.slice(0, 2).toLowerCase()] ?? [];
  const phrase = phrases.find((one) => text.includes(one) && one !== text);
  const letter = phrase && stripText(text.split(phrase).at(-1) ?? '')[0];
  return letter && /[A-Da-d]/.test(letter) ? letter : undefined;
}

/** The first of the letters by the alphabet, wherever it stands. */
function firstOf(text: string): string {
  return [...'ABCD'].find((letter) => text.includes(letter)) ?? '';
}

function letterAt(want: PyValue): string {
  return String.fromCharCode(65 + Number(pyStr(want)));
}

/** What stands before a molecule that is not marked. */
const openings = [
  'reactants and reagents are:\n```\n',
  'reactants and reagents:\n```\n',
  'Reactants and Reagents:**\n```\n',
  'Reactants and Reagents SMILES:**\n```\n',
  'Reactants and Reagents:**  \n`',
];

/** The last molecule that is marked as one; the whole text where none is. */
function moleculeIn(text: string): string {
  const marked = [...text.matchAll(/<(MOLFORMULA|SMILES|IUPAC)>(.*?)<\/\1>/gs)].at(-1)?.[2];
  if (marked !== undefined) return stripText(marked);
  const opening = openings.find((one) => text.includes(one));
  return opening === undefined ? text : (text.split(opening).at(-1)?.split('\n')[0] ?? '');
}

/** The elements of a formula and how often it has them, in a form that can be compared. */
function elementsOf(formula: string): string | undefined {
  if (!/^[A-Za-z\d]+(?:[+-]\d*)*\n?$/.test(formula) || /^\d/.test(formula)) return undefined;
  const counts = new Map<string, bigint>();
  const atom = /([A-Z][a-z]?)(\d+)?/y;
  for (let found = atom.exec(formula); found; found = atom.exec(formula)) {
    const [, name = '', times = '1'] = found;
    counts.set(name, (counts.get(name) ?? 0n) + BigInt(times));
  }
  const charge = /([+-])(\d*)/.exec(formula);
  if (charge) counts.set(charge[1] ?? '', BigInt(charge[2] || '1'));
  return [...counts]
    .map(([name, times]) => `${name}${times}`)
    .sort()
    .join(' ');
}

function markedNumber(text: string): number | undefined {
  const pattern = /(?:<NUMBER>\s*|\\boxed\{)\s*(-?\d*\.?\d+)\s*(?:<\/NUMBER>|\})/;
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The letters from A to J, each once and in order. */
function lettersIn(text: string): string {
  return [...new Set(text.toUpperCase().match(/[A-J]/g) ?? [])].sort().join('');
}

/** The letters after a mark, or those that the last line is made of. */
function chosenLetters(text: string): string {
  const tail = /(?:ANSWER|答案|最终答案)\s*[:：是为]?\s*(.+)/iu.exec(text)?.[1];
  const alone = tail?.match(/(?<![A-Za-z])[A-Ja-j](?![A-Za-z])/g) ?? [];
  if (alone.length > 0) return lettersIn(alone.join(''));
  const last = text
    .split(/\r\n|[\n\r\v\f\u2028\u2029]/)
    .map((line) => stripText(line))
    .findLast((line) => line !== '');
  const isBare = last !== undefined && !/[^\sA-J,，、.。()[\]:：和与]/u.test(last.toUpperCase());
  return isBare ? lettersIn(last) : '';
}

/** The lines of a Markdown table below its head. */
function tableLines(text: string): string[] {
  return text
    .split('\n')
    .slice(2)
    .filter((line) => stripText(line) !== '')
    .map((line) => JSON.stringify(line.split('|').slice(1, -1).map(stripText)));
}

/** The different parts between commas. */
function itemsOf(text: string): string[] {
  return [...new Set(text.split(',').map(stripText))];
}
