import { hideTags, untag } from '../../prompt/parts/hidden-tags.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { isMissing } from '../row-score.ts';
import type { SaidMessage, SaidTurn, ScoreInput } from '../scorer.ts';

/** A turn whose question may be in no column. */
interface Said {
  readonly question: string | undefined;
  readonly answer: string;
}

export interface ValueSettings {
  /** The column of the question. */
  readonly questionColumn: string;
  /** The answer that is judged. */
  readonly prediction: string;
  readonly reference: string | undefined;
  readonly cleanGold: (gold: unknown, row: Row) => unknown;
}

/** What a judge's prompt is filled with, by name. */
export interface JudgeValues {
  /** Columns, and what is judged. */
  readonly values: Row;
  /** What was said in the dialogue, made of the same texts. In answers nothing marks media. */
  readonly said: Row;
  /** The rows of the turns before, of which media are shown too. */
  readonly before?: readonly Row[] | undefined;
}

/** In rows that are no dialogue, columns come before what was said under the same name. */
export function judgeValues(
  input: Pick<ScoreInput, 'row' | 'dialogue'>,
  settings: ValueSettings,
): JudgeValues {
  const { row, dialogue } = input;
  const { questionColumn, prediction, reference } = settings;
  const said = dialogueValues(input, settings);
  const asked = Object.hasOwn(row, questionColumn) ? row[questionColumn] : dialogue?.question;
  return {
    values: {
      ...row,
      ...(asked !== undefined && { question: asked }),
      prediction: hideTags(prediction),
      // `obj_gold` is what the field's judge prompts call the reference.
      ...(reference !== undefined && { reference, obj_gold: reference }),
    },
    said: dialogue
      ? said
      : Object.fromEntries(Object.entries(said).filter(([name]) => !Object.hasOwn(row, name))),
    before: dialogue?.before.map((turn) => turn.row),
  };
}

function dialogueValues(input: Pick<ScoreInput, 'row' | 'dialogue'>, settings: ValueSettings): Row {
  const { row, dialogue } = input;
  const { questionColumn, prediction, reference, cleanGold } = settings;
  const before = dialogue?.before ?? [];
  const turns = [
    ...before.map((turn) => {
      const gold = cleanGold(turn.gold, turn.row);
      const reference = isMissing(gold) ? undefined : formatValue(gold);
      const answer = hideTags(turn.answer);
      return { question: questionOf(turn, questionColumn), answer, reference };
    }),
    {
      question: questionOf({ row, question: dialogue?.question }, questionColumn),
      answer: hideTags(prediction),
      reference,
    },
  ];
  const named = turns.flatMap(({ question, answer, reference }, index): [string, unknown][] => [
    ...(question === undefined ? [] : [[`question_${index + 1}`, question] as [string, string]]),
    [`answer_${index + 1}`, answer],
    // As OpenCompass calls it.
    [`prediction_r${index + 1}`, answer],
    ...(reference === undefined ? [] : [[`reference_${index + 1}`, reference] as [string, string]]),
  ]);
  return {
    ...Object.fromEntries(named),
    ...conversationValues(turns, { sent: dialogue?.messages }),
    ...historyOf(turns, dialogue?.messages),
  };
}

function historyOf(turns: readonly Said[], sent: readonly SaidMessage[] | undefined): Row {
  const before = sent?.slice(0, sent.findLastIndex(isAnswer) + 1);
  const messages = before ? spoken(turns, before) : asMessages(turns.slice(0, -1));
  return messages ? { history: conversationText(messages) } : {};
}

interface Conversation {
  /** What the name of a value begins with. */
  readonly prefix?: string | undefined;
  /** What was sent before the last answer, where turns are not a question and an answer each. */
  readonly sent: readonly SaidMessage[] | undefined;
}

/** A conversation as text and as messages; nothing where it is not known what was asked. */
export function conversationValues(
  turns: readonly Said[],
  { prefix = '', sent }: Conversation,
): Row {
  const open = { role: 'assistant', content: '' };
  const messages = sent ? spoken(turns, [...sent, open]) : asMessages(turns);
  if (!messages) return {};
  return {
    [`${prefix}conversation`]: conversationText(messages),
    [`${prefix}conversation_messages`]: messages,
  };
}

/** The messages of turns that ask once each; a conversation is not shown with a gap. */
function asMessages(turns: readonly Said[]): readonly SaidMessage[] | undefined {
  const messages: SaidMessage[] = [];
  for (const { question, answer } of turns) {
    if (question === undefined) return undefined;
    messages.push({ role: 'user', content: question }, { role: 'assistant', content: answer });
  }
  return messages;
}

/** Messages in the order in which they were sent, with the answers of the turns; instructions before them are left out. */
function spoken(turns: readonly Said[], sent: readonly SaidMessage[]): readonly SaidMessage[] {
  const start = sent.findIndex((message) => message.role === 'user' || isAnswer(message));
  let turn = 0;
  return sent.slice(Math.max(start, 0)).map((message) => {
    if (isAnswer(message)) return { ...message, content: turns[turn++]?.answer ?? '' };
    return { ...message, content: untag(message.content)?.text ?? message.content };
  });
}

function isAnswer({ role }: SaidMessage): boolean {
  return role === 'assistant';
}

function conversationText(messages: readonly SaidMessage[]): string {
  return messages
    .map(({ role, content }) => `${role.charAt(0).toUpperCase()}${role.slice(1)}:\n${content}`)
    .join('\n\n');
}

/** What a turn asks: a column of its row, or what the dialogue knows of it. Tags are taken apart. */
export function questionOf(
  { row, question }: Pick<SaidTurn, 'row' | 'question'>,
  column: string,
): string | undefined {
  const asked = Object.hasOwn(row, column) ? formatValue(row[column]) : question;
  return untag(asked)?.text ?? asked;
}

const names =
  /^(?:prediction|reference|obj_gold|boundary|reply|first|second|history|(?:first_|second_)?conversation(?:_messages)?|(?:question|answer|reference|prediction_r|first|second)_?[1-9]\d*)$/;

const conversation = /^(?:history|(?:first_|second_)?conversation(?:_messages)?)$/;
const ofTurn = /^(?:question|answer|reference|prediction_r|first|second)_?([1-9]\d*)$/;

/** Whether a value of this name is made of what was said, and is no column of the row. */
export function isMade(name: string): boolean {
  return conversation.test(name) || ofTurn.test(name);
}

/** The turn that a value of this name belongs to, counted from 1. */
export function turnOf(name: string): number | undefined {
  const turn = ofTurn.exec(name)?.[1];
  return turn === undefined ? undefined : Number(turn);
}

/** Whether a prompt with these names is shown a turn, counted from 0, before the one that is judged. */
export function showsTurn(names: readonly string[], turn: number): boolean {
  return names.some((name) => conversation.test(name) || turnOf(name) === turn + 1);
}

/** Whether a value of this name says what was asked. */
export function showsQuestion(name: string): boolean {
  return /^question(?:_\d+)?$/.test(name) || conversation.test(name);
}

/** Whether a judge's prompt is given a value of this name, so that it need not be a column. */
export function isGiven(name: string): boolean {
  return names.test(name);
}
