import { ConfigError } from '../../../errors.ts';
import { capitalize, isUpper } from '../../../python/letter-case.ts';
import { translatePattern } from '../../../python/pattern.ts';
import {
  collapseSpace,
  compareText,
  pythonDigit,
  pythonSpace,
  pythonWord,
  stripText,
  takeCharacters,
  trailingSpace,
} from '../../../python/text.ts';
import { PyTuple } from '../../../python/values.ts';
import { amount, nonEmptyText } from '../../../score/component/option-kinds.ts';
import { gsm8kGold, gsm8kNumber } from '../../../score/extract/opencompass-postprocess.ts';
import { segmenterOf } from '../../../score/segment/segmenter.ts';
import { boxedAnswer, dapoAnswer, normalizeAnswer } from '../math-answers.ts';
import {
  after,
  before,
  type CleanerType,
  cleanerWith,
  plainCleaner,
  stripCharacters,
} from './cleaner.ts';

const unchanged = plainCleaner((text) => text);
const firstLine = plainCleaner((text) => before(text.replace(/^\n+/, ''), '\n'));
const firstTrimmedLine = plainCleaner((text) => stripText(before(stripText(text), '\n')));
const afterChineseMark = plainCleaner((text) => after(text, '答案是', 'first'));
const bracketedLetter = plainCleaner((text) => {
  const answer = text.includes('answer is ') ? stripText(after(text, 'answer is ', 'first')) : text;
  return (/\(([A-Z])\)*/.exec(answer) ?? /([A-Z])/.exec(answer))?.[1] ?? answer;
});
const withLanguage = cleanerWith(
  { lang_code: nonEmptyText.optional() },
  ({ lang_code: language = '' }) =>
    (text) =>
      new PyTuple([text, language]),
);
const dapoMark = new RegExp(`Answer[${pythonSpace}]*:[${pythonSpace}]*([^\\n]+)`, 'giu');
const anyDigit = new RegExp(pythonDigit, 'gu');
const gsm8k = plainCleaner(gsm8kNumber);
const gsm8kDataset = plainCleaner(gsm8kGold);
const hundredNumbers = plainCleaner((text) => {
  const said = text.split('The answer is')[1] ?? '';
  const digits = said.split(' ').map((part) => part.match(anyDigit));
  return (digits.find((found) => found !== null) ?? []).join('');
});

/** Post-processors that look for the answer in a text, by the names of their functions. */
export const answerCleaners: Readonly<Record<string, CleanerType>> = {
  gsm8k,
  gsm8k_postprocess: gsm8k,
  gsm8k_dataset: gsm8kDataset,
  gsm8k_dataset_postprocess: gsm8kDataset,
  gsm100_postprocess: hundredNumbers,
  gsm100_dataset_postprocess: plainCleaner((text) => text.replaceAll(',', '')),
  clbench_pred_postprocess: cleanerWith(
    { max_chars: amount.optional() },
    ({ max_chars: most }) =>
      (text) => {
        const kept = text.slice(0, trailingSpace(text));
        return most === undefined ? kept : takeCharacters(kept, most);
      },
  ),
  dapo_math_postprocess: plainCleaner((text) => {
    const said = [...text.matchAll(dapoMark)].at(-1)?.[1];
    return dapoAnswer(said ?? '[INVALID]');
  }),
  dapo_math_postprocess_v2: plainCleaner((text) =>
    lastBoxed(Array.from(text).slice(-100).join('')),
  ),
  game24_postprocess: plainCleaner((text) => {
    const last = stripText(text).split('\n').at(-1) ?? '';
    return before(last.toLowerCase().replaceAll('answer: ', ''), '=');
  }),
  pmmeval_xnli_postprocess: withLanguage,
  pmmeval_mmmlu_postprocess: withLanguage,
  pmmeval_mhellaswag_postprocess: withLanguage,
  pmmeval_mlogiqa_postprocess: withLanguage,
  needlebench_postprocess: unchanged,
  needlebench_dataset_postprocess: unchanged,
  needlebench_atc_postprocess_v2: plainCleaner((text) => {
    const boxed = boxedAnswer(text, { unwrap: true });
    return boxed ? plainName(boxed) : 'None';
  }),
  math_postprocess: plainCleaner((text) => saidAnswer(text, /final answer/)),
  math_postprocess_v2: plainCleaner(
    (text) => boxedAnswer(text, { unwrap: true }) || saidAnswer(text, /final answer|answer is/),
  ),
  math_judement_preprocess: plainCleaner((text) => answerLine.exec(text)?.[1] ?? ''),
  mathbench_postprocess: cleanerWith({ name: nonEmptyText }, ({ name }) => {
    const mark = name.includes('_cn') ? '答案是' : 'The answer is';
    return (text) => markedNumber(text, mark);
  }),
  scibench_postprocess: plainCleaner((text) => {
    const answer = text.includes('answer is') ? stripText(after(text, 'answer is', 'first')) : text;
    const boxed = /\\boxed\{([^\n]+?)\}/u.exec(answer)?.[1];
    return boxed ?? numbersIn(answer, /-?\p{Nd}*\.?\p{Nd}+|\p{Nd}+/gu).at(-1) ?? answer;
  }),
  bbh_mcq_postprocess: bracketedLetter,
  'bbh-mcq': bracketedLetter,
  charm_reason_postprocess: bracketedLetter,
  bbh_freeform_postprocess: plainCleaner(freeAnswer),
  // The words of the dictionary; what else the original does to the text, it does not use.
  general_cn_postprocess: plainCleaner((text) => segmenterOf('zh')(text).join(' ')),
  bbeh_mcq_postprocess: plainCleaner(hardOption),
  bbeh_freeform_postprocess: plainCleaner(hardAnswer),
  xml_tag_postprocessor: cleanerWith({ tag: nonEmptyText }, ({ tag }) => {
    const end = `</${tag.slice(1, -1)}>`;
    return (text) => {
      const parts = text.split(end);
      const held = parts.slice(0, -1).findLast((part) => part.includes(tag));
      return held === undefined
        ? 'NO ANSWER FOUND'
        : stripText(held.slice(held.indexOf(tag) + tag.length));
    };
  }),
  strategyqa_pred_postprocess: plainCleaner((text) => {
    const said = after(before(text, '\n\n'), 'answer is ', 'last');
    return /yes|no/.exec(said.toLowerCase())?.[0] ?? '';
  }),
  strategyqa_dataset_postprocess: plainCleaner((text) => (text === 'True' ? 'yes' : 'no')),
  match_answer_pattern: cleanerWith({ answer_pattern: nonEmptyText }, ({ answer_pattern }) => {
    const pattern = readPattern(answer_pattern);
    return (text) => pattern.exec(text)?.[1] ?? '';
  }),
  GPQA_Simple_Eval_postprocess: plainCleaner(
    (text) =>
      new RegExp(`ANSWER[${pythonSpace}]*:[${pythonSpace}]*([A-D])`, 'iu').exec(text)?.[1] ?? null,
  ),
  InfiniteBench_first_number_postprocess: plainCleaner(
    (text) => /\p{Nd}+\.\p{Nd}+|\p{Nd}+/u.exec(text)?.[0] ?? null,
  ),
  mgsm_postprocess: cleanerWith({ lang: nonEmptyText }, ({ lang }) => {
    const mark = mgsmMarks[lang] ?? '';
    return (text) => {
      if (!text.includes(mark)) return '';
      const said = stripText(after(text, mark, 'last')).replaceAll(',', '');
      const number = said.match(/\p{Nd}+\.?\p{Nd}*/gu)?.at(-1) ?? '';
      return number.replace(/\.+$/, '');
    };
  }),
  triviaqa_postprocess: firstLine,
  trec_postprocess: firstLine,
  lsht_postprocess: firstLine,
  samsum_postprocess: firstLine,
  Xsum_postprocess: firstTrimmedLine,
  Xsum: firstTrimmedLine,
  flores_postprocess: plainCleaner((text) => before(stripText(text), '\n')),
  flores: plainCleaner((text) => before(stripText(text), '\n')),
  lcsts_postprocess: plainCleaner(summaryLine),
  cmrc_postprocess: afterChineseMark,
  drcd_postprocess: afterChineseMark,
  ReCoRD_postprocess: plainCleaner(recordAnswer),
  ReCoRD: plainCleaner(recordAnswer),
  my_multiple_select_postprocess: plainCleaner((text) => {
    const capitals = Array.from(text).filter((letter) => isUpper(letter));
    return [...new Set(capitals)].sort(compareText).join(', ');
  }),
  smolinstruct_acc_postprocess: plainCleaner((text) => {
    const said = text.toLowerCase();
    if (said.includes('yes')) return '<BOOLEAN> Yes </BOOLEAN>';
    return said.includes('no') ? '<BOOLEAN> No </BOOLEAN>' : null;
  }),
  TheoremQA_postprocess: plainCleaner((text) => {
    const stripped = stripText(text);
    const said = new RegExp(`answer is ([^${pythonSpace}]+)`, 'u').exec(stripped)?.[1];
    return said === undefined ? stripped : stripCharacters(stripText(said), '.,?!"\';:');
  }),
  TheoremQA_postprocess_v2: plainCleaner((text) => {
    const words = (stripText(text).split('\n').at(-1) ?? '').split(' ');
    const stop = words.findLastIndex((word) => /^(?:is|be|are)$|:$/.test(word));
    return stripCharacters(stripText(words.slice(stop + 1).join(' ')), '.');
  }),
  crowspairs_postprocess: plainCleaner((text) => {
    if (/Neither|Both/.test(text) || text === '') return 'invalid';
    const [first = ''] = text;
    if (first === 'A' || first === 'B') return first;
    if (/ A |A[^\n]/.test(text)) return 'A';
    return / B |B[^\n]/.test(text) ? 'B' : 'invalid';
  }),
};

const answerLine = new RegExp(`ANSWER[${pythonSpace}]*:[${pythonSpace}]*([^\\n]+)`, 'iu');

const mgsmMarks: Readonly<Record<string, string>> = {
  en: 'Answer',
  bn: 'উত্তর',
  de: 'Antwort',
  es: 'Respuesta',
  fr: 'Réponse',
  ja: '答え',
  ru: 'Ответ',
  sw: 'Jibu',
  te: 'సమాధానం',
  th: 'คำตอบ',
  zh: '答案',
};

function readPattern(source: string): RegExp {
  try {
    return translatePattern(source);
  } catch (cause) {
    throw new ConfigError(
      'config.bad_pattern',
      `\`${source}\` is a pattern that is not supported here`,
      {
        hint: 'Write a pattern that JavaScript supports too, or use `{ type: regex, pattern: … }`.',
        cause,
      },
    );
  }
}

/** The sentence that says what the answer is, or the first one, as MATH's answers are compared. */
function saidAnswer(text: string, mark: RegExp): string {
  const sentences = text.split('.');
  const said = sentences.find((sentence) => mark.test(sentence.toLowerCase()));
  return normalizeAnswer(said ?? sentences[0] ?? '');
}

function numbersIn(text: string, pattern: RegExp): string[] {
  return text.replace(/(\p{Nd}),(\p{Nd})/gu, '$1$2').match(pattern) ?? [];
}

/** The first number after a mark, or the last one of a text without. */
function markedNumber(text: string, mark: string): string {
  const isMarked = text.includes(mark);
  const answer = isMarked ? stripText(after(text, mark, 'first')) : text;
  const numbers = numbersIn(answer, /-?\p{Nd}*\.?\/?\p{Nd}+|\p{Nd}+/gu);
  return (isMarked ? numbers[0] : numbers.at(-1)) ?? answer;
}

const space = `[${pythonSpace}]`;
const saidMark = new RegExp(`answer is${space}*:?${space}*`, 'iu');
const truthWord = new RegExp(`^(?:yes|no|true|false)(?![${pythonWord}])`, 'iu');
const commaInNumbers = new RegExp(`\\p{Nd}${space}*,${space}*\\p{Nd}`, 'u');
const anyComma = new RegExp(`${space}*,${space}*`, 'gu');

function freeAnswer(text: string): string {
  const parts = text.split(saidMark);
  const said = parts.length > 1 ? stripText(parts.at(-1) ?? '') : text;
  let answer = stripText(before(said, '\n'));
  if (answer.endsWith('.')) answer = stripText(answer.slice(0, -1));
  const bold = /\*\*([^\n]*?)\*\*/u.exec(answer)?.[1];
  if (bold !== undefined) answer = stripText(bold);
  const truth = truthWord.exec(answer)?.[0];
  if (truth !== undefined) return capitalize(truth);
  if (!commaInNumbers.test(answer)) answer = answer.replace(anyComma, ' ');
  return stripText(collapseSpace(answer));
}

const hardMarks = [
  'The answer is: ',
  'The answer is ',
  'The final answer is: ',
  'The final answer is ',
];

function hardOption(text: string): string {
  const mark = hardMarks.find((prefix) => text.includes(prefix));
  const answer = stripCharacters(mark === undefined ? text : after(text, mark, 'last'), '()');
  return stripText(before(answer, '\n')).toLowerCase();
}

function plainName(boxed: string): string {
  if (boxed === 'None') return boxed;
  const name = boxed
    .replace(/\\text\{([^}]+)\}/gu, '$1')
    .replace(/\\boxed\{([^}]+)\}/gu, '$1')
    .replace(/\\[[\]]/gu, '')
    .replaceAll('\\', '');
  return stripText(collapseSpace(name)).replace(/["']/g, '').replaceAll('~', ' ');
}

function summaryLine(text: string): string {
  let line = stripText(before(stripText(text), '\n').replaceAll('своей', ''));
  if (line.startsWith('1. ')) line = line.replaceAll('1. ', '');
  if (line.startsWith('- ')) line = line.replaceAll('- ', '');
  return stripCharacters(line, '“，。！”');
}

function recordAnswer(text: string): string {
  return stripText(before(stripText(text), '\n').replaceAll('Answer: ', ''));
}

/** What is said after the first mark that a text has, without markup, up to the end of the line. */
function hardAnswer(text: string): string {
  const mark = [
    'The answer is: ',
    'The answer is ',
    'The final answer is: ',
    'The final answer is ',
  ].find((one) => text.includes(one));
  const answer = (mark === undefined ? text : after(text, mark, 'last'))
    .replace(/\\boxed\{([^\n]*?)\}/gu, '$1')
    .replace(/\\text(?:tt)?\{([^\n]*?)\}/gu, '$1')
    .replace(/\*\*([^\n]*?)\*\*/gu, '$1');
  return stripText(before(answer, '\n')).toLowerCase();
}

/** What stands in the last box whose braces are closed; nothing where none is. */
function lastBoxed(text: string): string {
  const start = text.lastIndexOf('\\boxed{');
  if (start < 0) return '';
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    if (text[place] === '{') depth++;
    if (text[place] === '}' && --depth === 0) return text.slice(start + '\\boxed{'.length, place);
  }
  return '';
}
