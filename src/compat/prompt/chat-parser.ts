import type { ConfigPath } from '../../errors.ts';
import { atPath, CompatError } from '../../python/compat-error.ts';
import { toTracedPython } from '../../python/convert.ts';
import { pyAdd, pyGet, pyIterate, pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { traceText } from '../../python/traced-text.ts';
import { isText, isTruthy, PromptList, PyDict, type PyValue } from '../../python/values.ts';
import { chatRoles } from './messages.ts';
import { type Dialect, retraceRole } from './meta-template.ts';

/** The parser that `ChatInferencer` puts in place of the model's own. */
export interface ChatParser {
  readonly kind: Dialect['parser'];
  /** Wire role to its settings. */
  readonly roles: PyDict;
}

const defaultApiRoles = new PyDict(
  [...chatRoles].map(([role, wireRole]) => [wireRole, new PyDict([['api_role', role]])]),
);

/** Reads the roles of a meta template for a chat; its own begin and end are not used. */
export function createChatParser(
  metaTemplate: unknown,
  { kind, path }: { readonly kind: Dialect['parser']; readonly path: ConfigPath },
): ChatParser {
  return atPath(path, () => {
    const meta = toTracedPython(metaTemplate, path);
    if (!isTruthy(meta)) return { kind, roles: kind === 'api' ? defaultApiRoles : new PyDict([]) };
    const items = ['round', 'reserved_roles'].flatMap((key) => pyIterate(pyGet(meta, key) ?? []));
    const roles = items.map((item): [PyValue, PyValue] => {
      const role = pySubscript(item, 'role');
      const wireRole = isText(role) ? chatRoles.get(pyStr(role)) : undefined;
      return [wireRole ?? role, item instanceof PyDict ? retraceRole(item, pyStr(role)) : item];
    });
    return { kind, roles: new PyDict(roles) };
  });
}

/** What the model is sent for a history of messages. */
export function parseChat(parser: ChatParser, history: readonly PyValue[]): PyValue {
  // an empty history passes as a batch of no chats
  if (history.length === 0) return [];
  for (const item of history) {
    if (!(item instanceof PyDict)) {
      throw new CompatError({
        type: 'AssertionError',
        message: '',
        what: 'a chat contains something that is not a message',
        hint: 'use mappings with role and content',
      });
    }
  }
  if (parser.kind === 'api') {
    return new PromptList(history.map((message) => apiItem(parser, message)));
  }
  return parser.roles.size === 0 ? joinContents(history) : wrapContents(parser, history);
}

function apiItem({ roles }: ChatParser, message: PyValue): PyDict {
  const role = pySubscript(message, 'role');
  const settings = roles.get(role);
  return new PyDict([
    ['role', settings === undefined ? role : pySubscript(settings, 'api_role')],
    ['prompt', orEmpty(pyGet(message, 'content'))],
  ]);
}

function wrapContents({ roles }: ChatParser, history: readonly PyValue[]): PyValue {
  let text: PyValue = '';
  for (const message of history) {
    const settings = roles.get(pySubscript(message, 'role')) ?? new PyDict([]);
    text = pyAdd(text, orEmpty(pyGet(settings, 'begin')));
    text = pyAdd(text, orEmpty(pyGet(message, 'content')));
    text = pyAdd(text, orEmpty(pyGet(settings, 'end')));
  }
  return pyAdd(text, orEmpty(pyGet(pySubscript(roles, 'assistant'), 'begin')));
}

function joinContents(history: readonly PyValue[]): PyValue {
  const line = traceText('\n', { type: 'separator', name: 'line' });
  let text: PyValue = '';
  for (const [index, message] of history.entries()) {
    const content = orEmpty(pyGet(message, 'content'));
    text = pyAdd(text, index === 0 ? content : pyAdd(line, content));
  }
  return text;
}

function orEmpty(value: PyValue | undefined): PyValue {
  return value !== undefined && isTruthy(value) ? value : '';
}
