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
import { answerNumber } from '../extract/answer-number.ts';
import type { Extractor } from '../extract/extractor.ts';
import { firstClause, plainWords } from '../extract/opencompass-postprocess.ts';
import { chosenOption } from '../extract/option-extractors.ts';
import { buildRegex, regexOptions } from '../extract/postprocessors.ts';
import { trimmed } from '../extract/text-extractors.ts';
import type { Evaluator, ScoringMethod } from '../scorer.ts';

const textOptions = {
  ignore_case: trueOrFalse.optional().describe('Ignores case'),
  normalize: trueOrFalse.optional().describe('Normalizes compatibility characters (Unicode NFKC)'),
};

export const toleranceOptions = {
  tolerance: amount.optional().describe('Absolute tolerance for numbers'),
  relative_tolerance: amount
    .optional()
    .describe('Relative tolerance for numbers, as a share of the gold answer'),
};

const openCompassAccuracy = componentType({
  summary: 'as `exact`; in compat modes, as in the original',
  build: () => accuracy([trimmed], exact()),
});

/** Evaluators that tell right answers from wrong ones, and need little for it. */
export const basicEvaluators = {
  exact: componentType({
    summary: 'the whole answer equals the gold answer, ignoring white space around it',
    options: textOptions,
    build: ({ ignore_case: ignoreCase, normalize }) =>
      accuracy([trimmed], exact({ ignoreCase, normalize })),
  }),
  contains: componentType({
    summary: 'the answer contains the gold answer',
    options: {
      ...textOptions,
      whole_words: trueOrFalse
        .optional()
        .describe('Only as a whole word or number; scripts without spaces have no words'),
    },
    build: ({ ignore_case: ignoreCase, normalize, whole_words: wholeWords }) =>
      accuracy([trimmed], contains({ ignoreCase, normalize, wholeWords })),
  }),
  number: componentType({
    summary: 'the final number in the answer, however it is written',
    options: toleranceOptions,
    build({ tolerance, relative_tolerance: relativeTolerance }) {
      const compare = numberEqual({ tolerance, relativeTolerance });
      return {
        ...accuracy(answerNumber, compare, { holdsSeveral: holdsNumbers, readsBegun: true }),
        isSame: sameBy(compare),
      };
    },
  }),
  choice: componentType({
    summary: 'the option that the answer chooses, by letter or text',
    options: {
      options: labels.optional().describe('The labels to choose from, such as ABCD or [yes, no]'),
      text_columns: texts
        .optional()
        .describe('The columns with the texts of the options, or one with a list'),
    },
    build: ({ options, text_columns }) => choiceEvaluator(options, text_columns),
  }),
  regex: componentType({
    summary: 'what a pattern finds in the answer equals the gold answer',
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
      'the same words without articles and punctuation, at least up to the first full stop of the answer',
    build: (): Evaluator => ({ ...accuracy([trimmed], sameWords), metric: 'exact_match' }),
  }),
};

/** An evaluator of answers that are right or wrong; several may be right. */
export function accuracy(
  extractors: readonly Extractor[],
  comparison: Comparison,
  reading: Pick<ScoringMethod, 'holdsSeveral' | 'readsBegun'> = {},
): Evaluator {
  const method: ScoringMethod = { extractors, compare: oneOf(comparison), ...reading };
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
    return { extractors: chosenOption(options), compare: sameOption(options) };
  };
  if (textColumns) return { metric: 'accuracy', methodOf: makeMethod };
  const method = makeMethod({});
  return { metric: 'accuracy', methodOf: () => method };
}
