import { pyStr } from '../../../python/repr.ts';
import { countCharacters, splitWords, stripText } from '../../../python/text.ts';
import { isList, listItems, PyDict, type PyValue } from '../../../python/values.ts';
import { oneOfNames, trueOrFalse } from '../../../score/component/option-kinds.ts';
import { commonLength } from '../../../score/metrics/common-subsequence.ts';
import { countEdits } from '../../../score/metrics/edit-distance.ts';
import { countNgrams } from '../../../score/metrics/ngrams.ts';
import { segmenterOf } from '../../../score/segment/segmenter.ts';
import { before } from '../cleaners/cleaner.ts';
import { sequenceRatio } from '../sequence-ratio.ts';
import { type JudgeType, judgeWith, plainJudge, textsOf } from './row-judge.ts';
import { chineseStopWords, englishStopWords } from './stop-words.ts';
import { type Language, overlapOf, summaryRouge, wordsOf } from './word-overlap.ts';

const language = { language: oneOfNames(['en', 'zh']).optional() };

/** A judge of texts in a language. */
function inLanguage(
  metric: string,
  judge: (got: string, want: readonly string[], language: Language) => number | undefined,
): JudgeType {
  return judgeWith(language, ({ language: spoken = 'en' }) => ({
    metric,
    judge: (got, want) => judge(pyStr(got), textsOf(want), spoken),
  }));
}

const shareOfParts = plainJudge('score', (got, want) => {
  const parts = textsOf(want);
  if (parts.length === 0) return undefined;
  const said = got.toLowerCase();
  return parts.filter((part) => said.includes(part.toLowerCase())).length / parts.length;
});

/** Evaluators of answers about long texts, by the names of their classes. */
export const longTextJudges: Readonly<Record<string, JudgeType>> = {
  NeedleBenchOriginEvaluator: judgeWith({ use_trim: trueOrFalse.optional() }, ({ use_trim }) => ({
    metric: 'score',
    judge: (got, want) => needleScore(pyStr(got), pyStr(want), use_trim === true),
  })),
  NeedleBenchOriginEvaluatorV2: plainJudge('score', (got, want) => {
    const keyword = pyStr(want).split('*')[1];
    return keyword === undefined ? undefined : got.includes(keyword);
  }),
  NeedleBenchParallelEvaluator: plainJudge('average_score', (got, want) => {
    const [keywords = '', depths] = pyStr(want).split('#');
    if (depths === undefined) return undefined;
    const found = keywords.split('*').map((keyword) => Number(got.includes(keyword)));
    const named = depths
      .split('*')
      .map((depth, index) => [`Depth${depth}`, found[index] ?? 0] as const);
    const metrics = Object.fromEntries(named);
    const values = Object.values(metrics);
    return { value: values.reduce((sum, value) => sum + value, 0) / values.length, metrics };
  }),
  NeedleBenchMultiEvaluator: plainJudge('score', (got, want) => {
    const [, keywords, ...more] = pyStr(want).split('*');
    if (keywords === undefined || more.length > 0) return undefined;
    const words = splitWords(keywords.toLowerCase());
    const said = got.toLowerCase();
    return words.length === 0
      ? 0
      : words.filter((word) => said.includes(word)).length / words.length;
  }),
  NeedleBenchATCEvaluator: plainJudge(
    'score',
    (got, want) => stripText(got) === stripText(pyStr(want)),
  ),
  RulerNiahEvaluator: shareOfParts,
  RulerCweEvaluator: shareOfParts,
  RulerFweEvaluator: shareOfParts,
  RulerVtEvaluator: shareOfParts,
  RulerQaEvaluator: plainJudge('score', (got, want) => {
    const said = got.toLowerCase();
    return textsOf(want).some((part) => said.includes(part.toLowerCase()));
  }),
  BabiLongEvaluator: plainJudge('score', (got, want) => {
    const said = ['.', '<context>', '<example>'].reduce(before, got.toLowerCase());
    return said.includes((textsOf(want)[0] ?? '').toLowerCase());
  }),
  MRCREvaluator: plainJudge('score', (got, want) => {
    const gold = parseJson(pyStr(want)) as { answer?: unknown; prefix?: unknown } | undefined;
    if (typeof gold?.answer !== 'string' || typeof gold.prefix !== 'string') return undefined;
    if (!got.startsWith(gold.prefix)) return 0;
    return sequenceRatio(got.slice(gold.prefix.length), gold.answer.slice(gold.prefix.length));
  }),
  LongBenchF1Evaluator: inLanguage('score', (got, want, spoken) => {
    const own = wordsOf(got, spoken);
    return Math.max(0, ...want.map((answer) => overlapOf(own, wordsOf(answer, spoken))));
  }),
  LongBenchRougeEvaluator: inLanguage('score', (got, want, spoken) =>
    Math.max(0, ...want.map((answer) => summaryRouge(spaced(got, spoken), spaced(answer, spoken)))),
  ),
  LongBenchCountEvaluator: plainJudge('score', (got, want) => numberShare(got, textsOf(want))),
  LongBenchRetrievalEvaluator: inLanguage('score', (got, want, spoken) => {
    const mark = spoken === 'en' ? /Paragraph (\p{Nd}+)/u : /段落(\p{Nd}+)/u;
    const numbers = want.map((answer) => mark.exec(answer)?.[1]);
    return numbers.every((number) => number !== undefined) ? numberShare(got, numbers) : undefined;
  }),
  LongBenchClassificationEvaluator: plainJudge('score', (got, want) => classShare(got, want)),
  LongBenchCodeSimEvaluator: plainJudge('score', (got, want) => {
    const lines = got.replace(/^\n+/, '').split('\n');
    const line = lines.find((one) => !/`|#|\/\//.test(one)) ?? '';
    return Math.max(0, ...textsOf(want).map((answer) => roundedRatio(line, answer)));
  }),
  LVEvalF1Evaluator: inLanguage('f1', (got, [first = ''], spoken) =>
    overlapOf(wordsOf(got, spoken), wordsOf(first, spoken)),
  ),
  LVEvalOPTF1Evaluator: inLanguage('LVEval_f1', keywordOverlap),
  LVEvalOPTRougeEvaluator: inLanguage('LVEval_rouge', (got, [first = ''], spoken) => {
    const dropped = spoken === 'en' ? englishStopWords : chineseStopWords;
    const kept = (text: string) =>
      wordsOf(text, spoken)
        .filter((word) => !dropped.has(word))
        .join(' ');
    return summaryRouge(kept(got), kept(first));
  }),
  InfiniteBenchendiaEvaluator: plainJudge('score', (got, want) =>
    separateWords(got)
      .map((word) => word.toUpperCase())
      .includes(textsOf(want)[0] ?? ''),
  ),
  InfiniteBenchretrievekvEvaluator: plainJudge('score', (got, want) =>
    separateWords(got).includes(pyStr(want)),
  ),
};

function needleScore(got: string, want: string, trims: boolean): number | undefined {
  const [needle = '', keyword] = want.split('*');
  if (keyword === undefined) return undefined;
  if (got.includes(keyword)) return 1;
  const right = withoutSpace(needle);
  const said = trims ? trimTo(withoutSpace(got), right) : withoutSpace(got);
  const longest = Math.max(countCharacters(said), countCharacters(right));
  return longest === 0 ? 0.2 : 0.2 * (1 - countEdits(said, right) / longest);
}

function withoutSpace(text: string): string {
  return splitWords(text).join('');
}

/** An answer cut to about the length of the right one, at its last character if it is near. */
function trimTo(text: string, right: string): string {
  const [letters, wanted] = [Array.from(text), Array.from(right)];
  const shortest = Math.trunc(0.8 * wanted.length);
  const cut = letters.slice(0, Math.trunc(1.2 * wanted.length));
  const end = cut.indexOf(wanted.at(-1) ?? '', shortest);
  return (cut.length > shortest && end >= 0 ? cut.slice(0, end + 1) : cut).join('');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function spaced(text: string, spoken: Language): string {
  return spoken === 'en' ? text : segmenterOf('zh')(text).join(' ');
}

/** The share of the numbers in a text that are the right ones. */
function numberShare(got: string, wanted: readonly string[]): number {
  const numbers = got.match(/\p{Nd}+/gu) ?? [];
  if (numbers.length === 0) return 0;
  return wanted.reduce(
    (sum, right) => sum + numbers.filter((number) => number === right).length / numbers.length,
    0,
  );
}

/** 1 for the right class alone, less where others are named too. */
function classShare(got: string, want: PyValue): number | undefined {
  if (!(want instanceof PyDict)) return undefined;
  const [answers, classes] = [want.get('answers'), want.get('all_classes')];
  if (!isList(answers) || !isList(classes)) return undefined;
  const names = listItems(classes).map((name) => pyStr(name));
  return listItems(answers).reduce((sum: number, item) => {
    const answer = pyStr(item);
    const named = names.filter((name) => got.includes(name));
    // The original takes names out of the list that it goes through, and so passes over some.
    for (let index = 0; index < named.length; index++) {
      const name = named[index] as string;
      if (answer.includes(name) && name !== answer) named.splice(named.indexOf(name), 1);
    }
    return sum + (named.includes(answer) ? 1 / named.length : 0);
  }, 0);
}

/** `fuzz.ratio` of the package fuzzywuzzy, with its faster backend, as a share. */
function roundedRatio(left: string, right: string): number {
  const [own, other] = [Array.from(left), Array.from(right)];
  const size = own.length + other.length;
  if (own.length === 0 || other.length === 0) return 0;
  return roundHalfEven((200 * commonLength(own, other)) / size) / 100;
}

function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

/** The F-score against the first answer, if the words of the last one, its keyword, are there. */
function keywordOverlap(
  got: string,
  want: readonly string[],
  spoken: Language,
): number | undefined {
  const [first] = want;
  if (first === undefined) return undefined;
  const own = wordsOf(got, spoken);
  const other = wordsOf(first, spoken);
  const keyword = want.at(-1) || (spoken === 'zh' ? first : '');
  if (keyword !== '') {
    const words = wordsOf(keyword, spoken);
    if (words.length === 0) return undefined;
    const dropped = spoken === 'en' ? englishStopWords : chineseStopWords;
    const counts = countNgrams(own, 1);
    const common = [...countNgrams(words, 1)]
      .filter(([word]) => !dropped.has(word))
      .reduce((sum, [word, count]) => sum + Math.min(count, counts.get(word) ?? 0), 0);
    if (common / words.length < (spoken === 'en' ? 0.2 : 0.4)) return 0;
  }
  return overlapOf(own, other);
}

function separateWords(text: string): string[] {
  return splitWords(text.replace(/[\n:"'.,?!{}]/g, ' '));
}
