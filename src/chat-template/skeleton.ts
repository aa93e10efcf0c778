import { TypecaseError } from '../errors.ts';
import type { ChatTemplateInput } from '../prompt/conversation.ts';
import { isBlank, leadingSpace, trailingSpace } from '../python/text.ts';
import { type Answer, type Part, type Question, type Slot, UnknownText } from './jinja/text.ts';
import { runTemplate, runWithOrigins } from './run-template.ts';
import type { ChatTemplate } from './types.ts';

type Conversation = ChatTemplateInput<Readonly<Record<string, unknown>>>;

/** Something that a template asked about a content, and what it was told. */
interface Guard {
  readonly slot: Slot;
  readonly question: Question;
  readonly part: string;
  readonly answer: boolean;
}

/** What a template makes of every conversation of one shape for which all guards hold. */
interface Skeleton {
  readonly guards: readonly Guard[];
  /** Text of the template and slots for contents; null if only the interpreter can tell. */
  readonly parts: readonly Part[] | null;
}

const maxShapes = 1_000;
const maxSkeletons = 8;
const skeletons = new WeakMap<ChatTemplate, Map<string, readonly Skeleton[]>>();

/**
 * The parts of the result for a conversation, if its template copies contents and asks no more
 * about them than guards can tell. This is seen by running it with contents that cannot be read.
 */
export function findParts(template: ChatTemplate, input: Conversation): readonly Part[] | null {
  const shape = shapeOf(template, input);
  if (shape === undefined) return null;
  const known = skeletons.get(template) ?? new Map<string, readonly Skeleton[]>();
  const made = known.get(shape) ?? [];
  const found = made.find(({ guards }) => guards.every((guard) => holds(guard, input)));
  if (found !== undefined) return found.parts;
  if (made.length >= maxSkeletons) return null;
  if (known.size >= maxShapes) known.clear();
  const skeleton = makeSkeleton(template, input);
  skeletons.set(template, known.set(shape, [...made, skeleton]));
  return skeleton.parts;
}

function holds({ slot, question, part, answer }: Guard, { messages }: Conversation): boolean {
  return readSlot(slot, messages)[question](part) === answer;
}

function makeSkeleton(template: ChatTemplate, input: Conversation): Skeleton {
  const guards: Guard[] = [];
  const guess: Answer = (slot, question, part) => {
    const answer = readSlot(slot, input.messages)[question](part);
    guards.push({ slot, question, part, answer });
    return answer;
  };
  try {
    const parts = runWithOrigins(template, input, (content) =>
      isBlank(content) ? { text: content, answer: undefined } : { text: undefined, answer: guess },
    );
    const isRight = fillParts(parts, input) === runTemplate(template, input).join('');
    return { guards, parts: isRight ? parts : null };
  } catch (error) {
    if (!(error instanceof UnknownText || TypecaseError.isInstance(error))) throw error;
    if ((error as Partial<TypecaseError>).code === 'chat_template.too_much') throw error;
    return { guards, parts: null };
  }
}

/** Where the characters of a slot lie in the content of its message. */
export function slotRange({ text, from, trimStart, trimEnd }: Slot, content: string) {
  if (text !== undefined) return { start: from, end: from + text.length };
  return {
    start: trimStart ? leadingSpace(content) : 0,
    end: trimEnd ? trailingSpace(content) : content.length,
  };
}

function readSlot(slot: Slot, messages: Conversation['messages']): string {
  const content = messages[slot.message]?.content as string;
  const { start, end } = slotRange(slot, content);
  return content.slice(start, end);
}

/** Puts contents into their slots. */
export function fillParts(parts: readonly Part[], { messages }: Conversation): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : readSlot(part, messages);
  return text;
}

/**
 * All that the result can depend on besides contents that are not blank. Conversations whose
 * messages have other keys have no shape: they are hardly ever met twice.
 */
function shapeOf({ program }: ChatTemplate, input: Conversation): string | undefined {
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
