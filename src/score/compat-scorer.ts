import { type PyValue, pyEquals, pyStr, toPython } from '../prompt/compat/index.ts';
import { Float, type Row } from '../prompt/values.ts';
import { type PlacedComponent, readOptions, trueOrFalse } from './component-options.ts';
import { runChain } from './extractor.ts';
import { firstOption } from './opencompass-first-option.ts';
import { firstNumber, lastOption, opencompassPostprocessors } from './opencompass-postprocess.ts';
import { stripText } from './opencompass-python-text.ts';
import { buildExtractors, labels, opencompassFunctions } from './postprocessors.ts';
import { type ScoreInput, type Scorer, unscored } from './scorer.ts';

export interface CompatSettings {
  readonly compat: 'opencompass' | 'aisbench';
  readonly evaluator: PlacedComponent;
  readonly predPostprocessor: readonly PlacedComponent[] | undefined;
  readonly datasetPostprocessor: readonly PlacedComponent[] | undefined;
}

type Judge = (prediction: PyValue, reference: PyValue) => boolean;

const judges = new Map<string, { readonly metric: string; readonly isRight: Judge }>([
  ['AccEvaluator', { metric: 'accuracy', isRight: (got, want) => pyStr(got) === pyStr(want) }],
  ['AccwithDetailsEvaluator', { metric: 'accuracy', isRight: pyEquals }],
  ['EMEvaluator', { metric: 'score', isRight: isExactMatch }],
]);

/**
 * The scorer of those systems for the evaluators that are theirs; nothing for others. Every answer
 * counts as they count it: an empty one is wrong, not unscored.
 */
export function compileCompatScorer({
  compat,
  evaluator,
  predPostprocessor,
  datasetPostprocessor,
}: CompatSettings): Scorer | undefined {
  const judge = judges.get(evaluator.component.type);
  if (!judge) return undefined;
  readOptions(evaluator, {});
  const cleanAnswer = predPostprocessor && buildCleaner(predPostprocessor);
  const cleanGold = datasetPostprocessor && buildCleaner(datasetPostprocessor);
  return {
    metric: judge.metric,
    direction: 'higher',
    range: [0, 1],
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

function predictionOf({ answer: { raw }, label }: ScoreInput, compat: CompatSettings['compat']) {
  if (label !== undefined) return toPython(label);
  return compat === 'aisbench' ? removeThinking(raw) : raw;
}

function removeThinking(text: string): string {
  if (text.includes('<think>')) return cleanWith('extract-non-reasoning-content', text);
  const end = text.lastIndexOf('</think>');
  return end < 0 ? text : stripText(text.slice(end + '</think>'.length));
}

type Cleaner = (text: string, row: Row) => PyValue;

function buildCleaner(chain: readonly PlacedComponent[]): Cleaner {
  const [placed] = chain;
  const own = placed && chain.length === 1 && buildOwnCleaner(placed);
  if (own) return own;
  const extractorsOf = buildExtractors(chain);
  return (text, row) => runChain(extractorsOf(row), text).found?.value ?? '';
}

/** Those systems' own functions. */
function buildOwnCleaner(placed: PlacedComponent): Cleaner | undefined {
  const { type } = placed.component;
  const name = opencompassFunctions.get(type) ?? type;
  if (opencompassPostprocessors.has(name)) {
    readOptions(placed, {});
    return (text) => cleanWith(name, text);
  }
  if (type === 'first_option_postprocess' || type === 'last_option_postprocess') {
    const { options = [], cushion = true } = readOptions(placed, {
      options: labels,
      cushion: trueOrFalse,
    });
    const letters = options.join('');
    if (type === 'last_option_postprocess') return (text) => lastOption(text, letters);
    return firstOption({ options: letters, cushion });
  }
  if (type === 'first_number_postprocess') {
    readOptions(placed, {});
    return (text) => {
      const number = firstNumber(text);
      return number === null ? null : new Float(number);
    };
  }
  return undefined;
}

function cleanWith(name: string, text: string): string {
  return opencompassPostprocessors.get(name)?.(text) ?? text;
}

function isExactMatch(prediction: PyValue, reference: PyValue): boolean {
  const got = cleanWith('general', pyStr(prediction));
  const references = Array.isArray(reference) ? reference : [reference];
  const answers = references.map((item: PyValue) => pyStr(item));
  return answers.some((answer) => got === answer || got === cleanWith('general', answer));
}
