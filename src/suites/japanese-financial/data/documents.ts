import * as z from 'zod';
import { DataError } from '../../../errors.ts';
import type { Task } from '../templates/task-names.ts';

export interface Choice {
  readonly id: number;
  readonly text: string;
}

/** A question of an exam. */
export interface ExamDocument {
  readonly id: number;
  readonly question: string;
  readonly context: string | null;
  readonly choices: readonly Choice[];
  /** The `id` of the right choice. */
  readonly answer: number;
  readonly comment?: string | null | undefined;
}

/** What a sentence says of a target. */
export interface OpinionDocument {
  readonly id: number;
  readonly sentence: string;
  readonly target: string;
  /** `positive`, `negative` or `neutral`. */
  readonly polarity: string;
}

export type TaskDocument = ExamDocument | OpinionDocument;

export function isOpinion(document: TaskDocument): document is OpinionDocument {
  return 'sentence' in document;
}

/** The column that holds the right answer. */
export function answerColumn(document: TaskDocument): 'polarity' | 'answer' {
  return isOpinion(document) ? 'polarity' : 'answer';
}

// The original turns values into text as well; numbers are choices such as years.
const text = z.union([z.string(), z.int().transform(String)], { error: 'a text' });
const number = z.int({ error: 'a whole number' });

const choiceList = z.array(z.object({ id: number, text }), { error: 'a list of choices' });
const choiceColumns = z
  .object({ id: z.array(number), text: z.array(text) })
  .refine(({ id, text }) => id.length === text.length)
  .transform(({ id, text }) => id.map((value, index) => ({ id: value, text: text[index] ?? '' })));

const examSchema = z
  .object(
    {
      id: number,
      question: text,
      context: text.nullable().default(null),
      choices: z.union([choiceList, choiceColumns], { error: 'a list of { id, text }' }),
      answer: number,
      comment: text.nullish(),
    },
    { error: 'a question' },
  )
  .refine(({ choices, answer }) => choices.some(({ id }) => id === answer), {
    path: ['answer'],
    error: 'the `id` of one of the choices',
  });

const opinionSchema = z.object(
  { id: number, sentence: text, target: text, polarity: text },
  { error: 'an opinion' },
);

/** Checks the rows of a data file and makes documents of them. */
export function readDocuments(
  rows: readonly unknown[],
  { task, file }: { readonly task: Task; readonly file: string },
): TaskDocument[] {
  const schema: z.ZodType<TaskDocument> = task === 'chabsa' ? opinionSchema : examSchema;
  return rows.map((row, index) => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const where = [`row ${index}`, ...(issue?.path ?? [])].join(', ');
    throw new DataError('task.bad_data', `${file}: ${where} should be ${issue?.message}`, {
      hint: `\`${task}\` reads the data of the original harness unchanged.`,
    });
  });
}

/** A document in the shape that templates of the original see. */
export function originalShape(document: TaskDocument): Readonly<Record<string, unknown>> {
  if (isOpinion(document)) return { ...document };
  const { choices, ...rest } = document;
  return {
    ...rest,
    choices: { id: choices.map(({ id }) => id), text: choices.map((choice) => choice.text) },
  };
}
