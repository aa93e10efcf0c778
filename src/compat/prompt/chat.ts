import type { RowId } from '../../prompt/origin.ts';
import { CompatError } from '../../python/compat-error.ts';
import { traceField } from '../../python/convert.ts';
import { pyContains, pyEquals, pyIterate, pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { isText, isTruthy, PyDict, type PyValue } from '../../python/values.ts';
import { type CompatTemplate, renderItem } from './any-template.ts';
import { chatRoles, message } from './messages.ts';
import type { Reader } from './reader.ts';

export interface ChatOptions {
  readonly entry: PyDict;
  readonly row: RowId;
  readonly reader: Reader;
  readonly template?: CompatTemplate | undefined;
}

/** A dialogue with the true answers in it, as `ChatInferencer` makes it from a row. */
export interface Chat {
  readonly messages: PyValue;
  /** Whether the row holds a whole dialogue, whose answers are collected by round. */
  readonly isDialogue: boolean;
}

/** OpenCompass `ChatInferencer.get_chat_list` for one row. */
export function buildChat(options: ChatOptions): Chat {
  const { reader } = options;
  const columns = options.entry
    .entries()
    .filter(([key]) => pyContains(reader.inputColumns, key) || pyEquals(key, reader.outputColumn));
  const item = new PyDict(columns);
  const values = item.values();
  if (values.every((value) => isText(value))) {
    return { messages: chatFromRow(item, options), isDialogue: false };
  }
  if (values.every((value) => isListOf(value, isText))) {
    const rows = zipColumns(item);
    return { messages: rows.flatMap((row) => chatFromRow(row, options)), isDialogue: false };
  }
  const [onlyColumn, ...others] = reader.inputColumns;
  if (onlyColumn !== undefined && others.length === 0) {
    const messages = pySubscript(item, onlyColumn);
    if (isListOf(messages, (each) => each instanceof PyDict)) {
      return {
        messages: traceColumn(messages, { column: onlyColumn, options }),
        isDialogue: false,
      };
    }
  }
  if (pyContains(reader.inputColumns, 'dialogue')) {
    const messages = pySubscript(item, 'dialogue');
    return { messages: traceColumn(messages, { column: 'dialogue', options }), isDialogue: true };
  }
  throw new CompatError({
    type: 'ValueError',
    message: 'Cannot construct chat from the dataset.',
    what: 'the columns of the row must be all text, all lists of text, or a dialogue',
    hint: 'name a column of messages as the only input column, or one called dialogue',
  });
}

/** Messages of a prompt: `section` is looked for in strings too, and unknown roles are dropped. */
export function promptToMessages(prompt: PyValue): PyDict[] {
  if (isText(prompt)) return [message('user', prompt)];
  return pyIterate(prompt).flatMap((item): PyDict[] => {
    if (pyContains(item, 'section')) return [];
    if (isText(item) && isTruthy(item)) return [message('user', item)];
    const role = pySubscript(item, 'role');
    const wireRole = isText(role) ? chatRoles.get(pyStr(role)) : undefined;
    return wireRole === undefined ? [] : [message(wireRole, pySubscript(item, 'prompt'))];
  });
}

function chatFromRow(row: PyDict, options: ChatOptions): PyDict[] {
  const { template, reader } = options;
  const [onlyColumn, ...others] = reader.inputColumns;
  const gold = traceColumn(row.get(reader.outputColumn) ?? '', {
    column: reader.outputColumn ?? '',
    options,
  });
  if (template !== undefined) {
    const chat = promptToMessages(renderItem(template, { entry: row, row: options.row }));
    const last = chat.at(-1);
    if (last === undefined) throw emptyChat();
    return pyEquals(pySubscript(last, 'role'), 'assistant')
      ? chat
      : [...chat, message('assistant', gold)];
  }
  if (onlyColumn === undefined || others.length > 0) {
    throw new CompatError({
      type: 'ValueError',
      message: '',
      what: 'without a template a chat needs exactly one input column',
      hint: 'add a prompt_template, or name one input column',
    });
  }
  const question = traceColumn(row.get(onlyColumn) ?? null, { column: onlyColumn, options });
  return [message('user', question), message('assistant', gold)];
}

function emptyChat(): CompatError {
  return new CompatError({
    type: 'IndexError',
    message: 'list index out of range',
    what: 'the template makes no message with the role SYSTEM, HUMAN or BOT',
    hint: 'add a HUMAN item to the round',
  });
}

function traceColumn(
  value: PyValue,
  { column, options }: { readonly column: PyValue; readonly options: ChatOptions },
): PyValue {
  return traceField(value, {
    type: 'field',
    field: pyStr(column),
    row: options.row,
    at: { path: ['reader_cfg'], start: 0 },
  });
}

/** One row for each position of the columns, as long as all columns have one. */
function zipColumns(item: PyDict): PyDict[] {
  const columns = item.entries().map(([key, values]) => [key, pyIterate(values)] as const);
  const length = Math.min(...columns.map(([, values]) => values.length));
  return Array.from(
    { length },
    (_, index) => new PyDict(columns.map(([key, values]) => [key, values[index] ?? null])),
  );
}

function isListOf(value: PyValue, check: (item: PyValue) => boolean): boolean {
  return Array.isArray(value) && value.every(check);
}
