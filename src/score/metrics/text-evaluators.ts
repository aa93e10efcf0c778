import { formatValue } from '../../prompt/values.ts';
import type { Comparison } from '../compare.ts';
import {
  amount,
  type Component,
  type LocatedComponent,
  type OptionReader,
  oneOfNames,
  readOptions,
  trueOrFalse,
} from '../component-options.ts';
import type { Extractor } from '../extractor.ts';
import type { Evaluator, ScoringMethod } from '../scorer.ts';
import { firstLine, trimmed } from '../text-extractors.ts';
import { bleu, type Smoothing } from './bleu.ts';
import { bleuTokenizers } from './bleu-tokenizers.ts';
import { chrf } from './chrf.ts';
import { characterErrorRate, editDistance, editSimilarity } from './edit-distance.ts';
import type { CorpusMetric, TextMetric } from './metric.ts';
import { rouge, rougeVariants } from './rouge.ts';
import { ter } from './ter.ts';
import { tokenF1, tokenMatch } from './token-f1.ts';

/** Evaluators that measure how alike texts are. */
export const textEvaluators: readonly [string, (placed: LocatedComponent) => Evaluator][] = [
  ['bleu', buildBleu],
  ['chrf', buildChrf],
  ['ter', buildTer],
  ['rouge', buildRouge],
  ['token_f1', (placed) => buildTokenF1(placed, [trimmed])],
  ['edit_distance', buildEditDistance],
  ['BleuEvaluator', buildBleu],
  ['RougeEvaluator', buildRouge],
  ['JiebaRougeEvaluator', buildRouge],
  ['SquadEvaluator', (placed) => buildTokenF1(placed, [firstLine])],
];

/** The language whose words an evaluator needs to know. */
export function languageOf({ type, tokenize, language }: Component): string | undefined {
  if (type === 'JiebaRougeEvaluator') return 'zh';
  if (tokenize === 'ja') return 'ja';
  return typeof language === 'string' ? language : undefined;
}

const languageTag: OptionReader<string> = {
  expected: 'the code of a language, such as `ja`',
  read(value) {
    if (typeof value !== 'string') return undefined;
    try {
      return Intl.getCanonicalLocales(value)[0];
    } catch {
      return undefined;
    }
  },
};

const bleuOptions = {
  tokenize: oneOfNames(...bleuTokenizers),
  lowercase: trueOrFalse,
  smooth_method: oneOfNames('exp', 'floor', 'add-k', 'none'),
  smooth_value: amount,
};

function buildBleu(placed: LocatedComponent): Evaluator {
  const {
    smooth_method: type = 'exp',
    smooth_value: value,
    ...options
  } = readOptions(placed, bleuOptions);
  const smoothing: Smoothing = type === 'exp' || type === 'none' ? { type } : { type, value };
  return corpusEvaluator(bleu({ ...options, smoothing }), 'sentence_bleu');
}

function orderFrom(lowest: number): OptionReader<number> {
  return {
    expected: `a whole number from ${lowest} to 10`,
    read: (value) =>
      Number.isInteger(value) && Number(value) >= lowest && Number(value) <= 10
        ? Number(value)
        : undefined,
  };
}

function buildChrf(placed: LocatedComponent): Evaluator {
  const options = readOptions(placed, {
    char_order: orderFrom(1),
    word_order: orderFrom(0),
    beta: amount,
    lowercase: trueOrFalse,
    whitespace: trueOrFalse,
    eps_smoothing: trueOrFalse,
  });
  const metric = chrf({
    charOrder: options.char_order,
    wordOrder: options.word_order,
    beta: options.beta,
    lowercase: options.lowercase,
    whitespace: options.whitespace,
    epsilonSmoothing: options.eps_smoothing,
  });
  return corpusEvaluator(metric, `sentence_${metric.name}`);
}

function buildTer(placed: LocatedComponent): Evaluator {
  const options = readOptions(placed, {
    normalized: trueOrFalse,
    no_punct: trueOrFalse,
    asian_support: trueOrFalse,
    case_sensitive: trueOrFalse,
  });
  const metric = ter({
    normalized: options.normalized,
    noPunctuation: options.no_punct,
    asianSupport: options.asian_support,
    caseSensitive: options.case_sensitive,
  });
  return corpusEvaluator(metric, 'sentence_ter');
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
    wholes: [{ name, direction, range, type: 'sums', measure: metric.ofSums }],
  };
}

function buildRouge(placed: LocatedComponent): Evaluator {
  const isJieba = placed.component.type === 'JiebaRougeEvaluator';
  const options = readOptions(
    placed,
    isJieba
      ? {}
      : { variant: oneOfNames(...rougeVariants), use_stemmer: trueOrFalse, language: languageTag },
  );
  const { variant = 'rouge1', use_stemmer: stem, language = isJieba ? 'zh' : undefined } = options;
  const main = rouge(variant, { stem, language });
  const others = rougeVariants
    .filter((name) => name !== variant)
    .map((name) => rouge(name, { stem, language }));
  return metricEvaluator([trimmed], main, others);
}

function buildTokenF1(placed: LocatedComponent, extractors: readonly Extractor[]): Evaluator {
  const options = readOptions(placed, { language: languageTag });
  return metricEvaluator(extractors, tokenF1(options), [tokenMatch(options)]);
}

function buildEditDistance(placed: LocatedComponent): Evaluator {
  readOptions(placed, {});
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
    wholes: [{ name, direction, range, type: 'sums', measure: ofSums }],
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
  return { ...evaluator(extractors, compare), metric: main.name };
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
