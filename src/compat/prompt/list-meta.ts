import { pyAdd, pyEquals, pySubscript } from '../../python/operators.ts';
import { PyDict, type PyValue } from '../../python/values.ts';
import type { MetaTemplate } from './meta-template.ts';

/** Raw messages as they are, or merged with the messages of the model's meta template. */
export function mergeMessages(
  meta: MetaTemplate | undefined,
  messages: readonly PyValue[],
): PyValue[] {
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
