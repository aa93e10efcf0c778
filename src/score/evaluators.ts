import { formatValue, type Row } from '../prompt/values.ts';
import { optionsOf, sameOption } from './choice.ts';
import { type Comparison, contains, exact, numberEqual, oneOf } from './compare.ts';
import {
  amount,
  type LocatedComponent,
  readOptions,
  texts,
  trueOrFalse,
  unknownType,
} from './component-options.ts';
import { opencompassPostprocessors } from './extract/opencompass-postprocess.ts';
import { type Extractor, within } from './extractor.ts';
import { laterEvaluators } from './later-evaluators.ts';
import { answerFormula, mathEqual } from './math/math-equal.ts';
import { labelEvaluators } from './metrics/label-evaluators.ts';
import { textEvaluators } from './metrics/text-evaluators.ts';
import { firstNumber, keepPercent, lastNumber } from './number-extractors.ts';
import { lastOption } from './option-extractors.ts';
import { buildRegex, labels, regexOptions } from './postprocessors.ts';
import type { Evaluator, ScoringMethod } from './scorer.ts';
import { afterMarker, answerLine, boxed, trimmed } from './text-extractors.ts';

const textOptions = { ignore_case: trueOrFalse, normalize: trueOrFalse };

const builders = new Map<string, (placed: LocatedComponent) => Evaluator>([
  ['exact', (placed) => accuracy([trimmed], textComparison(exact, placed))],
  ['contains', (placed) => accuracy([trimmed], textComparison(contains, placed))],
  ['number', buildNumber],
  ['math', buildMath],
  ['choice', buildChoice],
  ['regex', buildRegexEvaluator],
  ['AccEvaluator', buildAccuracy],
  ['AccwithDetailsEvaluator', buildAccuracy],
  ['EMEvaluator', buildExactMatch],
  ...textEvaluators,
  ...labelEvaluators,
]);

/** What an evaluator of a config stands for. */
export function buildEvaluator(placed: LocatedComponent): Evaluator {
  const build = builders.get(placed.component.type);
  if (!build) throw unknownType(placed, [...builders.keys(), ...laterEvaluators.keys()]);
  return build(placed);
}

function accuracy(extractors: readonly Extractor[], comparison: Comparison): Evaluator {
  const method: ScoringMethod = { extractors, compare: oneOf(comparison) };
  return { metric: 'accuracy', methodOf: () => method };
}

function textComparison(create: typeof exact, placed: LocatedComponent): Comparison {
  const { ignore_case: ignoreCase, normalize } = readOptions(placed, textOptions);
  return create({ ignoreCase, normalize });
}

function buildAccuracy(placed: LocatedComponent): Evaluator {
  readOptions(placed, {});
  return accuracy([trimmed], exact());
}

/** OpenCompass's rule: without articles, punctuation and what follows the first stop. */
function buildExactMatch(placed: LocatedComponent): Evaluator {
  readOptions(placed, {});
  const clean = (text: string) => opencompassPostprocessors.get('general')?.(text) ?? text;
  const compare: Comparison = (answer, gold) => {
    const got = clean(answer);
    const written = formatValue(gold);
    const want = clean(written);
    return { value: Number(got !== '' && (got === want || got === written)), got, want };
  };
  return { ...accuracy([trimmed], compare), metric: 'exact_match' };
}

const firstAmount = keepPercent(firstNumber);
const lastAmount = keepPercent(lastNumber);
const answerNumber = [
  within(boxed, lastAmount),
  within(afterMarker(['####']), firstAmount),
  within(answerLine, within(afterMarker(['=']), firstAmount)),
  within(answerLine, firstAmount),
  lastAmount,
];

const tolerances = { tolerance: amount, relative_tolerance: amount };

function buildNumber(placed: LocatedComponent): Evaluator {
  const { tolerance, relative_tolerance: relativeTolerance } = readOptions(placed, tolerances);
  return accuracy(answerNumber, numberEqual({ tolerance, relativeTolerance }));
}

function buildMath(placed: LocatedComponent): Evaluator {
  const { tolerance, relative_tolerance: relativeTolerance } = readOptions(placed, tolerances);
  return accuracy(answerFormula, mathEqual({ tolerance, relativeTolerance }));
}

function buildChoice(placed: LocatedComponent): Evaluator {
  const settings = readOptions(placed, { options: labels, text_columns: texts });
  const makeMethod = (row: Row): ScoringMethod => {
    const options = optionsOf(row, {
      labels: settings.options,
      textColumns: settings.text_columns,
    });
    const find = lastOption(options);
    return { extractors: [within(boxed, find), find], compare: sameOption(options) };
  };
  if (settings.text_columns) return { metric: 'accuracy', methodOf: makeMethod };
  const method = makeMethod({});
  return { metric: 'accuracy', methodOf: () => method };
}

function buildRegexEvaluator(placed: LocatedComponent): Evaluator {
  const options = readOptions(placed, { ...regexOptions, ...textOptions });
  const { ignore_case: ignoreCase, normalize } = options;
  return accuracy([buildRegex(placed, options)], exact({ ignoreCase, normalize }));
}
