import type { ChatTemplateInput } from '../prompt/conversation.ts';
import { isBlank } from '../python/text.ts';
import type { ChatTemplate } from './types.ts';

export type Conversation = ChatTemplateInput<Readonly<Record<string, unknown>>>;

/**
 * All that the result can depend on besides contents that are not blank. Conversations whose
 * messages have other keys have no shape: they are hardly ever met twice.
 */
export function shapeOf({ program }: ChatTemplate, input: Conversation): string | undefined {
  const { tools, documents, variables, now } = input;
  if (program.usesTime && now === undefined) return undefined;
  let shape = `${input.addGenerationPrompt} ${idOf(tools)} ${idOf(documents)}`;
  if (variables !== undefined) shape += ` ${describeVariables(variables)}`;
  if (program.usesTime) shape += ` ${now?.getTime()}`;
  for (const message of input.messages) {
    const { role, content } = message;
    if (typeof role !== 'string' || typeof content !== 'string') return undefined;
    if (!isPlain(message)) return undefined;
    shape += `\n${role.length} ${role}`;
    if (isBlank(content)) shape += `${content.length} ${content}`;
  }
  return shape;
}

function isPlain(message: object): boolean {
  let keys = '';
  for (const key in message) keys += `${key} `;
  return keys === 'role content ';
}

/** Simple variables are told apart by value, since callers may write them anew each time. */
function describeVariables(variables: Readonly<Record<string, unknown>>): string | number {
  const entries = Object.entries(variables);
  const isSimple = entries.every(([, value]) => value === null || typeof value !== 'object');
  if (!isSimple) return idOf(variables);
  return JSON.stringify(entries.map(([name, value]) => [name, typeof value, String(value)]));
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(object: object | undefined): number {
  if (object === undefined) return 0;
  let id = ids.get(object);
  if (id === undefined) {
    lastId += 1;
    id = lastId;
    ids.set(object, id);
  }
  return id;
}
