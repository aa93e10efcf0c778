import { formatValue, type Row } from '../../prompt/values.ts';
import { optionsOf, sameOption } from '../compare/choice.ts';
import {
  type Comparison,
  contains,
  exact,
  holdsNumbers,
  numberEqual,
  oneOf,
} from '../compare/compare.ts';
import { componentType } from '../component/component.ts';
import { amount, labels, texts, trueOrFalse } from '../component/option-kinds.ts';
import { type Extractor, within } from '../extract/extractor.ts';
import { answerTag, boxed, untilNextQuestion } from '../extract/marked-answer.ts';
import { answerNumber } from '../extract/number-extractors.ts';
import { firstClause, plainWords } from '../extract/opencompass-postprocess.ts';
import { lastOption } from '../extract/option-extractors.ts';
import { buildRegex, regexOptions } from '../extract/postprocessors.ts';
import { trimmed } from '../extract/text-extractors.ts';
import type { Evaluator, ScoringMethod } from '../scorer.ts';

const textOptions = {
  ignore_case: trueOrFalse.optional().describe('Takes small and capital letters as the same'),
  normalize: trueOrFalse
    .optional()
    .describe('Takes compatibility characters for their common forms (Unicode NFKC)'),
};

export const toleranceOptions = {
  tolerance: amount.optional().describe('How far a number may be off'),
  relative_tolerance: amount
    .optional()
    .describe('How far a number may be off, as a share of the right one'),
};

const openCompassAccuracy = componentType({
  summary: 'as `exact`; in compat modes as in those systems',
  build: () => accuracy([trimmed], exact()),
});

/** Evaluators that tell right answers from wrong ones, and need little for it. */
export const basicEvaluators = {
  exact: componentType({
    summary: 'the whole answer is the right one, but for white space around it',
    options: textOptions,
    build: ({ ignore_case: ignoreCase, normalize }) =>
      accuracy([trimmed], exact({ ignoreCase, normalize })),
  }),
  contains: componentType({
    summary: 'the right answer stands somewhere in the answer',
    options: {
      ...textOptions,
      whole_words: trueOrFalse
        .optional()
        .describe('Not inside of a longer word or number; scripts without spaces have no words'),
    },
    build: ({ ignore_case: ignoreCase, normalize, whole_words: wholeWords }) =>
      accuracy([trimmed], contains({ ignoreCase, normalize, wholeWords })),
  }),
  number: componentType({
    summary: 'the number that an answer comes to, however it is written',
    options: toleranceOptions,
    build({ tolerance, relative_tolerance: relativeTolerance }) {
      const compare = numberEqual({ tolerance, relativeTolerance });
      return { ...accuracy(answerNumber, compare, holdsNumbers), isSame: sameBy(compare) };
    },
  }),
  choice: componentType({
    summary: 'the option that an answer settles on, by its letter or its text',
    options: {
      options: labels.optional().describe('The labels on offer, such as ABCD or [yes, no]'),
      text_columns: texts
        .optional()
        .describe("The columns of the options' texts, or one that lists them"),
    },
    build: ({ options, text_columns }) => choiceEvaluator(options, text_columns),
  }),
  regex: componentType({
    summary: 'what a pattern finds in the answer is the right one',
    options: { ...regexOptions, ...textOptions },
    build: ({ ignore_case: ignoreCase, normalize, ...pattern }, _, located) =>
      accuracy([buildRegex(located, pattern)], exact({ ignoreCase, normalize })),
  }),
};

/** OpenCompass's names for what is right or wrong. */
export const accuracyEvaluators = {
  AccEvaluator: openCompassAccuracy,
  AccwithDetailsEvaluator: openCompassAccuracy,
  EMEvaluator: componentType({
    summary:
      'the same words, without articles and punctuation, at least up to the first stop of the answer',
    build: (): Evaluator => ({ ...accuracy([trimmed], sameWords), metric: 'exact_match' }),
  }),
};

/** An evaluator of answers that are right or wrong; several may be right. */
export function accuracy(
  extractors: readonly Extractor[],
  comparison: Comparison,
  holdsSeveral?: ScoringMethod['holdsSeveral'],
): Evaluator {
  const method: ScoringMethod = { extractors, compare: oneOf(comparison), holdsSeveral };
  return { metric: 'accuracy', methodOf: () => method };
}

/** Whether two answers are the same by a comparison, whichever of them were the gold answer. */
export function sameBy(comparison: Comparison): (left: string, right: string) => boolean {
  return (left, right) =>
    comparison(left, right)?.value === 1 && comparison(right, left)?.value === 1;
}

/** The same words, or those of the gold answer up to the first stop of the answer. */
const sameWords: Comparison = (answer, gold) => {
  const want = plainWords(formatValue(gold));
  const whole = plainWords(answer);
  const got = whole === want ? whole : plainWords(firstClause(answer));
  return { value: Number(got === want), got, want };
};

function choiceEvaluator(
  labels: readonly string[] | undefined,
  textColumns: readonly string[] | undefined,
): Evaluator {
  const makeMethod = (row: Row): ScoringMethod => {
    const options = optionsOf(row, { labels, textColumns });
    const find = lastOption(options);
    const extractors = untilNextQuestion([within(boxed, find), within(answerTag, find), find]);
    return { extractors, compare: sameOption(options) };
  };
  if (textColumns) return { metric: 'accuracy', methodOf: makeMethod };
  const method = makeMethod({});
  return { metric: 'accuracy', methodOf: () => method };
}
