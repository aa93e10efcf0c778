import { readJson } from '../../../data/json-reader.ts';
import { isLower, isUpper } from '../../../python/letter-case.ts';
import { translatePattern } from '../../../python/pattern.ts';
import { pyStr } from '../../../python/repr.ts';
import { pythonSpace, pythonWord, splitWords, stripText } from '../../../python/text.ts';
import { isList, listItems, PyDict, type PyValue } from '../../../python/values.ts';
import { splitNltkWords, splitSentences } from '../../retrieval/nltk-words.ts';
import { stripCharacters } from '../cleaners/cleaner.ts';
import { isWrittenIn } from './detect-language.ts';
import { type JudgeType, judgeWith } from './row-judge.ts';

/** What an instruction of IFEval says of itself, without what it leaves out. */
class InstructionArguments {
  readonly #given: PyDict;

  constructor(given: PyDict) {
    this.#given = given;
  }

  text(name: string): string {
    return pyStr(this.#given.get(name) ?? '');
  }

  number(name: string): number {
    return Number(pyStr(this.#given.get(name) ?? 'nan'));
  }

  texts(name: string): string[] {
    const value = this.#given.get(name) ?? null;
    return isList(value) ? listItems(value).map((item) => pyStr(item)) : [];
  }

  /** Whether a count is as the instruction wants it: `at least`, or `less than`. */
  allows(count: number, { relation, bound }: { relation: string; bound: string }): boolean {
    const wanted = this.number(bound);
    return this.text(relation) === 'less than' ? count < wanted : count >= wanted;
  }
}

type Check = (text: string, given: InstructionArguments) => boolean;

const space = `[${pythonSpace}]`;
const lineStart = '(?<![^\\n])';
const lineEnd = '(?![^\\n])';
const starBullet = new RegExp(`${lineStart}${space}*\\*[^*][^\\n]*${lineEnd}`, 'gu');
const dashBullet = new RegExp(`${lineStart}${space}*-[^\\n]*${lineEnd}`, 'gu');

/** A text that is searched for as a pattern there; as it is, if it is none. */
function searched(source: string, flags = ''): RegExp {
  const pattern = (() => {
    try {
      return translatePattern(`(?i)${source}`);
    } catch {
      return new RegExp(source.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iv');
    }
  })();
  return new RegExp(pattern.source, pattern.flags + flags);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isJson(text: string): boolean {
  const fenced = ['```json', '```Json', '```JSON', '```'].reduce(
    (rest, mark) => (rest.startsWith(mark) ? rest.slice(mark.length) : rest),
    stripText(text),
  );
  const body = stripText(fenced.endsWith('```') ? fenced.slice(0, -3) : fenced);
  try {
    readJson(body);
    return true;
  } catch {
    return /^(?:NaN|-?Infinity)$/.test(body);
  }
}

/** Paragraphs between dividers; an empty one only counts as wrong between two others. */
function countParagraphs(text: string): number | undefined {
  const parts = text.split(new RegExp(`${space}?\\*\\*\\*${space}?`, 'u'));
  const isEmpty = parts.map((part) => stripText(part) === '');
  if (isEmpty.slice(1, -1).includes(true)) return undefined;
  return isEmpty.filter((empty) => !empty).length;
}

function firstWordOf(paragraph: string): string {
  const [word = ''] = splitWords(paragraph);
  const bare = word.replace(/^'+/, '').replace(/^"+/, '');
  return (bare.split(/[.,?!'"]/, 1)[0] ?? '').toLowerCase();
}

function startsParagraph(text: string, given: InstructionArguments): boolean {
  const paragraphs = text.split('\n\n');
  const count = paragraphs.filter((part) => stripText(part) !== '').length;
  const at = given.number('nth_paragraph');
  const paragraph = at <= count ? stripText(paragraphs.at(at - 1) ?? '') : '';
  if (paragraph === '') return false;
  return (
    count === given.number('num_paragraphs') && firstWordOf(paragraph) === given.text('first_word')
  );
}

function countHighlights(text: string): number {
  const single = (text.match(/\*[^\n*]*\*/g) ?? []).map((one) => stripCharacters(one, '*'));
  const double = (text.match(/\*\*[^\n*]*\*\*/g) ?? []).map((one) => one.slice(2, -2));
  return [...single, ...double].filter((one) => stripText(one) !== '').length;
}

function hasPostscript(text: string, given: InstructionArguments): boolean {
  const marker = stripText(given.text('postscript_marker'));
  if (marker === 'P.P.S')
    return new RegExp(`p\\.${space}?p\\.${space}?s`, 'u').test(text.toLowerCase());
  if (marker === 'P.S.') return new RegExp(`p\\.${space}?s\\.`, 'u').test(text.toLowerCase());
  return searched(marker).test(text);
}

function areTwoResponses(text: string): boolean {
  const parts = text.split('******').map(stripText);
  if (parts.slice(1, -1).includes('')) return false;
  const given = parts.filter((part) => part !== '');
  return given.length === 2 && given[0] !== given[1];
}

/** What the instructions of IFEval ask of a text, by their names. */
const checks: Readonly<Record<string, Check>> = {
  'keywords:existence': (text, given) =>
    given.texts('keywords').every((keyword) => searched(keyword).test(text)),
  'keywords:frequency': (text, given) =>
    given.allows(countOf(text, searched(stripText(given.text('keyword')), 'g')), {
      relation: 'relation',
      bound: 'frequency',
    }),
  'keywords:forbidden_words': (text, given) =>
    !given.texts('forbidden_words').some((word) => searched(`\\b${word}\\b`).test(text)),
  'keywords:letter_frequency': (text, given) => {
    const letter = stripText(given.text('letter')).toLowerCase();
    const count = Array.from(text.toLowerCase()).filter((one) => one === letter).length;
    return given.allows(count, { relation: 'let_relation', bound: 'let_frequency' });
  },
  'language:response_language': (text, given) => isWrittenIn(text, given.text('language')),
  'length_constraints:number_sentences': (text, given) =>
    given.allows(splitSentences(text).length, { relation: 'relation', bound: 'num_sentences' }),
  'length_constraints:number_words': (text, given) =>
    given.allows(countOf(text, new RegExp(`[${pythonWord}]+`, 'gu')), {
      relation: 'relation',
      bound: 'num_words',
    }),
  'length_constraints:number_paragraphs': (text, given) =>
    countParagraphs(text) === given.number('num_paragraphs'),
  'length_constraints:nth_paragraph_first_word': startsParagraph,
  'detectable_content:number_placeholders': (text, given) =>
    countOf(text, /\[[^\n]*?\]/gu) >= given.number('num_placeholders'),
  'detectable_content:postscript': hasPostscript,
  'detectable_format:number_bullet_lists': (text, given) =>
    countOf(text, starBullet) + countOf(text, dashBullet) === given.number('num_bullets'),
  'detectable_format:constrained_response': (text) => /My answer is (?:yes|no|maybe)\./.test(text),
  'detectable_format:number_highlighted_sections': (text, given) =>
    countHighlights(text) >= given.number('num_highlights'),
  'detectable_format:multiple_sections': (text, given) => {
    const mark = stripText(given.text('section_spliter'));
    const sections = text.split(translatePattern(`\\s?${mark}\\s?\\d+\\s?`)).length - 1;
    return sections >= given.number('num_sections');
  },
  'detectable_format:json_format': isJson,
  'detectable_format:title': (text) =>
    (text.match(/<<[^\n]+>>/gu) ?? []).some(
      (title) => stripText(title.replace(/^<+/, '').replace(/>+$/, '')) !== '',
    ),
  'combination:two_responses': areTwoResponses,
  'combination:repeat_prompt': (text, given) =>
    stripText(text)
      .toLowerCase()
      .startsWith(stripText(given.text('prompt_to_repeat')).toLowerCase()),
  'startend:end_checker': (text, given) =>
    stripCharacters(stripText(text), '"')
      .toLowerCase()
      .endsWith(stripText(given.text('end_phrase')).toLowerCase()),
  'startend:quotation': (text) => /^"[\s\S]*"$/u.test(stripText(text)),
  'change_case:capital_word_frequency': (text, given) =>
    given.allows(splitNltkWords(text).filter((word) => isUpper(word)).length, {
      relation: 'capital_relation',
      bound: 'capital_frequency',
    }),
  'change_case:english_capital': (text) => isUpper(text) && isWrittenIn(text, 'en'),
  'change_case:english_lowercase': (text) => isLower(text) && isWrittenIn(text, 'en'),
  'punctuation:no_comma': (text) => !text.includes(','),
};

/** The forms of an answer that a lenient reader takes it in: without its first or last line, without stars. */
function lenientForms(text: string): string[] {
  const lines = text.split('\n');
  const forms = [
    text,
    ...[lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((part) =>
      stripText(part.join('\n')),
    ),
  ];
  return [...forms, ...forms.map((form) => form.replaceAll('*', ''))];
}

interface Instruction {
  readonly check: Check;
  readonly given: InstructionArguments;
}

function instructionsOf(reference: PyValue): Instruction[] | undefined {
  if (!(reference instanceof PyDict)) return undefined;
  const [names, given] = ['instruction_id_list', 'kwargs'].map((key) => {
    const value = reference.get(key) ?? null;
    return isList(value) ? listItems(value) : [];
  });
  const read = (names ?? []).map((name, index): Instruction | undefined => {
    const [check, own] = [checks[pyStr(name)], given?.[index]];
    return (
      check && {
        check,
        given: new InstructionArguments(own instanceof PyDict ? own : new PyDict([])),
      }
    );
  });
  const known = read.filter((one) => one !== undefined);
  return known.length > 0 && known.length === read.length ? known : undefined;
}

const share = { direction: 'higher', range: [0, 1] } as const;

/** The share of all instructions of all rows that is followed. */
const shareAt = (index: 0 | 1) => (sums: ArrayLike<number>) => (sums[index] ?? 0) / (sums[2] ?? 0);

/** IFEval: whether an answer follows all instructions of its row, and which share of them. */
export const instructionJudges: Readonly<Record<string, JudgeType>> = {
  IFEvaluator: judgeWith({}, () => ({
    metric: 'Prompt-level-strict-accuracy',
    datasetMetrics: [
      { name: 'Inst-level-strict-accuracy', ...share, type: 'sums', measure: shareAt(0) },
      { name: 'Inst-level-loose-accuracy', ...share, type: 'sums', measure: shareAt(1) },
    ],
    judge(answer, want) {
      const instructions = instructionsOf(want);
      if (!instructions) return undefined;
      const got = pyStr(answer);
      const countFollowed = (forms: readonly string[]) =>
        instructions.filter(({ check, given }) =>
          forms.some((form) => stripText(form) !== '' && check(form, given)),
        ).length;
      const counts = [countFollowed([got]), countFollowed(lenientForms(got)), instructions.length];
      const [strict, loose, all] = counts;
      return {
        value: Number(strict === all),
        metrics: { 'Prompt-level-loose-accuracy': Number(loose === all) },
        counts,
      };
    },
  })),
};
