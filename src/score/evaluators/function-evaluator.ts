import * as z from 'zod';
import { ConfigError, formatPath } from '../../errors.ts';
import { Float, formatValue, type Row } from '../../prompt/values.ts';
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
  .meta({ not: {}, tsType: 'ScoreFunction' });

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
      const given = { gold: copyOf(gold), row: copyOf(row) as Row };
      const result = score(extracted.value, given);
      const value = isPromise(result) ? await settledValue(result, metric) : result;
      return rowScore(value, { extracted: extracted.value, gold });
    },
  };
}

async function settledValue(result: PromiseLike<unknown>, metric: string): Promise<unknown> {
  const { settled } = await import('../../base/settled.ts');
  const unsettled = () => new Error(`the promise of the function \`${metric}\` never settles`);
  return settled(result, unsettled);
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Only a number or a boolean is a score: what else JavaScript would make a number of is a mistake. */
function rowScore(
  value: unknown,
  { extracted, gold }: { readonly extracted: string; readonly gold: unknown },
): RowScore {
  if (value === null || value === undefined) return unscored('the function gave no score');
  if (typeof value !== 'number' && typeof value !== 'boolean')
    return unscored('the function gave no number', nameOf(value));
  const number = Number(value);
  if (!(number >= 0 && number <= 1)) return unscored('score out of range', String(value));
  const want = gold === undefined ? '' : formatValue(gold);
  return { type: 'scored', value: number, extracted, compared: { got: extracted, want } };
}

/** `a string`, `a Date`: what a function gave may have no text of its own. */
function nameOf(value: unknown): string {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return `it gave ${/^[AEIO]/.test(name) ? 'an' : 'a'} ${typeof value === 'object' ? name : typeof value}`;
}

/** A function may write to what it is given; the run goes on with what was read. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [key, copyOf(item)]));
  if (typeof value !== 'object' || value === null || value instanceof Float) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}
