import type { ConfigPath } from '../../errors.ts';
import { atPath, type CompatError } from '../../python/compat-error.ts';
import {
  pyAdd,
  pyAddInPlace,
  pyContains,
  pyEquals,
  pyGet,
  pySubscript,
} from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { traceText } from '../../python/traced-text.ts';
import {
  isList,
  isText,
  isTruthy,
  listItems,
  PromptList,
  PyDict,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { failAs } from '../compat.ts';
import { parseApiDialogue } from './api-parser.ts';
import { parseLmDialogue } from './lm-parser.ts';
import { type Dialect, type MetaTemplate, readMetaTemplate } from './meta-template.ts';

/** Turns prompts into what a model takes, by the rules of its meta template. */
export interface TemplateParser extends Dialect {
  readonly path: ConfigPath;
  readonly meta: MetaTemplate | undefined;
}

/** `gen` stops where the model is to go on, `ppl` writes the prompt to its end. */
export type ParseMode = 'gen' | 'ppl';

export interface ParseInput {
  readonly prompt: PyValue;
  /** `gen` or `ppl`; anything else is an error of the original. */
  readonly mode: string;
}

/** Builds the parser of a model: `LMTemplateParser` or `APITemplateParser`. */
export function createParser(
  metaTemplate: unknown,
  context: Dialect & { readonly path: ConfigPath },
): TemplateParser {
  return { ...context, meta: readMetaTemplate(metaTemplate, context) };
}

/** `parse_template`: text for a text model, text or role items or messages for a chat model. */
export function parsePrompt(parser: TemplateParser, input: ParseInput): PyValue {
  return atPath(parser.path, () => parse(parser, input));
}

function parse(parser: TemplateParser, { prompt, mode }: ParseInput): PyValue {
  if (!isText(prompt) && !isList(prompt) && !(prompt instanceof PyTuple)) {
    throw invalidPrompt(parser, prompt);
  }
  if (isMessages(parser, prompt)) return mergeMessages(parser.meta, listItems(prompt));
  if (Array.isArray(prompt) || prompt instanceof PyTuple) {
    const batch = Array.isArray(prompt) ? prompt : prompt.items;
    return batch.map((item) => parse(parser, { prompt: item, mode }));
  }
  const knownMode = checkMode(parser, mode);
  if (!(prompt instanceof PromptList)) return prompt;
  const { meta } = parser;
  if (meta === undefined) return joinLines(parser, prompt.items);
  if (meta.type === 'messages') return pySubscript(meta.messages, 'round');
  const options = { meta, dialect: parser, mode: knownMode };
  return parser.parser === 'lm'
    ? parseLmDialogue(prompt.items, options)
    : parseApiDialogue(prompt.items, options);
}

/** Raw messages are told by their keys alone; in a string item that is a search for the words. */
function isMessages(parser: Dialect, prompt: PyValue): prompt is readonly PyValue[] | PromptList {
  if (parser.parser !== 'api' || parser.compat !== 'opencompass' || !isList(prompt)) return false;
  const items = listItems(prompt);
  return (
    items.length > 0 &&
    items.every((item) => pyContains(item, 'role') && pyContains(item, 'content'))
  );
}

/** Raw messages as they are, or merged with the messages of the model's meta template. */
function mergeMessages(meta: MetaTemplate | undefined, messages: readonly PyValue[]): PyValue[] {
  if (meta?.type !== 'messages') return [...messages];
  const merged: PyValue[] = [];
  const waiting = [...messages];
  for (const own of meta.messages) {
    const role = pySubscript(own, 'role');
    const isRole = (message: PyValue): boolean => pyEquals(pySubscript(message, 'role'), role);
    if (waiting.some(isRole)) {
      while (waiting[0] !== undefined && !isRole(waiting[0])) merged.push(...waiting.splice(0, 1));
      const [message] = waiting.splice(0, 1);
      if (message instanceof PyDict) merged.push(prependContent(message, own));
    } else {
      merged.push(own);
    }
  }
  return [...merged, ...waiting];
}

function prependContent(message: PyDict, own: PyDict): PyDict {
  const content = pyAdd(pySubscript(own, 'content'), pySubscript(message, 'content'));
  return message.with('content', content);
}

/** Without a meta template: texts and prompts on lines of their own. */
function joinLines(parser: Dialect, items: readonly PyValue[]): PyValue {
  const takesParts = parser.parser === 'api' && parser.compat === 'aisbench';
  let text: PyValue = '';
  let parts: PyValue = [];
  let separator = traceText('', { type: 'separator', name: 'line' });
  for (const item of items) {
    if (isMark(item)) continue;
    const prompt = isText(item) ? item : (pyGet(item, 'prompt') ?? '');
    if (isTruthy(prompt)) text = pyAdd(text, pyAdd(separator, prompt));
    else if (takesParts && !isText(item)) {
      const content = pyGet(item, 'prompt_mm') ?? '';
      if (isTruthy(content)) parts = pyAddInPlace(parts, content);
    }
    separator = traceText('\n', { type: 'separator', name: 'line' });
  }
  return takesParts && !isTruthy(text) ? parts : text;
}

function isMark(item: PyValue): boolean {
  return item instanceof PyDict && item.size === 2 && item.has('section') && item.has('pos');
}

function checkMode({ compat, parser }: Dialect, mode: string): ParseMode {
  if (mode === 'gen' || mode === 'ppl') return mode;
  throw failAs(parser === 'api' ? compat : 'opencompass', {
    what: `unknown mode "${mode}"`,
    hint: 'use gen or ppl',
    opencompass: ['AssertionError', ''],
    aisbench: [
      'AISBenchTypeError',
      'MODEL-TYPE-003',
      `Parsing mode must be 'ppl' or 'gen', but got ${mode}`,
    ],
  });
}

function invalidPrompt({ compat, parser }: Dialect, prompt: PyValue): CompatError {
  return failAs(parser === 'api' ? compat : 'opencompass', {
    what: `a prompt must be text or a list, not ${pyStr(prompt)}`,
    hint: 'a RawPromptTemplate works with chat models only',
    opencompass: ['AssertionError', ''],
    aisbench: [
      'AISBenchTypeError',
      'MODEL-TYPE-002',
      'prompt_template must be a string, list of strings, PromptList, or tuple of strings, ' +
        `but got <class '${typeName(prompt)}'>`,
    ],
  });
}
