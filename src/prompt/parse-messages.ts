import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { getKey, isMapping, type Mapping } from './mapping.ts';
import { checkKeys, requireMapping, wrongType } from './parse-keys.ts';
import { parseContentParts } from './parts/parse-parts.ts';
import { scan, type Tokens } from './scan.ts';
import type { Item, MessagesBody } from './template.ts';

export const wireRoles = ['system', 'user', 'assistant', 'tool', 'developer'];

/** Reads OpenAI-style messages: `{role, content}`, `{expand_column}`, or the example token. */
export function parseMessages(value: unknown, path: ConfigPath, tokens: Tokens): MessagesBody {
  if (!Array.isArray(value)) throw wrongType(value, path, 'a list of {role, content}');
  return {
    type: 'messages',
    items: value.map((item, index) => parseMessage(item, [...path, index], tokens)),
  };
}

function parseMessage(value: unknown, path: ConfigPath, tokens: Tokens): Item {
  if (typeof value === 'string') return parseShotsMark(value, path, tokens);
  const mapping = requireMapping(value, path, 'a {role, content}');
  const column = getKey(mapping, 'expand_column');
  if (column !== undefined) {
    checkKeys(mapping, ['expand_column'], path);
    if (typeof column !== 'string')
      throw wrongType(column, [...path, 'expand_column'], 'a column name');
    return { type: 'expand', column, path };
  }
  checkKeys(mapping, ['role', 'content'], path);
  const content = getKey(mapping, 'content');
  if (content === undefined) {
    throw new TemplateError('template.content_missing', `${formatPath(path)} has no \`content\``, {
      path,
      hint: 'Write {role: user, content: …}.',
    });
  }
  return {
    type: 'turn',
    role: parseWireRole(mapping, path),
    prompt: parseContent(content, [...path, 'content'], tokens),
    path,
  };
}

function parseShotsMark(value: string, path: ConfigPath, tokens: Tokens): Item {
  if (tokens.iceToken && value === tokens.iceToken) {
    return { type: 'text', nodes: scan(value, path, { iceToken: tokens.iceToken }), path };
  }
  throw new TemplateError(
    'template.text_in_messages',
    `${formatPath(path)} is a bare string that is not the example token \`${tokens.iceToken ?? ''}\``,
    { path, hint: 'Write {role: user, content: …}.' },
  );
}

function parseWireRole(mapping: Mapping, path: ConfigPath): string {
  const role = getKey(mapping, 'role');
  if (typeof role === 'string' && wireRoles.includes(role)) return role;
  const near = typeof role === 'string' ? nearestName(role, wireRoles) : undefined;
  throw new TemplateError(
    role === undefined ? 'template.role_missing' : 'template.unknown_role',
    role === undefined
      ? `${formatPath(path)} has no \`role\``
      : `${formatPath(path)} has the role \`${String(role)}\`, which chat messages do not have`,
    {
      path: role === undefined ? path : [...path, 'role'],
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Roles: ${wireRoles.join(', ')}.`,
    },
  );
}

function parseContent(content: unknown, path: ConfigPath, tokens: Tokens) {
  if (typeof content === 'string') return scan(content, path, tokens);
  if (!Array.isArray(content)) throw wrongType(content, path, 'a string or a list of parts');
  if (content.some(isMedia)) return [parseContentParts(content, path, tokens)];
  return content.flatMap((part, index) => {
    const text =
      isMapping(part) && getKey(part, 'type') === 'text' ? getKey(part, 'text') : undefined;
    if (typeof text !== 'string')
      throw wrongType(part, [...path, index], 'a {type: text, text: …}');
    return scan(text, [...path, index, 'text'], tokens);
  });
}

function isMedia(part: unknown): boolean {
  return isMapping(part) && /_url$|^input_audio$/.test(String(getKey(part, 'type')));
}
