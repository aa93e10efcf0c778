import * as z from 'zod';
import { ConfigError, formatPath } from '../../errors.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { componentType } from '../component/component.ts';
import { nonEmptyText } from '../component/option-kinds.ts';
import { trimmed } from '../extract/text-extractors.ts';
import { extractAnswer, type RowScore, type Scorer, unscored } from '../scorer.ts';
import type { ScoringParts } from './scoring-parts.ts';

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

const scoreFunction = z
  .custom<ScoreFunction>((value) => typeof value === 'function', {
    error: 'a function, in a TypeScript or JavaScript config',
  })
  .meta({ not: {} });

export const functionEvaluators = {
  function: componentType({
    summary: 'a function of a TypeScript config gives the score',
    options: {
      score: scoreFunction
        .optional()
        .describe('The function; in a TypeScript or JavaScript config'),
      metric: nonEmptyText.optional().describe('What the score is called; `score` by default'),
    },
    build({ score, metric = 'score' }, parts: ScoringParts, { path }) {
      if (score) return functionScorer(score, { ...parts, metric });
      throw new ConfigError('config.missing_key', `${formatPath(path)} has no \`score\``, {
        path,
        hint: 'Add the function in a TypeScript config. Runs do not record it: `typecase score FOLDER CONFIG`.',
      });
    },
  }),
};

function functionScorer(
  score: ScoreFunction,
  { extractorsOf, cleanGold, metric }: ScoringParts & { readonly metric: string },
): Scorer {
  return {
    metric,
    direction: 'higher',
    range: [0, 1],
    columns: 'any',
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
