import * as z from 'zod';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { strictMapping } from '../../schema/strict-mapping.ts';
import { componentType, missingOption } from '../component/component.ts';
import { nonEmptyText } from '../component/option-kinds.ts';
import { isMissing } from '../scorer.ts';
import { describeVerdict, readVerdict, type Verdict } from './read-verdict.ts';

const scale = 'two numbers, the lowest grade and the highest';
const grade = z.number({ error: 'a number' });

const score = 'a score from 0 to 1';
const scores = 'a mapping of verdicts to scores from 0 to 1';

const name = nonEmptyText.optional();

/** What a judge may say of an answer. */
export const verdictTypes = {
  choice: componentType({
    summary: 'right or wrong',
    options: {
      correct: name.describe('What the judge says of a right answer; A by default'),
      incorrect: name.describe('What the judge says of a wrong answer; B by default'),
    },
    build: ({ correct = 'A', incorrect = 'B' }) => choiceVerdict(correct, incorrect),
  }),
  grade: componentType({
    summary: 'a grade on a scale',
    options: {
      scale: z
        .tuple([grade, grade], { error: scale })
        .refine(([lowest, highest]) => lowest < highest, { error: scale })
        .optional()
        .describe('The lowest grade and the highest; [1, 10] by default'),
      field: name.describe('The key of the reply that holds the grade; `grade` by default'),
    },
    build: ({ scale, field = 'grade' }): Verdict => ({
      type: 'grade',
      field,
      scale: scale ?? [1, 10],
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
      field: name.describe('The key of the reply that holds the value; `verdict` by default'),
    },
    build: ({ values, field = 'verdict' }): Verdict => ({
      type: 'values',
      field,
      scores: new Map(Object.entries(values)),
    }),
  }),
};

/** What a judge calls the first of two answers, the second, and neither. */
export const pairTypes = {
  pair: componentType({
    summary: 'the better of two answers',
    options: {
      first: name.describe('What the judge calls the first answer; 1 by default'),
      second: name.describe('What the judge calls the second answer; 2 by default'),
      tie: name.describe('What the judge says if neither is better; `tie` by default'),
    },
    build: ({ first = '1', second = '2', tie = 'tie' }): [string, string, string] => [
      first,
      second,
      tie,
    ],
  }),
};

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
      verdict: z.unknown().optional().describe('What the judge should say of it'),
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
    if (readVerdict(reply, verdict)) return { ...example, reply };
    const verdictPath = [...path, index, 'verdict'];
    const message = `${formatPath(verdictPath)} is none of the verdicts that the judge may give`;
    throw new ConfigError('config.unknown_value', message, {
      path: verdictPath,
      hint: `The verdict is ${describeVerdict(verdict)}.`,
    });
  });
}
