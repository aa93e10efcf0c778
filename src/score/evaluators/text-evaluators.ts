import * as z from 'zod';
import { formatValue } from '../../prompt/values.ts';
import type { Comparison } from '../compare/compare.ts';
import { componentType } from '../component/component.ts';
import { amount, oneOfNames, parsedText, trueOrFalse } from '../component/option-kinds.ts';
import type { Extractor } from '../extract/extractor.ts';
import { firstLine, trimmed } from '../extract/text-extractors.ts';
import { bleu, type Smoothing } from '../metrics/bleu.ts';
import { bleuTokenizers } from '../metrics/bleu-tokenizers.ts';
import { chrf } from '../metrics/chrf.ts';
import { characterErrorRate, editDistance, editSimilarity } from '../metrics/edit-distance.ts';
import type { CorpusMetric, TextMetric } from '../metrics/metric.ts';
import { type RougeOptions, type RougeVariant, rouge, rougeVariants } from '../metrics/rouge.ts';
import { ter } from '../metrics/ter.ts';
import { tokenF1, tokenMatch } from '../metrics/token-f1.ts';
import type { Evaluator, ScoringMethod } from '../scorer.ts';
import type { ScoringParts } from './scoring-parts.ts';

const language = parsedText('the code of a language, such as `ja`', (text) => {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
})
  .optional()
  .describe('The language used to split words, such as `ja`; by default according to the script');

const lowercase = trueOrFalse.optional().describe('Ignores case');

const bleuType = componentType({
  summary: 'word n-grams in common, over the whole dataset',
  options: {
    tokenize: oneOfNames(bleuTokenizers)
      .optional()
      .describe('How texts are split into words; `13a` by default'),
    lowercase,
    smooth_method: oneOfNames(['exp', 'floor', 'add-k', 'none'])
      .optional()
      .describe('Smoothing for n-grams that are not found; `exp` by default'),
    smooth_value: amount.optional().describe('Its value, for `floor` and `add-k`'),
  },
  build({ smooth_method: type = 'exp', smooth_value: value, ...options }) {
    const smoothing: Smoothing = type === 'exp' || type === 'none' ? { type } : { type, value };
    return corpusEvaluator(bleu({ ...options, smoothing }), 'sentence_bleu');
  },
});

function orderFrom(lowest: number) {
  const error = `a whole number from ${lowest} to 10`;
  return z.int({ error }).min(lowest, { error }).max(10, { error }).optional();
}

const chrfType = componentType({
  summary: 'character n-grams in common, over the whole dataset; `word_order: 2` for chrF++',
  options: {
    char_order: orderFrom(1).describe('The longest character n-gram; 6 by default'),
    word_order: orderFrom(0).describe('The longest word n-gram; 0 by default'),
    beta: amount.optional().describe('How much recall weighs against precision; 2 by default'),
    lowercase,
    whitespace: trueOrFalse.optional().describe('Counts white space too'),
    eps_smoothing: trueOrFalse.optional().describe('Smooths as NLTK and Moses do'),
  },
  build({ char_order, word_order, eps_smoothing, ...options }) {
    const metric = chrf({
      ...options,
      charOrder: char_order,
      wordOrder: word_order,
      epsilonSmoothing: eps_smoothing,
    });
    return corpusEvaluator(metric, `sentence_${metric.name}`);
  },
});

const terType = componentType({
  summary: 'how many words must change or move, over the whole dataset; lower is better',
  options: {
    normalized: trueOrFalse.optional().describe('Separates punctuation from words'),
    no_punct: trueOrFalse.optional().describe('Removes punctuation'),
    asian_support: trueOrFalse
      .optional()
      .describe('Applies the two settings above to Asian scripts as well'),
    case_sensitive: trueOrFalse.optional().describe('Distinguishes upper and lower case'),
  },
  build: ({ normalized, no_punct, asian_support, case_sensitive }) =>
    corpusEvaluator(
      ter({
        normalized,
        noPunctuation: no_punct,
        asianSupport: asian_support,
        caseSensitive: case_sensitive,
      }),
      'sentence_ter',
    ),
});

const rougeType = componentType({
  summary: 'words and pairs of words in common: ROUGE-1, -2, -L and -Lsum',
  options: {
    variant: oneOfNames(rougeVariants)
      .optional()
      .describe('The variant used as the score of a row; `rouge1` by default'),
    use_stemmer: trueOrFalse.optional().describe('Compares the stems of English words'),
    language,
  },
  build: ({ use_stemmer: stem, ...options }, { asOriginal: asciiOnly }: ScoringParts) =>
    rougeEvaluator({ ...options, stem, asciiOnly }),
});

const editDistanceType = componentType({
  summary: 'how many characters must change (character error rate); lower is better',
  build: editDistanceEvaluator,
});

/** Evaluators that measure how alike texts are. */
export const textEvaluators = {
  bleu: bleuType,
  chrf: chrfType,
  ter: terType,
  rouge: rougeType,
  token_f1: tokenF1Type(
    [trimmed],
    'words in common without articles and punctuation, as for SQuAD',
  ),
  edit_distance: editDistanceType,
  BleuEvaluator: { ...bleuType, summary: 'as `bleu`' },
  RougeEvaluator: { ...rougeType, summary: 'as `rouge`' },
  JiebaRougeEvaluator: componentType({
    summary: 'as `rouge` with `language: zh`',
    build: () => rougeEvaluator({ language: 'zh' }),
  }),
  SquadEvaluator: tokenF1Type([firstLine], 'as `token_f1`, of the first line'),
};

function tokenF1Type(extractors: readonly Extractor[], summary: string) {
  return componentType({
    summary,
    options: { language },
    build: (options) => metricEvaluator(extractors, tokenF1(options), [tokenMatch(options)]),
  });
}

/** The score of a row is that of its sentence; the metric is that of the corpus. */
function corpusEvaluator(
  metric: CorpusMetric & { readonly signature: string },
  meanName: string,
): Evaluator {
  const { name, direction, range, signature } = metric;
  const compare = againstGolds((answer, golds) => {
    const counts = metric.count(answer, golds);
    return { value: metric.ofCounts(counts), counts };
  });
  return {
    ...evaluator([trimmed], compare),
    metric: name,
    direction,
    range,
    meanName,
    traits: [{ name: meanName, direction, range }],
    signature,
    datasetMetrics: [{ name, direction, range, type: 'sums', measure: metric.ofSums }],
  };
}

function rougeEvaluator({
  variant = 'rouge1',
  ...options
}: RougeOptions & { readonly variant?: RougeVariant | undefined }): Evaluator {
  const others = rougeVariants.filter((name) => name !== variant);
  return metricEvaluator(
    [trimmed],
    rouge(variant, options),
    others.map((name) => rouge(name, options)),
  );
}

function editDistanceEvaluator(): Evaluator {
  const { name, direction, range, ofSums } = characterErrorRate;
  const compare = againstGolds((answer, golds) => ({
    value: editSimilarity.of(answer, golds),
    metrics: { [editDistance.name]: editDistance.of(answer, golds) },
    counts: characterErrorRate.count(answer, golds),
  }));
  return {
    ...evaluator([trimmed], compare),
    metric: editSimilarity.name,
    traits: [editDistance],
    datasetMetrics: [{ name, direction, range, type: 'sums', measure: ofSums }],
  };
}

function metricEvaluator(
  extractors: readonly Extractor[],
  main: TextMetric,
  others: readonly TextMetric[],
): Evaluator {
  const compare = againstGolds((answer, golds) => ({
    value: main.of(answer, golds),
    metrics: Object.fromEntries(others.map(({ name, of }) => [name, of(answer, golds)])),
  }));
  const traits = others.map(({ name, direction, range }) => ({ name, direction, range }));
  return { ...evaluator(extractors, compare), metric: main.name, traits };
}

function evaluator(
  extractors: readonly Extractor[],
  compare: Comparison,
): Pick<Evaluator, 'methodOf'> {
  const method: ScoringMethod = { extractors, compare };
  return { methodOf: () => method };
}

type Measured = Omit<NonNullable<ReturnType<Comparison>>, 'got' | 'want'>;

/** A gold answer that is a list holds several right answers. */
function againstGolds(measure: (answer: string, golds: readonly string[]) => Measured): Comparison {
  return (answer, gold) => {
    const golds = (Array.isArray(gold) ? gold : [gold])
      .map((item: unknown) => formatValue(item))
      .filter((text) => text.trim() !== '');
    if (golds.length === 0) return undefined;
    return { ...measure(answer, golds), got: answer, want: golds.join(' | ') };
  };
}
