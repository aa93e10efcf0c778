import { ConfigError, formatPath } from '../errors.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import {
  type LocatedComponent,
  nonEmptyText,
  type OptionReader,
  readOptions,
} from './component-options.ts';
import type { LaterParts } from './later-evaluators.ts';
import { extractAnswer, type RowScore, type Scorer, unscored } from './scorer.ts';
import { trimmed } from './text-extractors.ts';

/** What a function that scores answers is given besides the answer. */
export interface FunctionInput {
  /** What stands in the output column. */
  readonly gold: unknown;
  readonly row: Row;
}

/** A score from 0 to 1, or whether the answer is right; null leaves the row unscored. */
export type FunctionScore = number | boolean | null | undefined;

/** Scores an answer, at once or later. */
export type ScoreFunction = (
  answer: string,
  input: FunctionInput,
) => FunctionScore | Promise<FunctionScore>;

const scoreFunction: OptionReader<ScoreFunction> = {
  expected: 'a function, in a TypeScript or JavaScript config',
  read: (value) => (typeof value === 'function' ? (value as ScoreFunction) : undefined),
};

/** The evaluator `function`: the user's own code says what an answer is worth. */
export function buildFunctionScorer(
  placed: LocatedComponent,
  { extractorsOf, cleanGold }: LaterParts,
): Scorer {
  const { score, metric = 'score' } = readOptions(placed, {
    score: scoreFunction,
    metric: nonEmptyText,
  });
  if (!score) {
    throw new ConfigError('config.missing_key', `${formatPath(placed.path)} has no \`score\``, {
      path: placed.path,
      hint: 'Add the function in a TypeScript config. Runs do not record it: `typecase score FOLDER CONFIG`.',
    });
  }
  return {
    metric,
    direction: 'higher',
    range: [0, 1],
    score: () => unscored('not scored yet'),
    async scoreLater(input) {
      const { row } = input;
      const extracted = extractAnswer(input, extractorsOf?.(row) ?? [trimmed]);
      if (extracted.type === 'unscored') return extracted;
      const gold = cleanGold ? cleanGold(input.gold, row) : input.gold;
      const value = await score(extracted.value, { gold, row });
      return rowScore(value, { extracted: extracted.value, gold });
    },
  };
}

function rowScore(
  value: FunctionScore,
  { extracted, gold }: { readonly extracted: string; readonly gold: unknown },
): RowScore {
  if (value === null || value === undefined) return unscored('the function gave no score');
  const number = Number(value);
  if (!(number >= 0 && number <= 1)) return unscored('score out of range', String(value));
  const want = gold === undefined ? '' : formatValue(gold);
  return { type: 'scored', value: number, extracted, compared: { got: extracted, want } };
}
