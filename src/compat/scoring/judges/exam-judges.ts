import type { Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { literalEval } from '../../../python/literal.ts';
import { pyEquals } from '../../../python/operators.ts';
import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { pythonSpace, pythonWord, stripText } from '../../../python/text.ts';
import { isList, listItems, PyDict, type PyValue } from '../../../python/values.ts';
import { oneOfNames } from '../../../score/component/option-kinds.ts';
import { stripCharacters } from '../cleaners/cleaner.ts';
import { firstOption } from '../first-option.ts';
import { isSameAnswer, isSameStripped } from '../math-answers.ts';
import { choiceJudges } from './choice-judges.ts';
import { cleanedBy } from './cleaned-by.ts';
import { type JudgeType, judgeWith, plainJudge, textsOf, valueJudge } from './row-judge.ts';

const same = valueJudge('accuracy', pyEquals);
const examQuestions = [
  'single_choice',
  'multi_choice',
  'multi_question_choice',
  'five_out_of_seven',
  'cloze',
  'judgment',
] as const;
const contamination: Readonly<Record<string, string>> = {
  clean: 'clean',
  'input contamination': 'input contaminated',
  'input-and-label contamination': 'input-and-label contaminated',
};

/** The first letter of an option that stands alone. */
const firstLetter = plainJudge('accuracy', (got, want, row) => {
  const said = got.replace(/I understand|A through [JED]/g, '');
  return pyEquals(letterIn(said, [...letters(countOf(row.options))]) ?? null, want);
});

/** Evaluators of exams and of tests of knowledge, by the names of their classes. */
export const examJudges: Readonly<Record<string, JudgeType>> = {
  AGIEvalEvaluator: plainJudge('score', (got, want) => {
    const said = agiAnswer(got);
    return said !== undefined && isSameStripped(said, pyStr(want));
  }),
  LiveMathBenchEvaluator: plainJudge('accuracy', (got, want) =>
    isSameAnswer(cleanedBy('math_postprocess_v2', got), pyStr(want), 'v2'),
  ),
  AccContaminationEvaluator: valueJudge('accuracy', (got, want, row) => {
    const value = Number(pyStr(got) === pyStr(want));
    const kind = contamination[String(row.is_clean)];
    return { value, metrics: kind === undefined ? {} : { [`accuracy - ${kind}`]: value } };
  }),
  ARCPrizeEvaluator: plainJudge('accuracy', (got, want) => pyEquals(gridOf(got), want)),
  CharmMemoryEvaluator: plainJudge('accuracy', (got, want) => {
    if (unsure.some((word) => got.includes(word))) return false;
    const [first = '', ...others] = textsOf(want);
    const isForbidden = others.length === 0 && first.startsWith('[not]');
    const answers = isForbidden ? [first.slice('[not]'.length)] : [first, ...others];
    return answers.some((answer) => got.includes(answer)) !== isForbidden;
  }),
  CharmReasonEvaluator: valueJudge('score', pyEquals),
  MastermathDatasetv1Evaluator: same,
  CrowspairsEvaluator: valueJudge('accuracy', (got, want) => {
    const value = Number(pyEquals(got, want));
    const isValid = pyStr(got) !== 'invalid';
    return {
      value,
      metrics: { valid_frac: Number(isValid), ...(isValid && { valid_accuracy: value }) },
    };
  }),
  QuALITYEvaluator: valueJudge('all_acc', (got, want, row) => {
    const value = Number(pyEquals(got, want));
    return { value, metrics: { [row.difficult === 0 ? 'easy_acc' : 'hard_acc']: value } };
  }),
  OpenFinDataKWEvaluator: plainJudge('accuracy', (got, want) =>
    pyStr(want)
      .split('、')
      .every((part) => got.includes(part)),
  ),
  PMMEvalMGSMEvaluator: plainJudge(
    'accuracy',
    (got, want) => lastNumber(got) === pyStr(want).replaceAll(',', ''),
  ),
  Math401Evaluator: plainJudge('accuracy', (got, want) => {
    const [said, right] = [readFloatText(got), readFloatText(pyStr(want))];
    return said !== undefined && right !== undefined && Math.abs(said - right) < 1e-3;
  }),
  BBEHEvaluator: plainJudge('score', (got, want) => {
    const said = cleanedBy('bbeh_freeform_postprocess', got);
    const right = pyStr(want).toLowerCase();
    if (said === right || said === stripCharacters(right, '\'"()[]')) return true;
    return right.includes(',') && closeCommas(said) === closeCommas(right);
  }),
  JudgeEvaluator: plainJudge('accuracy', (got, want) => {
    const [choice] = got.split('"Choice": "Model ').at(-1) ?? '';
    return want instanceof PyDict ? choice === pyStr(want.get('winner') ?? '') : undefined;
  }),
  ProteinLMBenchEvaluator: plainJudge('accuracy', (got, want, row) => {
    const options = letters(countOf(row.options));
    return pyEquals(firstOption({ options, cushion: true })(got), want);
  }),
  KaoshiEvaluator: judgeWith({ question_type: oneOfNames(examQuestions) }, ({ question_type }) => {
    if (question_type === 'cloze' || question_type === 'judgment') {
      return {
        metric: 'score',
        judge: (got, want) => /【答案】([^\n]*?) /u.exec(pyStr(got))?.[1] === pyStr(want),
      };
    }
    const type = choiceJudges[`GaokaoBenchEvaluator_${question_type}`];
    if (!type) throw new TypeError(`there is no evaluator of ${question_type}`);
    return type.build({ component: { type: 'KaoshiEvaluator' }, path: [] }, undefined);
  }),
  SuperGPQAEvaluator: plainJudge('accuracy', (got, want, row) => {
    const value = Number(pyStr(want) !== '' && superAnswer(got, row) === pyStr(want));
    const difficulty = row.difficulty === undefined ? [] : [`${row.difficulty}_accuracy`];
    return { value, metrics: Object.fromEntries(difficulty.map((name) => [name, value])) };
  }),
  MedmcqaEvaluator: firstLetter,
  MedbulletsEvaluator: firstLetter,
  MedXpertQAEvaluator: firstLetter,
  NejmaibenchEvaluator: firstLetter,
  SciKnowEvalEvaluator: plainJudge('accuracy', (got, want, row) =>
    pyEquals(letterIn(got, textsOf(memberOf(row.choices, 'label'))) ?? null, want),
  ),
};

function letterIn(text: string, options: readonly string[]): string | undefined {
  if (options.length === 0) return undefined;
  const alone = `(?<![${pythonWord}])(?:${options.map(escapePattern).join('|')})(?![${pythonWord}])`;
  return new RegExp(alone, 'u').exec(text)?.[0];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function letters(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(65 + index)).join('');
}

function countOf(options: unknown): number {
  if (Array.isArray(options)) return options.length;
  return typeof options === 'object' && options !== null ? Object.keys(options).length : 0;
}

function memberOf(value: unknown, key: string): PyValue {
  const found = value instanceof Map ? value.get(key) : (value as Row | undefined)?.[key];
  return toPython(found ?? null);
}

function closeCommas(text: string): string {
  return text.replace(new RegExp(`[${pythonSpace}]*,[${pythonSpace}]*`, 'gu'), ',');
}

const number =
  /[+-]?(?=[0-9]|\.[0-9])(?:0|[1-9](?:\p{Nd}{0,2}(?:,\p{Nd}{3})*)|\p{Nd}*)?(?:\.\p{Nd}*)?(?=\P{Nd}|$)/gu;

/** The last number of a text, without commas and sign. */
function lastNumber(text: string): string | undefined {
  const found = [...text.matchAll(number)].at(-1)?.[0];
  return found && stripCharacters(stripText(found.replace(/[,+]/g, '')), '.');
}

/** The first list of lists of whole numbers in a text. */
function gridOf(text: string): PyValue {
  const start = text.indexOf('[[');
  const end = text.indexOf(']]', start);
  const read = start < 0 || end < 0 ? undefined : literalEval(text.slice(start, end + 2))?.value;
  if (read === undefined || !isList(read)) return [[0]];
  const isGrid = listItems(read).every(
    (line) => isList(line) && listItems(line).every((one) => Number.isInteger(one)),
  );
  return isGrid ? read : [[0]];
}

/** The answer to a problem of AGIEval: boxed, in dollars, after the last `=`, or the last number. */
function agiAnswer(text: string): string | undefined {
  const said = ['The answer is therefore', '答案是'].reduce(
    (part, mark) => (part.includes(mark) ? stripText(afterMark(part, mark)) : part),
    text,
  );
  const afterSign = (part: string) => part.split('=').at(-1)?.replace(/^ +/, '') ?? '';
  if (said.includes('\\boxed')) {
    const boxed = lastBox(said);
    return boxed?.includes('=') ? afterSign(boxed) : boxed;
  }
  const dollars = [...said.matchAll(/\$([^\n]*)\$/gu)].at(-1)?.[1];
  if (dollars) return dollars.includes('=') ? afterSign(dollars) : dollars;
  if (said.includes('=')) return afterSign(said).replace(/\.+$/, '').split('\\n')[0];
  return said.match(new RegExp(`\\$?\\p{Nd}+(?:\\.\\p{Nd}+)?(?![${pythonWord}])`, 'gu'))?.at(-1);
}

/** What stands in the last `\boxed{}`. */
function lastBox(text: string): string | undefined {
  const start = text.lastIndexOf('\\boxed');
  let open = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') open++;
    if (text[at] !== '}') continue;
    open--;
    if (open === 0) {
      const box = text.slice(start, at + 1);
      return box.startsWith('\\boxed{') ? box.slice('\\boxed{'.length, -1) : undefined;
    }
  }
  return undefined;
}

function afterMark(text: string, mark: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : (text.split(mark).at(-1) ?? '');
}

const space = `[${pythonSpace}]`;
const word = `[${pythonWord}]`;
const lead = '(?:[*$\\\\{(\\[]|\\\\(?:boxed|mathbf|mathrm|text)\\{)*';
const tail = `[\\\\}$)\\]]*(?:[${pythonSpace}:.*)]|$)`;

/** Where an answer to SuperGPQA may name its option, in the order in which places are looked at. */
function optionPatterns(option: string, [is, colon]: readonly [string, string], flags: string) {
  const answer = '[Aa][Nn][Ss][Ww][Ee][Rr]';
  return [
    `[Tt]he${space}+(?:${word}+${space}+)?(?:answer|option)(?:${word}+${space}+)?${space}+${is}:?${space}*`,
    `${answer}${colon}${space}*`,
    `^[^${pythonWord}\\r\\n]*`,
  ].map((start) => new RegExp(`${start}${lead}${space}*(${option})${tail}`, flags));
}

const letterPatterns = optionPatterns('[A-J]', ['is?', `[*${pythonSpace}]*:`], 'iu');

function firstFound(text: string, patterns: readonly RegExp[]): string | undefined {
  const whole = text.trimEnd();
  const lines = [whole.split('\n').at(-1) ?? '', whole];
  return lines
    .flatMap((part) => patterns.map((pattern) => pattern.exec(part)?.[1]))
    .find((found) => found !== undefined);
}

/** The option that an answer names by its letter or by its text. */
function optionNamed(text: string, options: readonly string[]): string | undefined {
  const letter = firstFound(text, letterPatterns);
  if (letter !== undefined || options.length === 0) return letter;
  const texts = options.map(escapePattern).join('|');
  const content = firstFound(text, optionPatterns(texts, ['is', ''], 'u'));
  return content === undefined ? undefined : letters(options.length)[options.indexOf(content)];
}

function superAnswer(text: string, row: Row): string | undefined {
  const options = Array.isArray(row.options) ? row.options.map(String) : [];
  if (row.prompt_mode !== 'five-shot') return optionNamed(text, options);
  return optionNamed(text.split('Question:', 1)[0] ?? '', options) ?? optionNamed(text, options);
}

const unsure = ['不确定', '无法确定', '无法回答', '不知道', '不认识'];
