import { nearestName } from '../../../base/nearest-name.ts';
import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';

/** The type of datasets in AISBench's custom format, whose columns say how they are asked. */
export const customText = 'CustomText';

/** How a file of questions is asked: the columns that it needs and the prompt. */
export interface CustomTextTask {
  readonly type: 'mcq' | 'qa';
  readonly template: string;
  readonly inputColumns: readonly string[];
  /** Absent if the file holds no answers, so that nothing can be scored. */
  readonly outputColumn?: 'answer';
  /** The letters to choose from; none for `qa`. */
  readonly options: readonly string[];
}

/**
 * The task that a custom text file stands for, told from its first row: multiple choice if it has
 * two or more of the columns `A`, `B`, `C` … in unbroken order, otherwise question and answer.
 */
export function customTextTask(firstRow: Row): CustomTextTask {
  const columns = Object.keys(firstRow);
  if (!columns.includes('question')) throw noQuestion(columns);
  const letters = consecutiveLetters(columns);
  const options = letters.length > 1 ? letters : [];
  const lines = ['Question: {question}', ...options.map((letter) => `${letter}. {${letter}}`)];
  return {
    type: options.length > 0 ? 'mcq' : 'qa',
    template: [...lines, 'Answer: '].join('\n'),
    inputColumns: ['question', ...options],
    ...(columns.includes('answer') ? { outputColumn: 'answer' } : {}),
    options,
  };
}

function consecutiveLetters(columns: readonly string[]): string[] {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const firstMissing = alphabet.findIndex((letter) => !columns.includes(letter));
  return firstMissing < 0 ? alphabet : alphabet.slice(0, firstMissing);
}

function noQuestion(columns: readonly string[]): DataError {
  const near = nearestName('question', columns);
  return new DataError('data.unknown_column', 'The rows have no column `question`', {
    hint: near
      ? `Rename \`${near}\` to \`question\`, or write your own template.`
      : `Columns: ${columns.join(', ')}.`,
  });
}
