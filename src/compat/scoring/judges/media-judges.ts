import { isUpper } from '../../../python/letter-case.ts';
import { pyEquals } from '../../../python/operators.ts';
import { pyStr } from '../../../python/repr.ts';
import {
  countCharacters,
  pythonSpace,
  pythonWord,
  splitWords,
  stripText,
} from '../../../python/text.ts';
import { isList, isText, listItems, PyDict, type PyValue } from '../../../python/values.ts';
import { countEdits } from '../../../score/metrics/edit-distance.ts';
import { boxedAnswer, isSameAnswer, normalizeAnswer } from '../math-answers.ts';
import { boxJudge } from './box-judge.ts';
import { type JudgeType, plainJudge } from './row-judge.ts';
import { vqaWords, withoutPunctuation } from './vqa-words.ts';

const documentAnswer = plainJudge('ANLS Acc', (got, want) => {
  const answers = listedTexts(want);
  if (answers.length === 0) return undefined;
  const said = stripText(got.replaceAll('<|im_end|>', ''));
  const nearest = Math.min(...answers.map((answer) => relativeEdits(answer, said)));
  return 1 - nearest < 0.5 ? 0 : 1 - nearest;
});

const soundLabels: Readonly<Record<string, string>> = {
  A: 'laughter',
  B: 'sigh',
  C: 'cough',
  D: 'throatclearing',
  E: 'sneeze',
  F: 'sniff',
};

/** Evaluators of AISBench for questions about images, video and sound, by the names of their classes. */
export const mediaJudges: Readonly<Record<string, JudgeType>> = {
  VideoMMEEvaluator: plainJudge('[Overall][overall]', (got, want) => {
    if (!(want instanceof PyDict)) return undefined;
    const text = (key: string) => pyStr(want.get(key) ?? '');
    const value = Number(firstChoice(got) === text('answer'));
    const kinds = ['domain', 'sub_category', 'task_type'].map((key) => `[${key}: ${text(key)}]`);
    const parts = [`[duration: ${text('duration')}]`, '[Overall]'].flatMap((length) =>
      ['[overall]', ...kinds].map((kind) => `${length}${kind}`),
    );
    const named = parts.filter((part) => part !== '[Overall][overall]');
    return { value, metrics: Object.fromEntries(named.map((part) => [part, value])) };
  }),
  MathVisionEvaluator: plainJudge('Accuracy', (given, want) => {
    const got = stripText(given.replaceAll('<|im_end|>', ''));
    const gold = want instanceof PyDict ? want : undefined;
    const answer = pyStr(gold ? (gold.get('answer') ?? '') : want);
    const isChoice = gold !== undefined && pyStr(gold.get('type') ?? '') === 'mcq';
    const value = Number(
      isChoice
        ? visionChoice(got, choicesOf(gold.get('choices') ?? '')) === answer
        : isSameAnswer(visionAnswer(got), answer, 'v2'),
    );
    const [level, subject] = ['level', 'subject'].map((key) => gold?.get(key) ?? null);
    return {
      value,
      metrics: {
        ...(level !== null && level !== undefined && { [`level ${pyStr(level)}`]: value }),
        ...(subject && { [`subject: ${pyStr(subject)}`]: value }),
      },
    };
  }),
  TEXTEvaluator: plainJudge('accuracy', (got, want) => vqaShare(got, want)),
  TEXTEvaluatorForGlm4v: plainJudge('accuracy', (got, want) => {
    const boxed = /<\|begin_of_box\|>([^\n]*?)<\|end_of_box\|>/u.exec(got)?.[1];
    return vqaShare(boxed === undefined ? got : stripText(boxed), want);
  }),
  DocVQAEvaluator: documentAnswer,
  InfoVQAEvaluator: documentAnswer,
  MMMUEvaluator: plainJudge('Overall', (got, want) => {
    const said = got.replaceAll('<|im_end|>', '');
    const answer = want instanceof PyDict ? want : undefined;
    const right = stripText(pyStr(answer ? (answer.get('answer') ?? '') : want));
    const isChoice = answer?.get('type') === 'multiple-choice';
    const choices = isChoice ? choicesOf(answer.get('choices') ?? null) : undefined;
    const isRight = choices
      ? pickedLetter(said, choices.length) === right
      : openAnswer(said).toLowerCase() === right.toLowerCase();
    return byCategory(Number(isRight), answer);
  }),
  MMStarEvaluator: plainJudge('Overall', (got, want) => {
    if (!(want instanceof PyDict)) return undefined;
    const picked = inferChoice(got, choicesOf(want.get('choices') ?? null));
    const value = Number(picked === pyStr(want.get('answer') ?? null));
    return { value, metrics: { [pyStr(want.get('category') ?? '')]: value } };
  }),
  MMMUProEvaluator: plainJudge('Overall', (got, want) => proChoice(got, want)),
  MMMUProCotEvaluator: plainJudge('Overall', (got, want) => proChoice(thoughtAnswer(got), want)),
  RealworldQAEvaluator: plainJudge('accuracy', (got, want) => {
    const gold = want instanceof PyDict ? (want.get('answer') ?? '') : want;
    const said = /ANSWER:\s*([^\n]*)/u.exec(got)?.[1] ?? '';
    return stripText(said).toLowerCase() === stripText(pyStr(gold)).toLowerCase();
  }),
  VideoBenchEvaluator: plainJudge('accuracy', (got, want) => {
    const picked = [...'ABCDEF'].find((letter) => got.includes(letter)) ?? '';
    return want instanceof PyDict ? picked === pyStr(want.get('answer') ?? null) : undefined;
  }),
  VocalSoundEvaluator: plainJudge('accuracy', (got, want) => {
    const [letter] = got;
    return (letter === undefined ? got : (soundLabels[letter] ?? '')) === pyStr(want);
  }),
  BBoxIoUEvaluator: boxJudge,
};

/** As VQA counts: for each reference, a third for each of the others that the answer is, at most 1. */
function vqaShare(got: string, want: PyValue): number | undefined {
  if (!isList(want)) return undefined;
  const given = listItems(want).filter((item) => item instanceof PyDict);
  const texts = given.map((item) => pyStr(item.get('answer') ?? null));
  if (texts.length === 0) return undefined;
  const isVaried = new Set(texts).size > 1;
  const answers = texts.map((text) => (isVaried ? withoutPunctuation(text) : text));
  const said = vqaWords(stripText(got.replace(/[\n\t]/g, ' ')));
  // References are told apart by all that is said of them.
  const isSame = (left: number, right: number) =>
    answers[left] === answers[right] && sameBut(given[left] as PyDict, given[right] as PyDict);
  const shares = answers.map((_, index) => {
    const others = answers.filter((text, other) => text === said && !isSame(index, other));
    return Math.min(1, others.length / 3);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Whether two references are the same beside their texts. */
function sameBut(left: PyDict, right: PyDict): boolean {
  const others = (dict: PyDict) => dict.entries().filter(([key]) => key !== 'answer');
  const [own, its] = [others(left), others(right)];
  return (
    own.length === its.length &&
    own.every(([key, value]) => {
      const other = right.get(key);
      return other !== undefined && pyEquals(value, other);
    })
  );
}

function listedTexts(want: PyValue): string[] {
  if (isList(want)) return listItems(want).map((item) => pyStr(item));
  if (!isText(want)) return [];
  // A list that is written as text, as tables have it.
  const items = [...pyStr(want).matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gu)];
  return /^\s*\[/.test(pyStr(want)) ? items.map(([, one, two]) => one ?? two ?? '') : [pyStr(want)];
}

function relativeEdits(answer: string, said: string): number {
  const [own, other] = [answer, said].map((text) => splitWords(text.toLowerCase()).join(' '));
  const longest = Math.max(
    countCharacters(answer.toUpperCase()),
    countCharacters(said.toUpperCase()),
  );
  return longest === 0 ? 0 : countEdits(own ?? '', other ?? '') / longest;
}

function byCategory(value: number, answer: PyDict | undefined) {
  const text = (key: string) => {
    const found = answer?.get(key);
    return found === undefined || found === null ? '' : pyStr(found);
  };
  const category = text('category') || text('subject') || 'Unknown';
  const finer = text('l2-category') || text('subfield') || category;
  const split = text('split') || 'validation';
  return {
    value,
    metrics: { [`[${split}]: ${category}`]: value, [`[${split}]: ${finer}`]: value },
  };
}

type Choices = readonly (readonly [letter: string, text: string])[];

/** Choices as a mapping, or as the JSON of one. */
function choicesOf(value: PyValue): Choices {
  if (value instanceof PyDict) {
    return value.entries().map(([letter, text]) => [pyStr(letter), pyStr(text)]);
  }
  try {
    const read = JSON.parse(pyStr(value)) as Readonly<Record<string, unknown>>;
    return Object.entries(read).map(([letter, text]) => [letter, String(text)]);
  } catch {
    return [];
  }
}

const space = `[${pythonSpace}]`;
const answerAtStart = new RegExp(
  `^ANSWER${space}*:${space}*([A-Za-z\\p{Nd} ,]+)${space}*(?:$|\\n|\\.)`,
  'imu',
);
const answerAnywhere = new RegExp(
  `ANSWER${space}*:${space}*([A-Za-z\\p{Nd} ,]+)(?:[^${pythonWord}]|\\n|$|\\.)`,
  'iu',
);

function pickedLetter(text: string, count: number): string {
  const said = (answerAtStart.exec(text) ?? answerAnywhere.exec(text))?.[1];
  if (said === undefined) return Array.from(text).findLast((letter) => isUpper(letter)) ?? '';
  const letter = stripText(said);
  const allowed = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, count);
  return allowed.includes(letter) ? letter : '';
}

function openAnswer(text: string): string {
  return stripText(new RegExp(`ANSWER:${space}*([^\\n]*)`, 'u').exec(text)?.[1] ?? text);
}

function proChoice(got: string, want: PyValue) {
  const read = readTriple(pyStr(want));
  if (!read) return undefined;
  const [choices, answer, category] = read;
  const value = Number(inferChoice(got.replaceAll('<|im_end|>', ''), choices) === answer);
  return { value, metrics: { [category]: value } };
}

function readTriple(text: string): [Choices, string, string] | undefined {
  try {
    const [choices, answer, category] = JSON.parse(text) as [object, unknown, unknown];
    const listed = Object.entries(choices).map(([key, value]) => [key, String(value)] as const);
    return [listed, String(answer), String(category)];
  } catch {
    return undefined;
  }
}

/** What stands after the only line `Answer:`, or the one letter in it. */
function thoughtAnswer(text: string): string {
  const lines = stripText(text.replaceAll('<|im_end|>', '')).split('\n').map(stripText);
  const said = lines.filter((line) => line.startsWith('Answer:'));
  if (said.length !== 1) return text;
  // The capital of the mark itself counts too.
  const letters = new Set((said[0] ?? '').match(/[A-Z]/g));
  return letters.size === 1 ? ([...letters][0] ?? '') : (said[0] ?? '').slice('Answer:'.length);
}

const refusals = [
  "Sorry, I can't help with images of people yet.",
  "I can't process this file.",
  "I'm sorry, but without the image provided",
  'Cannot determine the answer',
];

/** The choice that an answer names by its letter near the end, or by its text. */
function inferChoice(answer: string, choices: Choices): string | undefined {
  return inferLetter(answer, choices) ?? inferText(answer, choices);
}

function inferLetter(answer: string, choices: Choices): string | undefined {
  if (answer.includes('Failed to obtain answer via API')) return undefined;
  if (refusals.some((refusal) => answer.includes(refusal))) return 'Z';
  const words = splitWords(answer.replace(/[.()[\],:;!*#{}]/g, ' '));
  const named = choices.map(([letter]) => letter).filter((letter) => words.includes(letter));
  if (named.length === 0) return words.includes('Z') ? 'Z' : undefined;
  const [letter = ''] = named;
  return named.length === 1 && words.indexOf(letter) > words.length - 5 ? letter : undefined;
}

function inferText(answer: string, choices: Choices): string | undefined {
  const said = answer.toLowerCase();
  const size = choices.reduce((sum, [, text]) => sum + countCharacters(text), 0);
  if (countCharacters(said) > 2 * size) return undefined;
  const named = choices.filter(([, text]) => said.includes(text.toLowerCase()));
  return named.length === 1 ? named[0]?.[0] : undefined;
}

/** What may stand before a letter, and is not searched for one. */
const announcements = [
  ...['The best answer is', 'The correct answer is', 'The answer is', 'The answer'],
  ...['The best option is', 'The correct option is', 'Best answer:', 'Best option:'],
  ...['Answer:', 'Option:'],
];

function firstChoice(text: string): string | undefined {
  const rest = announcements.reduce((left, one) => left.replaceAll(one, ''), stripText(text));
  return /[ABCD]/.exec(rest)?.[0];
}

const answerLetter = new RegExp(`^ANSWER${space}*:${space}*([A-Za-z])(?![${pythonWord}])`, 'imu');

/** The letter on a line of its own mark, if it is on offer; else the one that the answer leads to. */
function visionChoice(text: string, choices: Choices): string | undefined {
  const letter = answerLetter.exec(text)?.[1];
  const isOffered = choices.some(([one]) => one === letter);
  return isOffered ? letter : inferChoice(text, choices);
}

/** A formula in a box, after a mark, or in the sentence that speaks of the answer. */
function visionAnswer(text: string): string {
  const boxed = boxedAnswer(text, { unwrap: true });
  if (boxed) return normalizeAnswer(boxed);
  const said = new RegExp(`ANSWER${space}*:${space}*([^\\n]+)`, 'iu').exec(text)?.[1];
  if (said !== undefined) return normalizeAnswer(said);
  const sentence = text
    .split('.')
    .find((part) => /final answer|answer is/.test(part.toLowerCase()));
  return sentence === undefined ? stripText(text) : normalizeAnswer(sentence);
}
