import { getKey, isMapping } from '../../prompt/mapping.ts';
import { hideTags } from '../../prompt/parts/hidden-tags.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import { passOn, type RowStream } from '../row-stream.ts';
import { mediaColumns, type RowMedium, rowMedium } from './row-media.ts';

/** A row with its dialogue as lists: `question`, `answer` and, if somebody says it, `system`. */
type ToLists = (row: Row) => Row;

/** Where rows have messages, and what these call the speaker and what is said. */
export interface DialogueForm {
  readonly column: string;
  readonly roleKey: string;
  readonly textKey: string;
}

const forms: Readonly<Record<string, DialogueForm>> = {
  ShareGPT: { column: 'conversations', roleKey: 'from', textKey: 'value' },
  Messages: { column: 'messages', roleKey: 'role', textKey: 'content' },
};

const ofForm =
  (name: string): ToLists =>
  (row) => {
    const form = forms[name];
    return form ? withMedia(row, messagesIn(row[form.column], form)) : row;
  };

const readers: Readonly<Record<string, ToLists>> = {
  ShareGPT: ofForm('ShareGPT'),
  Messages: ofForm('Messages'),
  MTBench: (row) => {
    const question = textsIn(row.turns ?? row.prompt);
    const given = row.reference ?? row.answer;
    const answer = textsIn(given);
    // One text for all turns is what the last one should come to.
    const isLast = !Array.isArray(given) && answer.length > 0;
    const before = isLast ? question.slice(1).map(() => '') : [];
    const isGiven = answer.length > 0 && question.length > 0;
    return { ...row, question, answer: isGiven ? [...before, ...answer] : question.map(() => '') };
  },
};

/** How rows of a dataset's type become lists; nothing if it is no type of dialogues. */
export function dialogueReader(type: string | undefined): ToLists | undefined {
  const name = nameOf(type);
  return name !== undefined && Object.hasOwn(readers, name) ? readers[name] : undefined;
}

/** The form of a dataset's type; nothing if its rows have no messages. */
export function dialogueForm(type: string | undefined): DialogueForm | undefined {
  const name = nameOf(type);
  return name !== undefined && Object.hasOwn(forms, name) ? forms[name] : undefined;
}

function nameOf(type: string | undefined): string | undefined {
  return type?.slice(type.lastIndexOf('.') + 1).replace(/Dataset$/, '');
}

/** The rows of a stream with their dialogues as lists, if the type says that they have any. */
export function dialogueStream(stream: RowStream, type: string | undefined): RowStream {
  const toLists = dialogueReader(type);
  if (!toLists) return stream;
  return {
    ...passOn(stream),
    async *batches() {
      for await (const batch of stream.batches()) {
        yield batch.map(({ id, row }): NamedRow => ({ id, row: toLists(row) }));
      }
    },
  };
}

interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  /** Null as the data have it. */
  readonly text: string | null;
  readonly media: readonly RowMedium[];
}

const roles: Readonly<Record<string, Message['role']>> = {
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  chatgpt: 'assistant',
  bot: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
};

/**
 * Without a list of messages there is nothing to say, and the row fails when it is asked about. So
 * it does where a message has no place in turns: one of another role, or of the system after the first turn.
 */
function messagesIn(value: unknown, { roleKey, textKey }: DialogueForm): Message[] {
  const messages: Message[] = [];
  // Where media stand in messages, nothing else marks their places.
  const isShown = listIn(value).some(
    (message) => isMapping(message) && mediaIn(getKey(message, textKey)).length > 0,
  );
  for (const message of listIn(value)) {
    const name = isMapping(message) ? String(getKey(message, roleKey)).toLowerCase() : '';
    const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
    const isLate = role === 'system' && messages.some((earlier) => earlier.role !== 'system');
    if (!role || isLate || !isMapping(message)) return [];
    const content = getKey(message, textKey);
    const media = role === 'user' ? mediaIn(content) : [];
    const isMarked = isShown && role === 'user';
    messages.push({ role, text: textIn(content, role, isMarked), media });
  }
  return messages;
}

/** The role of a message in a row that has no place in turns, as it is written. */
export function strangeRole({ conversations, messages }: Row): string | undefined {
  for (const message of [...listIn(conversations), ...listIn(messages)]) {
    const role = isMapping(message) ? (getKey(message, 'from') ?? getKey(message, 'role')) : '';
    if (typeof role === 'string' && !Object.hasOwn(roles, role.toLowerCase())) return role;
  }
  return undefined;
}

/** The text of a message; what a user shows is marked where it stands. */
function textIn(content: unknown, role: Message['role'], isMarked: boolean): string | null {
  const said = (text: unknown) => (isMarked && typeof text === 'string' ? hideTags(text) : text);
  if (content === null) return null;
  if (!Array.isArray(content)) return typeof content === 'string' ? String(said(content)) : '';
  return content
    .flatMap((part) => {
      const medium = role === 'user' ? rowMedium(part) : undefined;
      if (medium) return [`<${medium.type}>`];
      return isMapping(part) ? [said(getKey(part, 'text'))] : [];
    })
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function mediaIn(content: unknown): RowMedium[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => rowMedium(part) ?? []);
}

/** A row with its dialogue as lists, and the media of its messages in columns. */
function withMedia(row: Row, messages: readonly Message[]): Row {
  return {
    ...row,
    ...mediaColumns(
      row,
      messages.flatMap(({ media }) => media),
    ),
    ...listsOf(messages),
  };
}

/**
 * One question and one answer for each turn. What a role says in several messages is one turn; an
 * answer before any question belongs to none; a question that nobody answers has an empty answer.
 */
function listsOf(messages: readonly Message[]): Row {
  const question: (string | null)[] = [];
  const answer: (string | null)[] = [];
  const system: string[] = [];
  let last: Message['role'] | undefined;
  for (const { role, text } of messages) {
    const index = question.length - 1;
    if (role === 'system') system.push(text ?? '');
    else if (role === 'user' && last === 'user') question[index] = join(question[index], text);
    else if (role === 'user') {
      question.push(text);
      answer.push('');
    } else if (index >= 0) {
      answer[index] = last === 'assistant' ? join(answer[index], text) : text;
    }
    if (role !== 'system') last = role;
  }
  return { question, answer, ...(system.length > 0 && { system: system.join('\n') }) };
}

function join(first: string | null | undefined, second: string | null): string | null {
  return typeof first === 'string' && second !== null ? `${first}\n${second}` : null;
}

/** A list, or one text as a list of it. */
function textsIn(value: unknown): readonly unknown[] {
  return typeof value === 'string' && value !== '' ? [value] : listIn(value);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
