import { CompatError } from '../../python/compat-error.ts';
import { dumpJson } from '../../python/json.ts';
import { noAttribute, pyContains, pyIterate } from '../../python/operators.ts';
import { pyRepr } from '../../python/repr.ts';
import {
  concatTexts,
  replaceText,
  splitText,
  type Text,
  toTraced,
} from '../../python/traced-text.ts';
import {
  isText,
  isTruthy,
  PromptList,
  PyDict,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { type Compat, failAs } from '../compat.ts';
import { checkKeywords, type Filling, safeFormat } from './format.ts';

export interface ReplaceOptions {
  readonly token: string;
  readonly replacement: PyValue;
  readonly compat: Compat;
}

/** `PromptList.format`: fills the text items and the `prompt` of the role items. */
export function formatPromptList(list: PromptList, filling: Filling): PromptList {
  checkKeywords(filling.entry, { call: 'PromptList.format()', parameter: 'self' });
  return new PromptList(
    list.items.map((item) => {
      if (!(item instanceof PyDict)) return safeFormat(item, filling);
      const prompt = item.get('prompt');
      if (prompt === undefined) return item;
      return item.with('prompt', safeFormat(prompt, filling));
    }),
  );
}

/** `value.replace(token, replacement)` of a string or a `PromptList`. */
export function replaceToken(value: PyValue, options: ReplaceOptions): PyValue {
  if (value instanceof PromptList) {
    return new PromptList(value.items.flatMap((item) => replaceInItem(item, options)));
  }
  if (!isText(value)) throw noAttribute(value, 'replace');
  return replaceInText(value, options);
}

/** `list + other` */
export function addToPromptList(list: PromptList, other: PyValue): PromptList {
  if (!isTruthy(other)) return list;
  if (isText(other)) return new PromptList([...list.items, other]);
  if (Array.isArray(other) || other instanceof PromptList) {
    return new PromptList([...list.items, ...pyIterate(other)]);
  }
  throw new CompatError({
    type: 'TypeError',
    message: `can only concatenate list (not "${typeName(other)}") to list`,
    what: `a ${typeName(other)} is added to a prompt list`,
    hint: 'add text or a list',
  });
}

/** `other + list` */
export function addPromptListTo(other: PyValue, list: PromptList): PromptList {
  if (!isTruthy(other)) return list;
  if (isText(other)) return new PromptList([other, ...list.items]);
  if (other instanceof PromptList) return addToPromptList(other, list);
  throw new CompatError({
    type: 'RecursionError',
    message: 'maximum recursion depth exceeded',
    what: `the original cannot join a ${typeName(other)} and a prompt list`,
    hint: 'in AISBench, use infer_mode every or every_with_gt instead of last',
  });
}

/** `list += other` */
export function extendPromptList(list: PromptList, other: PyValue): PromptList {
  if (!isTruthy(other)) return list;
  return new PromptList([...list.items, ...(isText(other) ? [other] : pyIterate(other))]);
}

/** `str(list)`: the texts without separators, marks left out; AISBench writes prompts as JSON. */
export function promptListText(list: PromptList, compat: Compat): PyValue {
  const parts = list.items.map((item): Text => {
    if (isText(item)) return item;
    if (item instanceof PyDict) {
      const prompt = item.get('prompt');
      if (prompt === undefined) return '';
      if (compat === 'aisbench') return dumpJson(prompt);
      if (isText(prompt)) return prompt;
    }
    throw invalidItem(item, compat);
  });
  return concatTexts(parts);
}

function invalidItem(item: PyValue, compat: Compat): CompatError {
  const message =
    item instanceof PyDict
      ? 'sequence item: expected str instance'
      : 'Invalid type in prompt list when converting to string';
  return failAs(compat, {
    what: `a prompt list with a ${typeName(item)} in it cannot be written as text`,
    hint: 'leave only strings and role items in the list',
    opencompass: ['TypeError', message],
    aisbench: ['AISBenchTypeError', 'UTILS-TYPE-001', message],
  });
}

function replaceInItem(item: PyValue, options: ReplaceOptions): readonly PyValue[] {
  if (isText(item)) return replaceInTextItem(item, options);
  if (item instanceof PyDict) return [replaceInRoleItem(item, options)];
  throw noAttribute(item, 'replace');
}

function replaceInTextItem(item: Text, options: ReplaceOptions): readonly PyValue[] {
  const { token, replacement } = options;
  if (isText(replacement)) return [replaceText(toTraced(item), { needle: token, replacement })];
  // the original forgets about other types here, so the item is lost
  if (!(replacement instanceof PromptList)) return [];
  if (token === '') {
    throw new CompatError({
      type: 'ValueError',
      message: 'empty separator',
      what: 'the token to replace is empty',
      hint: 'set ice_token to the mark where the examples go, such as </E>',
    });
  }
  const pieces = splitText(toTraced(item), token);
  return pieces.flatMap((piece, index) => [
    ...(piece.text === '' ? [] : [piece]),
    ...(index < pieces.length - 1 ? replacement.items : []),
  ]);
}

function replaceInRoleItem(item: PyDict, options: ReplaceOptions): PyDict {
  const prompt = item.get('prompt');
  if (prompt === undefined || !pyContains(prompt, options.token)) return item;
  if (options.replacement instanceof PromptList) {
    const message =
      `Found keyword ${options.token} in a dictionary's prompt key. ` +
      'Cannot replace with a PromptList.';
    throw failAs(options.compat, {
      what: `examples that are dialogues cannot go inside the prompt of a role (${options.token})`,
      hint: `put "${options.token}" as a separate item into begin`,
      opencompass: ['TypeError', message],
      aisbench: ['AISBenchTypeError', 'UTILS-TYPE-001', message],
    });
  }
  if (!isText(prompt)) throw noAttribute(prompt, 'replace');
  return item.with('prompt', replaceInText(prompt, options));
}

function replaceInText(text: Text, { token, replacement }: ReplaceOptions): PyValue {
  if (isText(replacement)) return replaceText(toTraced(text), { needle: token, replacement });
  throw new CompatError({
    type: 'TypeError',
    message: `replace() argument 2 must be str, not ${typeName(replacement)}`,
    what: `a ${typeName(replacement)} cannot take the place of "${token}" in ${pyRepr(text)}`,
    hint: 'make both templates strings, or both dialogues',
  });
}
