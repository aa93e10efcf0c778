import { formatValue, type Row } from '../prompt/values.ts';
import { optionsOf, sameOption } from './choice.ts';
import { type Comparison, contains, exact, numberEqual, oneOf } from './compare.ts';
import {
  amount,
  type PlacedComponent,
  readOptions,
  texts,
  trueOrFalse,
  unknownType,
} from './component-options.ts';
import { type Extractor, within } from './extractor.ts';
import { firstNumber, lastNumber } from './number-extractors.ts';
import { opencompassPostprocessors } from './opencompass-postprocess.ts';
import { lastOption } from './option-extractors.ts';
import { buildRegex, labels, regexOptions } from './postprocessors.ts';
import type { ScorerSettings, ScoringMethod } from './scorer.ts';
import { afterMarker, boxed, trimmed } from './text-extractors.ts';

type Evaluator = Pick<ScorerSettings, 'metric' | 'methodOf'>;

const textOptions = { ignore_case: trueOrFalse, normalize: trueOrFalse };

const builders = new Map<string, (placed: PlacedComponent) => Evaluator>([
  ['exact', (placed) => accuracy([trimmed], textComparison(exact, placed))],
  ['contains', (placed) => accuracy([trimmed], textComparison(contains, placed))],
  ['number', buildNumber],
  ['choice', buildChoice],
  ['regex', buildRegexEvaluator],
  ['AccEvaluator', buildAccuracy],
  ['AccwithDetailsEvaluator', buildAccuracy],
  ['EMEvaluator', buildExactMatch],
]);

/** What an evaluator of a config stands for. */
export function buildEvaluator(placed: PlacedComponent): Evaluator {
  const build = builders.get(placed.component.type);
  if (!build) throw unknownType(placed, [...builders.keys()]);
  return build(placed);
}

function accuracy(extractors: readonly Extractor[], comparison: Comparison): Evaluator {
  const method: ScoringMethod = { extractors, compare: oneOf(comparison) };
  return { metric: 'accuracy', methodOf: () => method };
}

function textComparison(create: typeof exact, placed: PlacedComponent): Comparison {
  const { ignore_case: ignoreCase, normalize } = readOptions(placed, textOptions);
  return create({ ignoreCase, normalize });
}

function buildAccuracy(placed: PlacedComponent): Evaluator {
  readOptions(placed, {});
  return accuracy([trimmed], exact());
}

/** OpenCompass's rule: without articles, punctuation and what follows the first stop. */
function buildExactMatch(placed: PlacedComponent): Evaluator {
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

const answerLine = afterMarker([
  ...['answer is', 'answer:', '答えは', '答え:', '正解は', '正解:', '答案是', '答案:'],
]);
const answerNumber = [
  within(boxed, lastNumber),
  within(afterMarker(['####']), firstNumber),
  within(answerLine, within(afterMarker(['=']), firstNumber)),
  within(answerLine, firstNumber),
  lastNumber,
];

function buildNumber(placed: PlacedComponent): Evaluator {
  const { tolerance, relative_tolerance: relativeTolerance } = readOptions(placed, {
    tolerance: amount,
    relative_tolerance: amount,
  });
  return accuracy(answerNumber, numberEqual({ tolerance, relativeTolerance }));
}

function buildChoice(placed: PlacedComponent): Evaluator {
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

function buildRegexEvaluator(placed: PlacedComponent): Evaluator {
  const options = readOptions(placed, { ...regexOptions, ...textOptions });
  const { ignore_case: ignoreCase, normalize } = options;
  return accuracy([buildRegex(placed, options)], exact({ ignoreCase, normalize }));
}
