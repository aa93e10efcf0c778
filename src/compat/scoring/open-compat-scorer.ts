import { Float, type Row } from '../../prompt/values.ts';
import { toPython } from '../../python/convert.ts';
import { pyEquals } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { stripText } from '../../python/text.ts';
import type { PyValue } from '../../python/values.ts';
import type { CompileOptions, ScorerConfig } from '../../score/build-scorer.ts';
import {
  type Components,
  type LocatedComponent,
  locateAll,
  optionsSchema,
  readOptions,
} from '../../score/component/component.ts';
import { optionColumns } from '../../score/component/option-columns.ts';
import { labels, trueOrFalse } from '../../score/component/option-kinds.ts';
import { runChain } from '../../score/extract/extractor.ts';
import {
  cleanWith,
  firstNumber,
  gsm8kGold,
  gsm8kNumber,
  lastOption,
  opencompassPostprocessors,
} from '../../score/extract/opencompass-postprocess.ts';
import { buildExtractors, ownNameOf } from '../../score/extract/postprocessors.ts';
import { openScorer } from '../../score/open-scorer.ts';
import { type ScoreInput, type Scorer, unscored } from '../../score/scorer.ts';
import type { Compat } from '../compat.ts';
import { firstOption } from './first-option.ts';

const noOptions = optionsSchema({});
const optionOptions = optionsSchema({
  options: labels.optional(),
  cushion: trueOrFalse.optional(),
});

type Judge = (prediction: PyValue, reference: PyValue) => boolean;

const judges = new Map<string, { readonly metric: string; readonly isRight: Judge }>([
  ['AccEvaluator', { metric: 'accuracy', isRight: (got, want) => pyStr(got) === pyStr(want) }],
  ['AccwithDetailsEvaluator', { metric: 'accuracy', isRight: pyEquals }],
  ['EMEvaluator', { metric: 'score', isRight: isExactMatch }],
]);

/**
 * The scorer of OpenCompass or AISBench for the evaluators that are theirs; our own for others.
 * Every answer counts as they count it: an empty one is wrong, not unscored.
 */
export async function openCompatScorer(
  config: ScorerConfig,
  { compat, ...options }: CompileOptions & { readonly compat: Compat },
): Promise<Scorer> {
  const judge = judges.get(config.evaluator.type);
  if (!judge) return openScorer(config, options);
  const path = [...(options.source ?? []), 'eval_cfg'];
  readOptions({ component: config.evaluator, path: [...path, 'evaluator'] }, noOptions);
  const locate = (key: string, components: Components | undefined) =>
    components && locateAll(components, [...path, key]);
  const ofAnswer = locate('pred_postprocessor', config.predPostprocessor);
  const ofGold = locate('dataset_postprocessor', config.datasetPostprocessor);
  const cleanAnswer = ofAnswer && buildCleaner(ofAnswer);
  const cleanGold = ofGold && buildCleaner(ofGold);
  return {
    metric: judge.metric,
    direction: 'higher',
    range: [0, 1],
    columns: [...(ofAnswer ?? []), ...(ofGold ?? [])].flatMap(optionColumns),
    score(input) {
      if (input.gold === undefined || input.gold === null) return unscored('no gold answer');
      const apply = (clean: Cleaner | undefined, value: PyValue) =>
        clean ? clean(pyStr(value), input.row) : value;
      const prediction = apply(cleanAnswer, predictionOf(input, compat));
      const reference = apply(cleanGold, toPython(input.gold));
      const got = pyStr(prediction);
      return {
        type: 'scored',
        value: Number(judge.isRight(prediction, reference)),
        extracted: got,
        compared: { got, want: pyStr(reference) },
      };
    },
  };
}

function predictionOf({ answer: { raw }, label }: ScoreInput, compat: Compat) {
  if (label !== undefined) return toPython(label);
  return compat === 'aisbench' ? removeThinking(raw) : raw;
}

function removeThinking(text: string): string {
  if (text.includes('<think>')) return cleanWith('extract-non-reasoning-content', text);
  const end = text.lastIndexOf('</think>');
  return end < 0 ? text : stripText(text.slice(end + '</think>'.length));
}

type Cleaner = (text: string, row: Row) => PyValue;

function buildCleaner(chain: readonly LocatedComponent[]): Cleaner {
  const [located] = chain;
  const own = located && chain.length === 1 && buildOwnCleaner(located);
  if (own) return own;
  const extractorsOf = buildExtractors(chain);
  return (text, row) => runChain(extractorsOf(row), text).found?.value ?? '';
}

/** Those systems' own functions. */
function buildOwnCleaner(located: LocatedComponent): Cleaner | undefined {
  const { type } = located.component;
  const name = ownNameOf(type);
  if (opencompassPostprocessors.has(name)) {
    readOptions(located, noOptions);
    return (text) => cleanWith(name, text);
  }
  if (type === 'first_option_postprocess' || type === 'last_option_postprocess') {
    const { options = [], cushion = true } = readOptions(located, optionOptions);
    const letters = options.join('');
    if (type === 'last_option_postprocess') return (text) => lastOption(text, letters);
    return firstOption({ options: letters, cushion });
  }
  if (type === 'gsm8k_postprocess' || type === 'gsm8k_dataset_postprocess') {
    readOptions(located, noOptions);
    return type === 'gsm8k_postprocess' ? gsm8kNumber : gsm8kGold;
  }
  if (type === 'first_number_postprocess') {
    readOptions(located, noOptions);
    return (text) => {
      const number = firstNumber(text);
      return number === null ? null : new Float(number);
    };
  }
  return undefined;
}

function isExactMatch(prediction: PyValue, reference: PyValue): boolean {
  const got = cleanWith('general', pyStr(prediction));
  const references = Array.isArray(reference) ? reference : [reference];
  const answers = references.map((item: PyValue) => pyStr(item));
  return answers.some((answer) => got === answer || got === cleanWith('general', answer));
}
