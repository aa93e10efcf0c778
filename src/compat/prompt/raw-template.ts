import type { ConfigPath } from '../../errors.ts';
import { atPath, CompatError } from '../../python/compat-error.ts';
import { toTracedPython, traceField } from '../../python/convert.ts';
import { pyContains, pyEquals, pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { positionOf, toTraced } from '../../python/traced-text.ts';
import {
  isList,
  isText,
  isTruthy,
  listItems,
  PyDict,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { type Filling, safeFormat } from './format.ts';
import { checkArguments } from './template.ts';

/** A `RawPromptTemplate`: messages as the wire has them. OpenCompass only. */
export interface RawTemplate {
  readonly type: 'raw';
  readonly compat: 'opencompass';
  readonly path: ConfigPath;
  readonly messages: readonly PyValue[];
  readonly formatVariables: boolean;
  readonly iceToken: PyValue;
  readonly sepToken: null;
  readonly promptType: 'raw_messages';
}

const wireRoles = ['system', 'user', 'assistant'];

/** Checks the arguments of a `RawPromptTemplate` as its constructor does. */
export function createRawTemplate(config: PyDict, path: ConfigPath): RawTemplate {
  return atPath(path, () => {
    checkArguments(config, {
      required: ['messages'],
      optional: ['format_variables', 'ice_token'],
    });
    const messages = toTracedPython(config.get('messages'), [...path, 'messages']);
    if (!isList(messages)) {
      throw new CompatError({
        type: 'TypeError',
        message: `messages must be a list, got <class '${typeName(messages)}'>`,
        what: `messages must be a list, not a ${typeName(messages)}`,
      });
    }
    const items = listItems(messages);
    items.forEach(checkMessage);
    return {
      type: 'raw',
      compat: 'opencompass',
      path,
      messages: items,
      formatVariables: isTruthy(config.get('format_variables') ?? true),
      iceToken: config.has('ice_token') ? (config.get('ice_token') ?? null) : '</E>',
      sepToken: null,
      promptType: 'raw_messages',
    };
  });
}

/** The messages of a row. The answer is not hidden, and the examples are not filled again. */
export function generateMessages(
  template: RawTemplate,
  options: Filling & { readonly ice?: PyValue },
): PyValue[] {
  const { ice = '' } = options;
  return atPath(template.path, () =>
    template.messages.flatMap((item): readonly PyValue[] => {
      if (!isText(item)) return generateMessage(template, { item, filling: options });
      const isMarkOfExamples = pyEquals(item, template.iceToken) && isList(ice);
      return isMarkOfExamples ? listItems(ice) : [];
    }),
  );
}

function generateMessage(
  template: RawTemplate,
  { item, filling }: { readonly item: PyValue; readonly filling: Filling },
): readonly PyValue[] {
  if (!(item instanceof PyDict)) return [item];
  const column = item.get('expand_column');
  if (column !== undefined) return expandColumn(column, filling);
  const content = item.get('content');
  if (!template.formatVariables || !isText(content)) return [item];
  return [item.with('content', safeFormat(content, filling))];
}

function expandColumn(column: PyValue, filling: Filling): readonly PyValue[] {
  if (!pyContains(filling.entry, column)) return [];
  const value = pySubscript(filling.entry, column);
  if (!isList(value)) return [];
  const written = isText(column) ? toTraced(column).spans[0]?.origin : undefined;
  const traced = traceField(value, {
    type: 'field',
    field: pyStr(column),
    row: filling.row,
    at: written === undefined ? { path: [], start: 0 } : positionOf(written),
    ...(filling.shot === undefined ? {} : { shot: filling.shot }),
  });
  return isList(traced) ? listItems(traced) : [];
}

function checkMessage(message: PyValue, index: number): void {
  if (isText(message)) return;
  if (!(message instanceof PyDict)) {
    throw new CompatError({
      type: 'TypeError',
      message: `messages[${index}] must be a dict or str, got <class '${typeName(message)}'>`,
      what: `message ${index} must be a mapping or a string, not a ${typeName(message)}`,
    });
  }
  if (message.has('expand_column')) return;
  for (const key of ['role', 'content']) {
    if (message.has(key)) continue;
    throw new CompatError({
      type: 'ValueError',
      message: `messages[${index}] missing '${key}' key`,
      what: `message ${index} has no ${key}`,
      hint: 'give every message a role and a content',
    });
  }
  const role = pySubscript(message, 'role');
  if (new PyDict(wireRoles.map((name) => [name, null])).has(role)) return;
  throw new CompatError({
    type: 'ValueError',
    message: `messages[${index}] has invalid role: ${pyStr(role)}`,
    what: `message ${index} has the role "${pyStr(role)}"`,
    hint: `use one of ${wireRoles.join(', ')}`,
  });
}
