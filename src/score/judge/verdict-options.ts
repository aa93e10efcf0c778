import * as z from 'zod';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import { componentType, type LocatedComponent, missingOption } from '../component/component.ts';
import { nonEmptyText, oneOfNames } from '../component/option-kinds.ts';
import { compilePattern } from '../extract/postprocessors.ts';
import { isMissing } from '../row-score.ts';
import type { PairwiseSettings } from './pairwise-scorer.ts';
import {
  type Dimension,
  describeVerdict,
  isRead,
  readVerdict,
  type Verdict,
} from './read-verdict.ts';
import type { VerdictPattern } from './verdict-pattern.ts';

const scale = 'two numbers, the lowest grade and the highest';
const grade = z.number({ error: 'a number' });

const score = 'a score from 0 to 1';
const scores = 'a mapping of verdicts to scores from 0 to 1';

const name = nonEmptyText.optional();

const patternOptions = {
  pattern: nonEmptyText
    .optional()
    .describe('A pattern that finds the verdict in the reply; the first group that matches counts'),
  take: oneOfNames(['first', 'last'])
    .optional()
    .describe('Which match counts if there are several; by default all must agree'),
};

interface PatternOptions {
  readonly pattern?: string | undefined;
  readonly take?: 'first' | 'last' | undefined;
}

function patternOf(
  { pattern, take }: PatternOptions,
  { path }: LocatedComponent,
): { readonly pattern?: VerdictPattern } {
  if (pattern !== undefined) {
    return { pattern: { pattern: compilePattern(pattern, [...path, 'pattern']), take } };
  }
  if (take !== undefined) throw missingOption(path, 'pattern');
  return {};
}

const dimensions = 'a list of names, or a mapping of names to patterns';

/** What a judge may say of an answer. */
export const verdictTypes = {
  choice: componentType({
    summary: 'right or wrong',
    options: {
      correct: name.describe('The verdict for a right answer; A by default'),
      incorrect: name.describe('The verdict for a wrong answer; B by default'),
      ...patternOptions,
    },
    build: ({ correct = 'A', incorrect = 'B', ...options }, _, located): Verdict => ({
      ...choiceVerdict(correct, incorrect),
      ...patternOf(options, located),
    }),
  }),
  grade: componentType({
    summary: 'a grade on a scale',
    options: {
      scale: z
        .tuple([grade, grade], { error: scale })
        .refine(([lowest, highest]) => lowest < highest, { error: scale })
        .optional()
        .describe('The lowest grade and the highest; [1, 10] by default'),
      field: name.describe('The key of the grade in the reply; `grade` by default'),
      dimensions: z
        .union([z.array(nonEmptyText).min(1), z.record(z.string(), nonEmptyText)], {
          error: dimensions,
        })
        .optional()
        .describe('Additional grades on the same scale: keys of the reply, or names with patterns'),
      ...patternOptions,
    },
    build: ({ scale, field = 'grade', dimensions, ...options }, _, located): Verdict => ({
      type: 'grade',
      field,
      scale: scale ?? [1, 10],
      ...(dimensions && { dimensions: dimensionsOf(dimensions, options, located) }),
      ...patternOf(options, located),
    }),
  }),
  json: componentType({
    summary: 'one of several values, each worth a score',
    options: {
      values: z
        .record(
          z.string(),
          z.number({ error: score }).min(0, { error: score }).max(1, { error: score }),
          { error: scores },
        )
        .refine((values) => Object.keys(values).length > 0, { error: scores })
        .describe('What each value is worth, from 0 to 1'),
      field: name.describe('The key of the value in the reply; `verdict` by default'),
      score_field: name.describe(
        'The key of the score from 0 to 1 in the reply, for answers that are right',
      ),
      ...patternOptions,
    },
    build: ({ values, field = 'verdict', score_field, ...options }, _, located): Verdict => ({
      type: 'values',
      field,
      ...(score_field !== undefined && { scoreField: score_field }),
      scores: new Map(Object.entries(values)),
      ...patternOf(options, located),
    }),
  }),
};

/** What a judge calls the first of two answers, the second, and neither. */
export type PairVerdict = Pick<PairwiseSettings, 'names' | 'pattern'>;

const pairName = z
  .union([nonEmptyText, z.array(nonEmptyText).min(1)], { error: 'a text, or a list of texts' })
  .optional();

export const pairTypes = {
  pair: componentType({
    summary: 'the better of two answers',
    options: {
      first: pairName.describe('The verdict for the first answer; 1 by default'),
      second: pairName.describe('The verdict for the second answer; 2 by default'),
      tie: pairName.describe('The verdict if neither is better; `tie` by default'),
      ...patternOptions,
    },
    build: ({ first = '1', second = '2', tie = 'tie', ...options }, _, located): PairVerdict => ({
      names: [first, second, tie],
      ...patternOf(options, located),
    }),
  }),
};

/** Dimensions that have no pattern are keys of the mapping that the reply is. */
function dimensionsOf(
  given: readonly string[] | Readonly<Record<string, string>>,
  { take }: PatternOptions,
  { path }: LocatedComponent,
): readonly Dimension[] {
  if (Array.isArray(given)) return given.map((name: string) => ({ name }));
  return Object.entries(given).map(([name, pattern]) => ({
    name,
    pattern: { pattern: compilePattern(pattern, [...path, 'dimensions', name]), take },
  }));
}

/** Right or wrong. */
export function choiceVerdict(correct: string, incorrect: string): Verdict {
  const values = new Map([
    [correct, 1],
    [incorrect, 0],
  ]);
  return { type: 'values', field: 'verdict', scores: values };
}

const exampleKeys = ['question', 'prediction', 'reference', 'verdict'] as const;

/** Answers that were judged before. */
export const judgedExamples = z
  .array(
    strictMapping({
      question: z.unknown().optional().describe('The question'),
      prediction: z.unknown().optional().describe('The answer that was judged'),
      reference: z.unknown().optional().describe('The right answer'),
      verdict: z.unknown().optional().describe('The verdict that the judge should give'),
      reason: nonEmptyText.optional().describe('Why'),
    }),
    { error: 'a list of judged answers' },
  )
  .min(1, { error: 'a list of judged answers' });

/** The examples of a config as rows of the prompt, each with the reply it should get. */
export function examplesOf(
  examples: z.output<typeof judgedExamples>,
  verdict: Verdict,
  path: ConfigPath,
): Row[] {
  return examples.map(({ reason = 'As in the reference.', ...example }, index) => {
    const missing = exampleKeys.find((key) => isMissing(example[key]));
    if (missing) throw missingOption([...path, index], missing);
    const reply = JSON.stringify({ reason, [verdict.field]: example.verdict });
    if (isRead(readVerdict({ text: reply }, verdict))) return { ...example, reply };
    const verdictPath = [...path, index, 'verdict'];
    const message = `${formatPath(verdictPath)} is not one of the possible verdicts`;
    throw new ConfigError('config.unknown_value', message, {
      path: verdictPath,
      hint: `The verdict is ${describeVerdict(verdict)}.`,
    });
  });
}
