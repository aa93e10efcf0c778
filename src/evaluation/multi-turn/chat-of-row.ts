import { ConfigError, DataError, formatPath } from '../../errors.ts';
import {
  type ChatProgram,
  type ChatSettings,
  chatOfMessages,
  chatOfTemplate,
} from '../../prompt/chat.ts';
import { getKey, isMapping } from '../../prompt/mapping.ts';
import type { Node } from '../../prompt/node.ts';
import { wireRoles } from '../../prompt/parse-messages.ts';
import { parseTemplate } from '../../prompt/parse-template.ts';
import { fillPrompt } from '../../prompt/render.ts';
import { nodesOf, type Template } from '../../prompt/template.ts';
import { elementAt, mentions, roundColumns, rowOfTurns, turnField } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import type { Query } from '../../retrieve/retriever.ts';
import type { SaidMessage } from '../../score/scorer.ts';
import type { PromptData, PromptSetup } from '../prompt-setup.ts';
import { countTurns, rowOfTurn } from './turns-of-row.ts';
import { unsentKeyOf } from './unsent-messages.ts';

/** The chat that a row holds. */
export interface ChatOfRow {
  readonly program: ChatProgram;
  /** The row with what the chat fills in. */
  readonly row: Row;
  /** The row as the data have it, and how many turns its lists have. */
  readonly whole: Row;
  readonly turns: number;
  /** The row as an answer sees it that is scored. */
  readonly rowOf: (answer: number) => Row;
  /** The right answer in a place; a column of answers goes before what the chat says. */
  readonly goldOf: (answer: number, isOnly: boolean) => unknown;
  /** The messages of the row before an answer, if it holds messages. */
  readonly messagesBefore?: ((answer: number) => readonly SaidMessage[]) | undefined;
}

export interface ChatReader {
  readonly template: Template;
  readonly chatOf: (query: Query) => ChatOfRow;
}

/** Reads the chats of a task's rows: messages of a column, or what the template makes of the columns. */
export function chatReader(task: PromptSetup, { test }: PromptData): ChatReader {
  const template = templateOf(task);
  const settings: ChatSettings = {
    template,
    format: task.model.format,
    outputColumn: task.outputColumn,
    maskToken: task.inferencer.genFieldReplaceToken,
    keepTrailingSpaces: task.inferencer.keepTrailingSpaces,
  };
  const programs = new Map<string, ChatProgram>();
  const remember = (key: string, compile: () => ChatProgram): ChatProgram => {
    const program = programs.get(key) ?? compile();
    programs.set(key, program);
    return program;
  };
  const column = messageColumn(task, template);
  const says = placeholderOf(template);
  const columns = roundColumns({ round: itemsOf(template) });
  // What no row has is text in braces.
  const known = new Set([...task.inputColumns, ...Object.keys(test[0]?.row ?? {})]);
  const needed = columns.filter((name) => known.has(name) && name !== task.outputColumn);
  return {
    template,
    chatOf(query) {
      const messages = column === undefined ? undefined : messagesIn(query, column, task);
      if (messages && column !== undefined) {
        if (task.promptTemplate && says !== column) throw textBesideChat(task, query, column);
        return chatFromMessages(task, query, { column, messages, settings, remember });
      }
      requireValues(query, needed);
      const turns = turnsOf(task, query, columns);
      const program = remember(String(turns), () => chatOfTemplate(settings, turns));
      const row = rowOfTurns(query.row, { columns: withAnswers(columns, task), turns });
      return {
        program,
        row,
        whole: query.row,
        turns,
        rowOf: (answer) => rowOfTurn(query.row, program.answers[answer]?.turn ?? 0, turns),
        goldOf: (answer) => {
          const place = program.answers[answer];
          if (!place || task.outputColumn === undefined) return undefined;
          const own = elementAt(query.row[task.outputColumn], place.turn);
          return place.isGold ? own : emptyAsNone(textOf(place, row));
        },
      };
    },
  };
}

/** Whether a template for turns says what is asked: a round with one answer, the row's own, and no chat in a column. */
export function isOfTurns(
  { promptTemplate, outputColumn }: PromptSetup,
  data: PromptData,
): boolean {
  if (promptTemplate?.config.type !== 'MultiTurnPromptTemplate') return false;
  const { body } = parseTemplate(promptTemplate.config, promptTemplate.source);
  if (body.type !== 'dialogue') return false;
  const answers = body.round.filter((item) => item.type === 'turn' && item.role === 'BOT');
  const [answer] = answers;
  if (!answer || answers.length > 1 || !mentions(answer, outputColumn)) return false;
  const row = data.test[0]?.row ?? {};
  return !roundColumns(body).some((column) => isChat(row[column]));
}

function isChat(value: unknown): boolean {
  const list = typeof value === 'string' ? parseList(value) : value;
  return Array.isArray(list) && list.length > 0 && list.every(isMapping);
}

type Place = ChatProgram['answers'][number];

/** What the data says in the place of an answer. */
export function textOf({ said }: Place, row: Row): string {
  const prompt = fillPrompt(said, row);
  return prompt.type === 'text' ? prompt.text : '';
}

function emptyAsNone(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function withAnswers(columns: readonly string[], { outputColumn }: PromptSetup): string[] {
  return [...new Set([...columns, ...(outputColumn === undefined ? [] : [outputColumn])])];
}

interface MessageChat {
  readonly column: string;
  readonly messages: readonly SaidMessage[];
  readonly settings: ChatSettings;
  readonly remember: (key: string, compile: () => ChatProgram) => ChatProgram;
}

function chatFromMessages(
  { outputColumn }: PromptSetup,
  query: Query,
  { column, messages, settings, remember }: MessageChat,
): ChatOfRow {
  const isOpen = messages.at(-1)?.role !== 'assistant';
  const all = isOpen ? [...messages, { role: 'assistant', content: '' }] : messages;
  const roles = all.map(({ role }) => role);
  // The column of the right answer is none of the texts here.
  const program = remember(roles.join(' '), () =>
    chatOfMessages({ ...settings, outputColumn: undefined }, { column, roles }),
  );
  const fields = all.map(({ content }, index) => [turnField(column, index), content]);
  const row = { ...query.row, ...Object.fromEntries(fields) };
  const own = outputColumn === undefined ? undefined : query.row[outputColumn];
  const { answers } = program;
  const places = roles.flatMap((role, index) => (role === 'assistant' ? [index] : []));
  return {
    messagesBefore: (answer) => all.slice(0, places[answer]),
    program,
    row,
    whole: query.row,
    turns: answers.length,
    rowOf: (answer) => rowOfTurn(query.row, answer, answers.length),
    goldOf: (answer, isOnly) => {
      if (Array.isArray(own) && own.length === answers.length) return own[answer];
      const isForThis = isOnly || answers.length === 1;
      if (isForThis && own !== undefined && own !== null && own !== '') return own;
      const place = answers[answer];
      return place && emptyAsNone(textOf(place, row));
    },
  };
}

/** The column that may hold messages: the one that the template says alone, the only one, or `dialogue`. */
function messageColumn({ inputColumns }: PromptSetup, template: Template): string | undefined {
  const [only, ...others] = inputColumns;
  if (inputColumns.includes('dialogue')) return 'dialogue';
  return placeholderOf(template) ?? (others.length === 0 ? only : undefined);
}

/** The column of a template that says nothing else, but for an answer. */
function placeholderOf({ body }: Template): string | undefined {
  if (body.type === 'string') return onlyField(body.nodes);
  if (body.type !== 'dialogue') return undefined;
  const [first, ...others] = [...body.begin, ...body.round, ...body.end];
  const isAlone = others.every((item) => item.type === 'turn' && item.role === 'BOT');
  return first?.type === 'turn' && isAlone ? onlyField(first.prompt ?? []) : undefined;
}

function onlyField(nodes: readonly Node[]): string | undefined {
  const printed = nodes.filter((node) => node.type !== 'text' || node.span.text.trim() !== '');
  const [first, ...others] = printed;
  return first?.type === 'field' && others.length === 0 ? first.name : undefined;
}

function itemsOf({ body }: Template) {
  if (body.type === 'dialogue') return body.round;
  if (body.type === 'messages') return body.items;
  const nodes = [...nodesOf(body)];
  return [{ type: 'text' as const, nodes, path: [] }];
}

/** Messages of a column, which may be written as JSON; nothing where it holds something else. */
function messagesIn(
  { id, row }: Query,
  column: string,
  { inferencer }: PromptSetup,
): readonly SaidMessage[] | undefined {
  const { inferMode = 'last' } = inferencer;
  const value = row[column];
  const list = typeof value === 'string' ? parseList(value) : value;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isMapping)) return undefined;
  const messages = list.map((message, index) => {
    const role = roleNames.get(String(getKey(message, 'role')));
    // What the model says in the place of an answer is sent, never the gap.
    const isAsked = role === 'assistant' && (inferMode === 'every' || index === list.length - 1);
    const content = getKey(message, 'content') ?? (isAsked ? '' : undefined);
    const unsent = unsentKeyOf(message);
    if (unsent !== undefined) throw notSent({ id, index, column }, unsent);
    if (role !== undefined && typeof content === 'string') return { role, content };
    throw new DataError(
      'data.not_messages',
      `row ${id}: message ${index + 1} of \`${column}\` is not a {role, content} with a known role and text`,
      { hint: `Roles: ${wireRoles.join(', ')}.` },
    );
  });
  if (messages[0]?.role === 'assistant' && (inferMode !== 'last' || messages.length === 1)) {
    throw new DataError(
      'data.not_messages',
      `row ${id}: \`${column}\` begins with an answer, so there is nothing to ask first`,
      { hint: 'Begin with a user message, or use `infer_mode: last`.' },
    );
  }
  return messages;
}

interface MessagePlace {
  readonly id: Query['id'];
  readonly index: number;
  readonly column: string;
}

function notSent({ id, index, column }: MessagePlace, key: string): DataError {
  return new DataError(
    'data.not_messages',
    `row ${id}: message ${index + 1} of \`${column}\` has \`${key}\`, which would not be sent`,
    {
      hint: 'A message has a role and text. Remove the key, or exclude the row with `--where`.',
    },
  );
}

const roleNames: ReadonlyMap<string, string> = new Map([
  ...wireRoles.map((role) => [role, role] as const),
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
]);

function parseList(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requireValues({ row }: Query, columns: readonly string[]): void {
  const missing = columns.find((column) => row[column] === undefined || row[column] === null);
  if (missing === undefined) return;
  const problem = row[missing] === null ? 'is empty (null)' : 'is missing';
  throw new DataError('data.missing_column', `the column \`${missing}\` of the row ${problem}`, {
    hint: 'Give it a value (it may be empty text), or exclude the row with `--where`.',
  });
}

/** A row of lists has a turn for each of their elements, any other row one. */
function turnsOf({ outputColumn }: PromptSetup, query: Query, columns: readonly string[]): number {
  const asked = columns.filter((column) => column !== outputColumn);
  const list = asked.find((column) => Array.isArray(query.row[column]));
  const own = outputColumn === undefined ? undefined : query.row[outputColumn];
  if (list === undefined) return 1;
  if (own === undefined || own === null || Array.isArray(own)) {
    const answered = Array.isArray(own) && outputColumn !== undefined ? [outputColumn] : [];
    return countTurns({ columns: [...asked, ...answered] }, query);
  }
  throw new DataError(
    'data.not_a_chat',
    `row ${query.id}: \`${list}\` is a list, and \`${outputColumn}\` is not, so this is not a chat of several turns`,
    {
      hint: 'Give a list of gold answers, one per turn, or use GenInferencer.',
    },
  );
}

/** The template of the task, or one that says the only input column. */
function templateOf({ promptTemplate, inputColumns, outputColumn, inferencer }: PromptSetup) {
  if (promptTemplate) return parseTemplate(promptTemplate.config, promptTemplate.source);
  const path = inferencer.source ?? [];
  const column = inputColumns.includes('dialogue') ? 'dialogue' : inputColumns[0];
  if (column === undefined || (inputColumns.length > 1 && column !== 'dialogue')) {
    throw new ConfigError(
      'template.missing',
      `${formatPath(path)} has ${inputColumns.length} input columns but no prompt_template that says which one to ask`,
      { path, hint: 'Add a `prompt_template`, or name one input column.' },
    );
  }
  const answer = outputColumn === undefined ? '' : `{${outputColumn}}`;
  const round = [
    { role: 'HUMAN', prompt: `{${column}}` },
    { role: 'BOT', prompt: answer },
  ];
  return parseTemplate({ template: { round } }, path);
}

function textBesideChat(
  { promptTemplate }: PromptSetup,
  { id }: Query,
  column: string,
): ConfigError {
  const path = promptTemplate?.source ?? [];
  return new ConfigError(
    'template.chat_and_text',
    `${formatPath(path)} contains more than \`{${column}}\`, but row ${id} holds a whole chat in \`${column}\``,
    {
      path,
      hint: `Leave out prompt_template, or write \`template: '{${column}}'\`: the messages are sent as they are.`,
    },
  );
}
