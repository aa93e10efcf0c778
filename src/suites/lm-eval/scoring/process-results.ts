import type { Row } from '../../../prompt/values.ts';
import { countCharacters } from '../../../python/text.ts';
import { type DocumentTexts, printed, type TaskFunctions } from '../prompts/document-texts.ts';
import type { LmEvalTask, MetricEntry } from '../tasks/task-config.ts';
import { exactMatch } from './exact-match.ts';

/** What a row gives a metric: a number, or what its aggregation takes, such as a pair of texts. */
export type RawValue = unknown;

/** What rows give the metrics of a task, by name. */
export type RawValues = Readonly<Record<string, RawValue>>;

/** How likely the choices of a row are. */
export interface MeasuredChoices {
  readonly loglikelihoods: readonly number[];
  /** Whether each choice is what the model would write; left out where it does not tell. */
  readonly greedy?: readonly boolean[] | undefined;
  /** How likely each choice is after nothing. */
  readonly unconditional?: readonly number[] | undefined;
}

/** How likely a target is. */
export interface MeasuredTarget {
  readonly logprob: number;
  readonly greedy?: boolean | undefined;
}

export interface ResultReader {
  readonly ofChoices: (row: Row, measured: MeasuredChoices) => RawValues;
  /** What came out of a pipeline of filters. */
  readonly ofAnswer: (row: Row, answer: unknown) => RawValues;
  readonly ofTarget: (row: Row, measured: MeasuredTarget) => RawValues;
  /** The place of the right choice; several, or -100 where it is none. */
  readonly goldOf: (row: Row) => number | readonly number[];
}

export interface ReaderParts {
  readonly texts: DocumentTexts;
  readonly functions: TaskFunctions;
  readonly hasSeveralInputs: boolean;
  /** Whether the first row has a list of targets. */
  readonly hasSeveralTargets: boolean;
}

/** What the place of a right choice is that is not there. */
const nowhere = -100;

/** Reads what a model gave as the original does. */
export function resultReader(task: LmEvalTask, parts: ReaderParts): ResultReader {
  const { texts, functions, hasSeveralInputs } = parts;
  const wanted = new Set(task.metrics.map(({ metric }) => metric));
  const only = (values: RawValues): RawValues =>
    Object.fromEntries(Object.entries(values).filter(([name]) => wanted.has(name)));
  const own = task.processResults && functions(task.processResults.function);
  const choicesOf = (row: Row) =>
    task.docToChoice === undefined ? [] : texts.choices(task.docToChoice, row);
  const goldOf = (row: Row) => {
    const given = hasSeveralInputs
      ? texts.text(task.docToText, row)
      : texts.target(task.docToTarget, row);
    const choices = choicesOf(row);
    const place = (gold: unknown) => {
      if (typeof gold === 'number') return gold < choices.length ? gold : nowhere;
      const found = choices.indexOf(printed(gold));
      return found < 0 ? nowhere : found;
    };
    return Array.isArray(given) ? given.map(place) : place(given);
  };
  return {
    goldOf,
    ofChoices(row, measured) {
      if (own) return ownValues(own, row, pairsOf(measured));
      return only(choiceValues(choicesOf(row), { gold: goldOf(row), measured, ...parts }));
    },
    ofTarget(row, { logprob, greedy }) {
      if (own) return ownValues(own, row, [[logprob, greedy ?? false]]);
      return only({ perplexity: logprob, ...(greedy !== undefined && { acc: Number(greedy) }) });
    },
    ofAnswer(row, answer) {
      if (own) return ownValues(own, row, [answer]);
      const gold = answerGold(texts.target(task.docToTarget, row), {
        choices: task.docToChoice === undefined ? undefined : choicesOf(row),
        isList: Array.isArray(answer),
        ...parts,
      });
      return Object.assign(
        {},
        ...task.metrics.map((metric) => metricValues(metric, { answer, gold, ...parts })),
      );
    },
  };
}

type Own = ReturnType<TaskFunctions>;

function ownValues(own: Own, row: Row, results: readonly unknown[]): RawValues {
  const values = own(row, results);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new TypeError('process_results did not return a mapping of metrics to values');
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? Number(value) : value,
    ]),
  );
}

function pairsOf({ loglikelihoods, greedy = [] }: MeasuredChoices): readonly unknown[] {
  return loglikelihoods.map((value, index) => [value, greedy[index] ?? false]);
}

interface ChoiceParts extends Pick<ReaderParts, 'hasSeveralTargets'> {
  readonly gold: number | readonly number[];
  readonly measured: MeasuredChoices;
}

function choiceValues(
  choices: readonly string[],
  { gold, measured, hasSeveralTargets }: ChoiceParts,
): RawValues {
  const { loglikelihoods, greedy, unconditional } = measured;
  const isRight = (place: number) => Number([gold].flat().includes(place));
  const single = Array.isArray(gold) ? nowhere : (gold as number);
  const best = largest(loglikelihoods);
  const ofLength = (lengthOf: (choice: string) => number) =>
    largest(loglikelihoods.map((value, index) => value / lengthOf(choices[index] ?? '')));
  const golds = hasSeveralTargets || Array.isArray(gold) ? [gold].flat() : [single];
  return {
    acc: isRight(best),
    acc_norm: isRight(ofLength(countCharacters)),
    acc_bytes: isRight(ofLength((choice) => Buffer.byteLength(choice))),
    f1: [gold, best],
    mcc: [gold, best],
    brier_score: [gold, softmax(loglikelihoods)],
    likelihood: [gold, loglikelihoods],
    ...(greedy && { exact_match: Number(golds.some((place) => greedy.at(place) && place >= 0)) }),
    ...(unconditional && {
      acc_mutual_info: isRight(
        largest(loglikelihoods.map((value, index) => value - (unconditional[index] ?? 0))),
      ),
    }),
  };
}

/** `argmax`: the place of the largest value, of the first one if there are several. */
export function largest(values: readonly number[]): number {
  let best = 0;
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) return index;
    if (value > (values[best] ?? Number.NEGATIVE_INFINITY)) best = index;
  }
  return best;
}

function softmax(values: readonly number[]): readonly number[] {
  const highest = Math.max(...values);
  const chances = values.map((value) => Math.exp(value - highest));
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return chances.map((chance) => chance / sum);
}

interface GoldParts extends Pick<ReaderParts, 'hasSeveralTargets'> {
  readonly choices: readonly string[] | undefined;
  /** Whether the answer is a list, which nothing is made the same as. */
  readonly isList: boolean;
}

function answerGold(target: unknown, { choices, isList, hasSeveralTargets }: GoldParts): unknown {
  if (choices) return typeof target === 'number' ? choices.at(target) : target;
  if (hasSeveralTargets) return Array.isArray(target) ? target : [...printed(target)];
  return isList || typeof target === 'string' ? target : printed(target);
}

interface AnswerParts extends Pick<ReaderParts, 'functions' | 'hasSeveralTargets'> {
  readonly answer: unknown;
  readonly gold: unknown;
}

function metricValues(
  { metric, run, options }: MetricEntry,
  { answer, gold, functions, hasSeveralTargets }: AnswerParts,
): RawValues {
  const golds = hasSeveralTargets ? [gold].flat() : undefined;
  if (run) {
    const own = functions(run.function);
    const value = golds
      ? Number(golds.some((one) => own({ references: [one], predictions: [answer], ...options })))
      : own({ references: [gold], predictions: [answer], ...options });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as RawValues)
      : { [metric]: value };
  }
  if (metric === 'exact_match') {
    const value = golds
      ? Number(golds.some((one) => exactMatch(answer, one, options) > 0))
      : exactMatch(answer, gold, options);
    return { exact_match: value };
  }
  return { [metric]: [gold, answer] };
}
