import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { entriesOf, getKey, isMapping } from '../../../prompt/mapping.ts';
import type { Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { pyStr } from '../../../python/repr.ts';
import { pythonSpace, pythonWord, stripText } from '../../../python/text.ts';
import { arithmetic } from '../arithmetic.ts';
import { stripCharacters } from '../cleaners/cleaner.ts';
import { type JudgeType, plainJudge } from './row-judge.ts';

/** A question of KOR-Bench, and what its rule is. */
interface Question {
  readonly category: string;
  readonly rule: string;
  readonly answer: string;
}

/** Evaluator of KOR-Bench, by the name of its class. */
export const korbenchJudges: Readonly<Record<string, JudgeType>> = {
  korbenchEvaluator: plainJudge('accuracy', (got, want, row) => {
    if (row.prompt_mode === 'mixed') return judgeMixed(got, row);
    if (typeof row.category !== 'string') return undefined;
    const rule = String(row.rule_id ?? '');
    return isRight(got, { category: row.category, rule, answer: pyStr(want) });
  }),
};

/** All questions of a row, answered in the values of one JSON object. */
function judgeMixed(got: string, row: Row): boolean | undefined {
  const questions = questionsOf(row);
  if (!questions) return undefined;
  const answers = answersIn(got);
  return (
    answers.length >= questions.length &&
    questions.every((question, index) => isRight(answers[index] ?? '', question))
  );
}

/** The questions with their answers, which the class looks up in files of their own. */
function questionsOf({ questions }: Row): readonly Question[] | undefined {
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  const read = questions.filter(isMapping).map((question) => ({
    category: String(getKey(question, 'category')),
    rule: String(getKey(question, 'rule_id')),
    answer: String(getKey(question, 'answer')),
  }));
  return read.length === questions.length ? read : undefined;
}

function answersIn(text: string): string[] {
  const written = /\{[\s\S]*\}/.exec(text)?.[0];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const json = written?.replace(/[\x00-\x1f\x7f]/g, '');
  if (json === undefined) return [];
  try {
    const { value } = readJson(json);
    return isMapping(value) ? entriesOf(value).map(([, item]) => pyStr(toPython(item))) : [];
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return [];
  }
}

type Level = 'clean' | 'logic';

const space = `[${pythonSpace}]*`;
const bracketPatterns = [
  new RegExp(`\\[\\[${space}([^]*?)${space}\\]\\]`, 'u'),
  /\$\\boxed\{([\s\S]*?)\}\$/u,
  new RegExp(`\\[${space}([^]*?)${space}\\]`, 'u'),
];

/** What stands in brackets, in two of them. */
function bracketed(text: string, level: Level): string {
  const found = bracketPatterns
    .map((pattern) => pattern.exec(text)?.[1])
    .find((one) => one != null);
  if (found === undefined) return 'NULL';
  const dropped = level === 'clean' ? /["\n [\]]/g : /["\n .]/g;
  return `[[${stripText(found).replace(dropped, '')}]]`;
}

function insideBrackets(text: string): string {
  return /\[\[([\s\S]*?)\]\]/.exec(text)?.[1] ?? 'NULL';
}

const nonWords = new RegExp(`[^${pythonWord}]+`, 'gu');
const words = (text: string) => text.replace(nonWords, '');
const letters = (text: string) => text.replace(/[^A-Za-z]/g, '').toLowerCase();
const sorted = (parts: Iterable<string>) => JSON.stringify([...parts].sort());
const digitsIn = (text: string) =>
  JSON.stringify((text.match(/\p{Nd}+/gu) ?? []).map((digits) => digits.replace(/^0+(?=.)/, '')));

function isRight(got: string, { category, rule, answer }: Question): boolean {
  if (category === 'logic') {
    const said = bracketed(got, 'logic');
    if (rule === '5') return sorted(said.split(';')) === sorted(answer.split(';'));
    return said === bracketed(answer, 'logic');
  }
  if (category === 'puzzle') {
    const [said, right] = [insideBrackets(got), insideBrackets(answer)];
    return (puzzleRules[rule] ?? sameWords)(said, right);
  }
  const said = bracketed(got, 'clean');
  if (category !== 'operation') return said === answer;
  if (rule === '18') return sorted(words(said)) === sorted(words(insideBrackets(answer)));
  if (['23', '24', '25'].includes(rule)) return digitsIn(said) === digitsIn(answer);
  if (!answer.includes('or')) return said === answer;
  if (said === 'NULL') return false;
  return (
    sorted(choices(said.replaceAll('\\text{or}', 'or'))) ===
    sorted(choices(bracketed(answer, 'clean')))
  );
}

function choices(text: string): string[] {
  return stripCharacters(text, '[]').split('or').map(stripText);
}

type Rule = (said: string, right: string) => boolean;

const sameWords: Rule = (said, right) => words(said) === words(right);
const plainSigns = (text: string) => text.replaceAll('×', '*').replaceAll('−', '-');
const leftSide = (text: string) => text.split('=')[0] ?? '';

/** How single puzzles are compared. */
const puzzleRules: Readonly<Record<string, Rule>> = {
  1: (said, right) => letters(said) === letters(right),
  2: (said, right) => right.split(',').includes(letters(said)),
  3: (said, right) =>
    sorted(
      said
        .toLowerCase()
        .split(nonWords)
        .filter((word) => word !== ''),
    ) === sorted(right.split(' ')),
  4: (said, right) => right.includes(letters(said)),
  5: (said, right) =>
    sorted(said.replace(new RegExp(`[${pythonSpace}]+`, 'gu'), '').split(',')) ===
    sorted(right.split(',')),
  9(said, right) {
    const [own, wanted] = [plainSigns(said), plainSigns(right)];
    const signs = (text: string) => (leftSide(text).match(/[-+*/]/g) ?? []).join('');
    const result = /=\s*(-?\d+)/.exec(wanted)?.[1];
    if (signs(own) !== signs(wanted) || result === undefined) return false;
    return arithmetic(leftSide(own)) === Number(result);
  },
  10(said, right) {
    const own = leftSide(plainSigns(said));
    const wanted = leftSide(plainSigns(right).split('\n')[0] ?? '');
    return sorted(words(own)) === sorted(words(wanted)) && arithmetic(own) === 24;
  },
  18(said, right) {
    const plain = (text: string) => text.replace(new RegExp(`[,${pythonSpace}[\\]]+`, 'gu'), '');
    return plain(said) === plain(right);
  },
};
