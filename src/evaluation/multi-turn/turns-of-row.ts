import { countOf } from '../../base/format.ts';
import { strangeRole } from '../../data/dialogue/dialogue-rows.ts';
import { DataError } from '../../errors.ts';
import { contentText } from '../../prompt/parts/content.ts';
import { taggedMedia } from '../../prompt/parts/turn-media.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { elementAt, type TurnsProgram } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import type { Query } from '../../retrieve/retriever.ts';
import type { DialogueSoFar, SaidMessage } from '../../score/scorer.ts';
import { goldOf } from '../evaluation.ts';

const noMedia: TurnsProgram['media'] = { parts: [], texts: [] };

/** How many turns a row has: the length of the lists that the round takes from. */
export function countTurns(
  {
    columns,
    media = noMedia,
  }: Pick<TurnsProgram, 'columns'> & Partial<Pick<TurnsProgram, 'media'>>,
  { id, row }: Query,
): number {
  const placed = taggedMedia(row, media);
  const ofMedia = media.parts.flatMap((part) => part.columns);
  const isText = (column: string) => !ofMedia.includes(column);
  const inOrder = [...columns.filter(isText), ...columns.filter((column) => !isText(column))];
  const lists = inOrder.flatMap((column) => {
    if (placed.has(column)) return [];
    const value = row[column];
    return Array.isArray(value) ? [{ column, length: value.length }] : [];
  });
  const [first] = lists;
  if (!first || first.length === 0) {
    const role = strangeRole(row);
    const why = role
      ? `\`${role}\` is a role that turns cannot have`
      : `none of ${names(columns.filter(isText))} is a list with elements`;
    throw new DataError('data.no_turns', `row ${id} has no turns: ${why}`, {
      hint: 'A multi-turn template takes one list element per turn. Rows of `ShareGPT` and `Messages` may only have user and assistant messages, after an optional system message.',
    });
  }
  const other = lists.find(({ length }) => length !== first.length);
  if (other) {
    throw new DataError(
      'data.uneven_turns',
      `row ${id} has ${countOf(first.length, 'element')} in \`${first.column}\` and ${other.length} in \`${other.column}\``,
      { hint: 'The lists of a dialogue must have one element per turn.' },
    );
  }
  return first.length;
}

/** The row as one turn sees it: of every list as long as the dialogue its own element. */
export function rowOfTurn(row: Row, turn: number, turns: number): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      Array.isArray(value) && value.length === turns ? elementAt(value, turn) : value,
    ]),
  );
}

/** What the model said in so many turns, if each is a message of its own. */
export function answersIn(messages: readonly SaidMessage[], turns: number): readonly string[] {
  const said = messages.filter(({ role }) => role === 'assistant');
  return said.length === turns ? said.map(({ content }) => content) : [];
}

/** What each of so many turns asks: all that the user says between one answer and the next. */
export function questionsIn(
  messages: readonly SaidMessage[],
  turns: number,
): readonly (string | undefined)[] {
  const asked: string[][] = [[]];
  for (const { role, content } of messages) {
    if (role === 'assistant') asked.push([]);
    else if (role === 'user') asked.at(-1)?.push(content);
  }
  if (asked.length !== turns) return [];
  return asked.map((texts) => (texts.length > 0 ? texts.join('\n\n') : undefined));
}

/** The messages of a prompt as texts; none where it is one text. */
export function messagesOf(prompt: Prompt): readonly SaidMessage[] {
  const messages = prompt.type === 'messages' ? prompt.messages : [];
  return messages.map(({ role, content }) => ({ role, content: contentText(content) }));
}

/** What was said before a turn, by the answers that the dialogue went on from. */
export function dialogueSoFar(
  row: Row,
  { turn, turns, outputColumn, answerOf, questionOf }: TurnPlace,
): DialogueSoFar {
  const before = Array.from({ length: turn }, (_, index) => {
    const said = rowOfTurn(row, index, turns);
    return {
      row: said,
      gold: goldOf({ outputColumn }, said),
      answer: answerOf(index),
      question: questionOf?.(index),
    };
  });
  return {
    before,
    question: questionOf?.(turn),
    isLast: turn === turns - 1,
    ...(turns > 0 && { whole: { row, turns } }),
  };
}

interface TurnPlace {
  /** Counted from 0. */
  readonly turn: number;
  readonly turns: number;
  readonly outputColumn: string | undefined;
  readonly answerOf: (turn: number) => string;
  /** What a turn asks, where no column says so. */
  readonly questionOf?: ((turn: number) => string | undefined) | undefined;
}

function names(columns: readonly string[]): string {
  return columns.map((column) => `\`${column}\``).join(', ');
}
