import { ModelError } from '../errors.ts';
import type { RequestPart } from './model.ts';

export interface RecordedList<Recorded> {
  /** In the order in which the row is asked: one for each turn or sample. */
  readonly answers: readonly Recorded[];
  readonly part: RequestPart | undefined;
  readonly textOf: (answer: Recorded) => string;
  /** Where they stand. */
  readonly holder: string;
}

/**
 * The recorded answer to one of a row's requests; nothing where it is not there. A row that is asked
 * once has one answer.
 */
export function chooseRecorded<Recorded>({
  answers,
  part,
  textOf,
  holder,
}: RecordedList<Recorded>): Recorded | undefined {
  if (part) {
    refuseMore(answers.length, part, holder);
    // Where only the last turn is asked, its answer may stand alone.
    return part.isFirst && answers.length === 1 ? answers[0] : answers[part.name - 1];
  }
  const different = new Set(answers.map(textOf)).size;
  if (different > 1) {
    throw new ModelError(
      'model.not_recorded',
      `${holder} has ${different} different answers, but the row is asked once`,
      { retryable: false, hint: 'Keep one of them, or set `n` to ask for as many samples.' },
    );
  }
  return answers[0];
}

/** Refuses answers that nothing asks for: it is not known which of them are meant. */
export function refuseMore(
  answers: number,
  { kind, name, isLast }: RequestPart,
  holder: string,
): void {
  if (!isLast || answers <= name) return;
  const asked = `${name} ${kind}${name === 1 ? '' : 's'}`;
  throw new ModelError(
    'model.not_recorded',
    `${holder} has ${answers} answers, and the row has ${asked}`,
    {
      retryable: false,
      hint:
        kind === 'sample'
          ? 'Set `n` to ask for as many samples, or record one answer for each.'
          : `Record one answer for each ${kind}.`,
    },
  );
}

/** What tells the recorded answer to a part of a row from that to others. */
export function identifyPart(part: RequestPart | undefined): object {
  if (!part) return {};
  const { name, isFirst, isLast } = part;
  return { part: name, ...(isFirst && name > 1 && { isFirst }), ...(isLast && { isLast }) };
}

/** What an answer is missing for, such as `sample 3 of the row`. */
export function partName({ kind, name }: RequestPart): string {
  return `${kind} ${name} of the row`;
}
