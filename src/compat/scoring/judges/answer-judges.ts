import { pyEquals } from '../../../python/operators.ts';
import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { pythonSpace, stripText } from '../../../python/text.ts';
import type { PyValue } from '../../../python/values.ts';
import { oneOfNames } from '../../../score/component/option-kinds.ts';
import { cleanWith } from '../../../score/extract/opencompass-postprocess.ts';
import { countCommon, countNgrams, f1Of } from '../../../score/metrics/ngrams.ts';
import { splitWords } from '../../../score/metrics/split-words.ts';
import { after, before } from '../cleaners/cleaner.ts';
import { dapoAnswer, isSameAnswer } from '../math-answers.ts';
import { cleanedBy } from './cleaned-by.ts';
import { type JudgeType, judgeWith, plainJudge, textsOf, valueJudge } from './row-judge.ts';
import { plainWordsOf } from './word-overlap.ts';

const clean = (text: string) => cleanWith('general', text);
const same = valueJudge('accuracy', pyEquals);
const sameScore = valueJudge('score', pyEquals);

/** Evaluators that tell right answers from wrong ones, by the names of their classes. */
export const answerJudges: Readonly<Record<string, JudgeType>> = {
  AccEvaluator: valueJudge('accuracy', (got, want) => pyStr(got) === pyStr(want)),
  AccwithDetailsEvaluator: same,
  EMEvaluator: plainJudge('score', (got, want) => {
    const said = clean(got);
    return textsOf(want).some((answer) => said === answer || said === clean(answer));
  }),
  GPQAEvaluator: same,
  MGSM_Evaluator: same,
  LongBenchv2Evaluator: same,
  BBHEvaluator_mcq: sameScore,
  AGIEvalEvaluator_mcq: sameScore,
  BBHEvaluator: plainJudge('score', (got, want) => {
    const [said, right] = [got, pyStr(want)].map((text) =>
      foldCase(cleanedBy('bbh_freeform_postprocess', text)),
    );
    return said === right;
  }),
  BBEHEvaluator_mcq: plainJudge('score', (got, want) => {
    const right = pyStr(want)
      .toLowerCase()
      .replace(/^[()]+|[()]+$/g, '');
    return cleanedBy('bbeh_mcq_postprocess', got) === right;
  }),
  Gsm8kEvaluator: plainJudge('accuracy', (got, want) => {
    const right = pyStr(want);
    if (got === right) return true;
    const [number, whole] = [readFloatText(got), wholeNumber(right)];
    return number !== undefined && whole !== undefined && Math.abs(number - whole) < 1e-6;
  }),
  MATHEvaluator: judgeWith(
    { version: oneOfNames(['v1', 'v2']).optional() },
    ({ version = 'v1' }) => ({
      metric: 'accuracy',
      judge: (got, want) => {
        if (got === null || want === null) return got === want;
        return isSameAnswer(pyStr(got), pyStr(want), version);
      },
    }),
  ),
  DAPOMathEvaluator: plainJudge('accuracy', (got, want) => got === dapoAnswer(pyStr(want))),
  DAPOMathEvaluatorV2: valueJudge('accuracy', (got, want) => pyStr(got) === pyStr(want)),
  TriviaQAEvaluator: plainJudge('score', (got, want) => {
    const line = firstLine(stripText(got)).toLowerCase();
    const said = ['answer is', 'a:', 'answer:'].reduce(
      (text, mark) => after(text, mark, 'last'),
      line,
    );
    return holdsOneOf(clean(stripText(said)), want);
  }),
  NQEvaluator: plainJudge('score', (got, want) =>
    holdsOneOf(clean(after(firstLine(stripText(got)).toLowerCase(), 'answer is', 'last')), want),
  ),
  NQEvaluatorCN: plainJudge('score', (got, want) =>
    isOneOf(clean(after(firstLine(got).toLowerCase(), '答案是：', 'last')), want),
  ),
  SQuAD20Evaluator: plainJudge('score', (got, want) =>
    isOneOf(clean(after(firstLine(got).toLowerCase(), 'answer is', 'last')), want),
  ),
  TydiQAEvaluator: plainJudge('exact_match', (got, want) => {
    const said = clean(firstLine(got).toLowerCase());
    const answers = textsOf(want).map(clean);
    if (answers.length === 0) return undefined;
    const value = Number(answers.includes(said));
    return { value, metrics: { f1: Math.max(...answers.map((answer) => wordsF1(said, answer))) } };
  }),
  DropOpenAIEvaluator: plainJudge('accuracy', (got, want) => {
    const said = plainWordsOf(answerLine.exec(got)?.[1] ?? got);
    return pyStr(want)
      .split('|')
      .some((answer) => holdEachOther(said, plainWordsOf(answer)));
  }),
  LambadaEvaluator: plainJudge('accuracy', (got, want) => {
    const word = before(stripText(got), ' ').split(/[!-/:-@[\]-`{-~]/, 1)[0] ?? '';
    return clean(word) === clean(pyStr(want));
  }),
  LEvalEMEvaluator: plainJudge('score', (got, want) => {
    const [said, right] = [clean(got), pyStr(want)];
    return said.includes(clean(right)) || said.includes(right);
  }),
  MMLUProBaseEvaluator: plainJudge('accuracy', (got, want) => {
    const said = stripText(firstLine(got));
    const [letter, text, ...more] = pyStr(want).split('. ');
    if (text === undefined || more.length > 0) return false;
    return /^[A-P]$/.test(said)
      ? said === letter || said === stripText(text)
      : stripText(text) === said;
  }),
  MusrEvaluator: plainJudge('accuracy', (got, want) => {
    const line = got.split('\n').find((part) => part.includes('ANSWER:'));
    const digits = line && /\p{Nd}+/u.exec(after(line, 'ANSWER:', 'last'))?.[0];
    return digits !== undefined && pyEquals(Number(digits), want);
  }),
};

const answerLine = new RegExp(`Answer[${pythonSpace}]*:[${pythonSpace}]*([^\\n]+)`, 'iu');

function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss');
}

function firstLine(text: string): string {
  return before(text, '\n');
}

/** What `int(text)` gives. */
function wholeNumber(text: string): number | undefined {
  const digits = stripText(text);
  return /^[+-]?\d+(?:_\d+)*$/.test(digits) ? Number(digits.replaceAll('_', '')) : undefined;
}

function holdsOneOf(said: string, reference: PyValue): boolean {
  return textsOf(reference).some((answer) => said.includes(clean(answer).toLowerCase()));
}

function isOneOf(said: string, reference: PyValue): boolean {
  return textsOf(reference).some((answer) => clean(answer).toLowerCase() === said);
}

function holdEachOther(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other;
  return one.includes(other) || other.includes(one);
}

function wordsF1(left: string, right: string): number {
  const [own, other] = [splitWords(left), splitWords(right)];
  const common = countCommon(countNgrams(own, 1), countNgrams(other, 1));
  return f1Of(common, [own.length, other.length]);
}
