import { hideTags, untag } from '../../prompt/parts/hidden-tags.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { isMissing } from '../row-score.ts';
import type { SaidTurn, ScoreInput } from '../scorer.ts';

interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** A turn whose question may be in no column. */
type Said = Omit<Turn, 'question'> & { readonly question: string | undefined };

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
  return { ...Object.fromEntries(named), ...conversationValues(turns), ...historyOf(turns) };
}

function historyOf(turns: readonly Said[]): Row {
  const before = turns.slice(0, -1);
  return areKnown(before) ? { history: conversationText(before) } : {};
}

/** Whether it is known what every turn asks: a conversation is not shown with a gap. */
function areKnown(turns: readonly Said[]): turns is readonly Turn[] {
  return turns.every(({ question }) => question !== undefined);
}

/** A conversation as text and as messages; nothing where it is not known what was asked. */
export function conversationValues(turns: readonly Said[], prefix = ''): Row {
  if (!areKnown(turns)) return {};
  return {
    [`${prefix}conversation`]: conversationText(turns),
    [`${prefix}conversation_messages`]: turns.flatMap(({ question, answer }) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]),
  };
}

function conversationText(turns: readonly Turn[]): string {
  return turns
    .flatMap(({ question, answer }) => [`User:\n${question}`, `Assistant:\n${answer}`])
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

/** Whether a prompt with these names is shown a turn, counted from 0, before the one that is judged. */
export function showsTurn(names: readonly string[], turn: number): boolean {
  return names.some(
    (name) => conversation.test(name) || Number(ofTurn.exec(name)?.[1]) === turn + 1,
  );
}

/** Whether a value of this name says what was asked. */
export function showsQuestion(name: string): boolean {
  return /^question(?:_\d+)?$/.test(name) || conversation.test(name);
}

/** Whether a judge's prompt is given a value of this name, so that it need not be a column. */
export function isGiven(name: string): boolean {
  return names.test(name);
}
