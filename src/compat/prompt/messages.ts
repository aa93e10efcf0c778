import { pyIterate, pySubscript } from '../../python/operators.ts';
import { pyStr } from '../../python/repr.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';

/** The roles that a chat can be made of, and their names on the wire. */
export const chatRoles: ReadonlyMap<string, string> = new Map([
  ['SYSTEM', 'system'],
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
]);

const wireRoles: ReadonlyMap<string, string> = new Map([...chatRoles, ['TOOL', 'tool']]);

/** A message as the wire has it. */
export function message(role: string, content: PyValue): PyDict {
  return new PyDict([
    ['role', role],
    ['content', content],
  ]);
}

/** Messages for the wire from what the parser of a chat model gives; raw messages stay. */
export function toWireMessages(parsed: PyValue): PyDict[] {
  if (isText(parsed)) return [message('user', parsed)];
  return pyIterate(parsed).map((item) => {
    if (Array.isArray(parsed) && item instanceof PyDict && item.has('content')) return item;
    const content = pySubscript(item, 'prompt');
    const entries = item instanceof PyDict ? item.entries() : [];
    return new PyDict([
      ['content', content],
      ['role', wireRole(item instanceof PyDict ? item.get('role') : undefined)],
      ...entries.filter(([key]) => !['role', 'prompt'].includes(pyStr(key))),
    ]);
  });
}

function wireRole(role: PyValue | undefined): PyValue {
  if (role === undefined) return '';
  return (isText(role) ? wireRoles.get(pyStr(role)) : undefined) ?? role;
}
